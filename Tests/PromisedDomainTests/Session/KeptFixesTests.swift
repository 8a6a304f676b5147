import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// A session is restored from its fixes as they are read, chunk by chunk (domain §6).
@Suite struct KeptFixesTests {
    private static let promise = Promise.sample()
    private static let bare = SessionSnapshot(
        promise: promise,
        participants: [.accepted(.user(1)), .accepted(.user(2))]
    )

    /// The archived fixes of a way, in chunks of a few.
    private static func chunks(_ way: RandomWay, of size: Int) -> [[ArchivedFix]] {
        let fixes = way.received.map { ArchivedFix(userID: .user(2), device: SessionWorld.phone, fix: $0) }
        return stride(from: 0, to: fixes.count, by: size).map { Array(fixes[$0..<min($0 + size, fixes.count)]) }
    }

    private static func folded(_ chunks: [[ArchivedFix]], limits: FixLimits = FixLimits()) -> KeptFixes {
        var kept = KeptFixes(of: bare, limits: limits)
        for chunk in chunks { kept.fold(chunk) }
        for userID in kept.late { kept.refold(userID, from: chunks.flatMap { $0 }.filter { $0.userID == userID }) }
        return kept
    }

    @Test(.proves("5.25"), arguments: 1...60)
    func `reading fixes in chunks equals one pass over all`(seed: Int) {
        let way = RandomWay(seed: seed)
        var snapshot = Self.bare
        snapshot.kept = Self.folded(Self.chunks(way, of: 1 + seed % 7))
        var machine = SessionMachine(restoring: snapshot)
        let now = Instant.meeting + .hours(1)
        _ = machine.receive(.wake, at: now)
        let expected = OrderOfReceiptTests.fold(way.fixes, criteria: ArrivalCriteria(Self.promise))
        #expect(machine.board.first?.arrival.creditedAt == expected.arrival(at: now)?.creditedAt, "seed \(seed)")
        #expect(machine.view(at: now).members[1].live.position?.seq == expected.latest?.seq, "seed \(seed)")
    }

    @Test func `only some ways need a second pass`() {
        let late = (1...60).filter { seed in
            var kept = KeptFixes(of: Self.bare)
            for chunk in Self.chunks(RandomWay(seed: seed), of: 5) { kept.fold(chunk) }
            return kept.late == [.user(2)]
        }
        #expect((10...50).contains(late.count))
    }

    @Test(arguments: [(5, [[1], [2]]), (6, [[1, 2]]), (1, [[1], [2]])] as [(Int, [[UInt64]])])
    func `reads several devices of a second pass together`(limit: Int, groups: [[UInt64]]) {
        var kept = KeptFixes(of: Self.bare)
        for user in [1, 2] as [UInt64] {
            for (seq, second) in [(1, 0), (2, 300), (3, -300)] as [(Int, Double)] {
                let fix = Sight(second, 300).fix(seq: seq)
                kept.fold([ArchivedFix(userID: .user(user), device: SessionWorld.phone, fix: fix)])
            }
        }
        #expect(kept.lateGroups(ofAtMost: limit) == groups.map { $0.map(UserID.user) })
        #expect(KeptFixes(of: Self.bare).lateGroups(ofAtMost: limit).isEmpty)
    }

    @Test(.proves("5.25")) func `holds few fixes at any number`() {
        var kept = KeptFixes(of: Self.bare)
        for minute in 0..<50 {
            let fixes = (0..<600).map { index in
                let at = Double(minute * 60) + 0.1 * Double(index)
                return ArchivedFix(
                    userID: .user(2),
                    device: SessionWorld.phone,
                    fix: Sight(at, 300).fix(seq: minute * 600 + index + 1)
                )
            }
            kept.fold(fixes)
            #expect(kept.heldCount <= 600)
        }
        var snapshot = Self.bare
        snapshot.kept = kept
        let machine = SessionMachine(restoring: snapshot)
        #expect(machine.heldFixCount == 600)
    }

    @Test(.proves("5.25")) func `keeps the devices that appeared last beyond the limit`() {
        var kept = KeptFixes(of: Self.bare)
        for device in 0..<40 {
            let fix = Sight(Double(device), 300).fix(seq: 1)
            kept.fold([ArchivedFix(userID: .user(2), device: DeviceKey(deviceID: "\(device)"), fix: fix)])
        }
        #expect(kept.heldCount == 16)
    }
}
