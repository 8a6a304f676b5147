import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// Reading fixes in parts gives the same judgement as reading all at once.
@Suite struct TrackFoldTests {
    @Test(arguments: 1...60, [1, 12, 600])
    func `folding in parts equals the track of all fixes`(seed: Int, limit: Int) {
        let fixes = RandomWay(seed: seed).fixes.sorted()
        var generator = SeededGenerator(seed: UInt64(seed))
        var fold = TrackFold(criteria: OrderOfReceiptTests.criteria, memory: DeviceTrack.memory)
        var rest = fixes[...]
        while !rest.isEmpty {
            let part = rest.prefix(.random(in: 0...20, using: &generator))
            rest = rest.dropFirst(part.count)
            fold.append(Array(part))
            let newest = fold.window.last?.time ?? .meeting
            #expect(fold.window.allSatisfy { newest - $0.time <= DeviceTrack.memory })
        }
        var whole = DeviceTrack(criteria: OrderOfReceiptTests.criteria)
        whole.rebuild(from: fixes, holding: limit)
        #expect(DeviceTrack(fold, holding: limit) == whole, "seed \(seed)")
    }

    @Test func `folding nothing gives an empty track`() {
        var fold = TrackFold(criteria: OrderOfReceiptTests.criteria, memory: DeviceTrack.memory)
        fold.append([])
        #expect(DeviceTrack(fold, holding: 600) == DeviceTrack(criteria: OrderOfReceiptTests.criteria))
    }

    @Test(arguments: 1...40)
    func `judging in parts equals judging all, and counts only newly received fixes`(seed: Int) {
        let fixes = RandomWay(seed: seed).fixes.sorted()
        let received = fixes.map(\.receivedAt).sorted()
        for countsFrom in [nil, received.isEmpty ? nil : received[received.count / 2]] {
            let recall = Recall(
                userID: .user(1),
                device: DeviceKey(deviceID: "phone"),
                askedAt: .meeting + .minutes(10),
                countsFrom: countsFrom,
                criteria: OrderOfReceiptTests.criteria,
                limits: FixLimits()
            )
            var judgement = recall.judgement()
            let counted = fixes.filter { fix in countsFrom.map { fix.receivedAt >= $0 } ?? true }
            for start in stride(from: 0, to: counted.count, by: 7) {
                judgement.take(Array(counted[start..<min(start + 7, counted.count)]))
            }
            // The same numbers occurred earlier and were ignored.
            let long = Instant.meeting - .minutes(600)
            let earlier = countsFrom == nil ? [] : fixes.map { SettledFix.sample(seq: $0.seq, at: long, metres: 0) }
            #expect(judgement.end() == recall.judge(earlier + fixes.reversed() + fixes), "seed \(seed)")
            var whole = DeviceTrack(criteria: OrderOfReceiptTests.criteria)
            whole.rebuild(from: counted)
            #expect(judgement.end().track == whole, "seed \(seed)")
        }
    }
}
