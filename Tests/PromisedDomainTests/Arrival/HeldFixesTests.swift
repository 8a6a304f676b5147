import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// Packing and unpacking fixes preserves them.
@Suite struct HeldFixesTests {
    @Test(arguments: 0..<200)
    func `returns the remaining messages in order`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var expected: [SettledFix] = []
        var held = HeldFixes()
        for step in 0..<200 {
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let horizon = expected.randomElement(using: &generator)?.time ?? Instant(milliseconds: 0)
                #expect(held.removeAll(before: horizon) == expected.filter { $0.time < horizon })
                expected.removeAll { $0.time < horizon }
            } else {
                let fix = fix(UInt32(step), after: expected.last, using: &generator)
                expected.append(fix)
                held.append(fix)
            }
            #expect(held.count == expected.count)
            #expect(held.first == expected.first)
            #expect(held.last == expected.last)
        }
        #expect(held.all == expected)
        #expect(HeldFixes(expected).all == expected)
    }

    @Test func `stores extreme values unchanged`() {
        let far = Coordinate(latitude: -90, longitude: -180)
        let zero = Coordinate(latitude: -0.0, longitude: 0.0)
        let last = Instant(milliseconds: 253_402_300_799_999)
        let fixes = [
            SettledFix(seq: .max, coordinate: far, time: Instant(milliseconds: 0), receivedAt: last),
            SettledFix(
                seq: 0,
                coordinate: zero,
                accuracyMetres: .greatestFiniteMagnitude,
                speedMps: .leastNonzeroMagnitude,
                time: last,
                receivedAt: Instant(milliseconds: 0),
                isMock: true
            ),
            SettledFix(
                seq: 7,
                coordinate: Coordinate(latitude: 90, longitude: 180),
                accuracyMetres: 0,
                time: last,
                receivedAt: last
            ),
        ]
        let held = HeldFixes(fixes).all
        #expect(held == fixes)
        #expect(held[1].coordinate.latitude.sign == .minus)
        #expect(held[0].accuracyMetres == nil && held[2].accuracyMetres == 0)
    }

    private func fix(_ seq: UInt32, after before: SettledFix?, using generator: inout SeededGenerator) -> SettledFix {
        let coordinate =
            if let before, Bool.random(using: &generator) {
                before.coordinate.north(.random(in: -50...50, using: &generator))
            } else {
                Coordinate(
                    latitude: .random(in: -90...90, using: &generator),
                    longitude: .random(in: -180...180, using: &generator)
                )
            }
        let time =
            (before?.time ?? Instant(milliseconds: 1_795_240_800_000))
            + .milliseconds(Int64.random(in: 0...200_000, using: &generator))
        return SettledFix(
            seq: Bool.random(using: &generator) ? seq : UInt32.random(in: 0 ... .max, using: &generator),
            coordinate: coordinate,
            accuracyMetres: [nil, 0, 5, 4.7, .random(in: 0...5_000, using: &generator)].randomElement(using: &generator)
                ?? nil,
            speedMps: [nil, 0, 1.4, .random(in: 0...100, using: &generator)].randomElement(using: &generator) ?? nil,
            time: time,
            receivedAt: time + .milliseconds(Int64.random(in: -5_000...10_800_000, using: &generator)),
            isMock: Bool.random(using: &generator),
            isClockMoved: Bool.random(using: &generator),
            isOfOtherClock: Bool.random(using: &generator)
        )
    }
}
