import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6.6: late fixes count, unless live fixes of the same device lie close before and after them.
@Suite struct CoverageTests {
    static let criteria = ArrivalCriteria(
        centre: .meetingPlace,
        radiusMetres: 50,
        rule: .robust,
        opensAt: .meeting - .minutes(30)
    )

    /// Two fixes inside that would make an arrival at 10 s if they counted.
    static let backfill = [Sight(4, 40, speed: 1, delay: 60), Sight(10, 40, speed: 1, delay: 60)]

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// Live fixes around the backfill.
        var live: [Sight]
        var late = backfill
        var counts: Bool
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "nothing live", live: [], counts: true),
        Case(name: "live before only", live: [Sight(0, 70)], counts: true),
        Case(name: "live after only", live: [Sight(14, 70)], counts: true),
        // At most 15 s apart, with half a second of tolerance.
        Case(name: "15 s apart", live: [Sight(0, 70), Sight(15, 70)], counts: false),
        Case(name: "15.5 s apart", live: [Sight(0, 70), Sight(15.5, 70)], counts: false),
        Case(name: "15.501 s apart", live: [Sight(0, 70), Sight(15.501, 70)], counts: true),
        Case(name: "an hour apart", live: [Sight(-1_800, 70), Sight(1_800, 70)], counts: true),
        // A live one between is nearer to both.
        Case(name: "one between", live: [Sight(0, 70), Sight(7, 70), Sight(20, 70)], counts: false),
        // Live: received within 15 s.
        Case(name: "after it, 15 s late", live: [Sight(0, 70), Sight(14, 70, delay: 15)], counts: false),
        Case(name: "after it, 16 s late", live: [Sight(0, 70), Sight(14, 70, delay: 16)], counts: true),
        Case(name: "before it, 16 s late", live: [Sight(0, 70, delay: 16), Sight(14, 70)], counts: true),
        Case(
            name: "the fixes themselves 15 s late",
            live: [Sight(0, 70), Sight(14, 70)],
            late: [Sight(4, 40, speed: 1, delay: 15), Sight(10, 40, speed: 1, delay: 15)],
            counts: true
        ),
    ]

    @Test(.proves("6.11"), arguments: cases)
    func `counts a late fix unless live ones cover it`(_ row: Case) {
        let fixes = (row.live + row.late).fixes
        var track = DeviceTrack(criteria: Self.criteria)
        for fix in fixes.sorted(by: { $0.receivedAt < $1.receivedAt }) where track.insert([fix]) == .needsRecall {
            track.rebuild(from: fixes.filter { $0.receivedAt <= fix.receivedAt })
        }
        let found = track.arrival(at: .meeting + .seconds(16))
        #expect((found != nil) == row.counts)
    }

    @Test(.proves("6.11")) func `a live fix that closes the gap covers late fixes counted before`() {
        var track = DeviceTrack(criteria: Self.criteria)
        let before = Sight(0, 70).fix(seq: 1)
        let late = [Sight(4, 40, speed: 1, delay: 20), Sight(9, 40, speed: 1, delay: 20)].fixes
        let after = Sight(15, 70, delay: 15).fix(seq: 9)
        #expect(track.insert([before]) == .extended)
        _ = track.insert(late)
        #expect(track.arrival(at: .meeting + .seconds(29))?.clause == .settled)
        #expect(track.insert([after]) == .rerun)
        #expect(track.arrival(at: .meeting + .seconds(30)) == nil)
        #expect(track.latest == after)
    }

    @Test func `counts an hour of backfill after a tunnel and credits its time`() {
        var track = DeviceTrack(criteria: Self.criteria)
        let before = Sight(-1_700, 5_000).fix(seq: 1)
        #expect(track.insert([before]) == .extended)
        // From 5 000 m at 1.4 m/s, one fix each 5 s; received together an hour later.
        let walk = (1...720).map { index in
            Sight(
                -1_700 + Double(index) * 5,
                max(0, 5_000 - Double(index) * 7),
                speed: index < 714 ? 1.4 : 0,
                delay: 3_600 - Double(index) * 5
            )
        }
        let fixes = walk.enumerated().map { $1.fix(seq: $0 + 2) }
        for batch in stride(from: 0, to: fixes.count, by: 200) {
            #expect(track.insert(Array(fixes[batch..<min(batch + 200, fixes.count)])) == .extended)
        }
        // 50 m from the place after (5 000 − 50) / 7 steps of 5 s.
        let credited = -1_700 + (5_000.0 - 50) / 7 * 5
        let found = track.arrival(at: .meeting + .seconds(2_100))
        #expect(abs((found?.creditedAt.secondsFromMeeting ?? 0) - credited) < 0.01)
        #expect(found?.confirmedAt != nil)
    }

    @Test(.proves("6.10")) func `backfill retracts even a confirmed arrival`() {
        var track = DeviceTrack(criteria: Self.criteria)
        _ = track.insert([Sight(0, 40, speed: 5).fix(seq: 1)])
        #expect(track.arrival(at: .meeting + .seconds(240))?.confirmedAt == .meeting + .seconds(240))
        _ = track.insert([Sight(5, 90, speed: 9, delay: 240).fix(seq: 2)])
        #expect(track.arrival(at: .meeting + .seconds(245)) == nil)
    }

    @Test(.proves("6.10")) func `backfill revises the time of a confirmed arrival`() {
        var track = DeviceTrack(criteria: Self.criteria)
        let there = [Sight(0, 0, speed: 1), Sight(5, 0, speed: 1), Sight(130, 0, speed: 0)].fixes
        _ = track.insert(there)
        let now = Instant.meeting + .seconds(140)
        #expect(track.arrival(at: now)?.creditedAt == .meeting)
        let crossing = Sight(-10, 100, speed: 9, delay: 150).fix(seq: 9)
        if track.insert([crossing]) == .needsRecall { track.rebuild(from: there + [crossing]) }
        #expect(track.arrival(at: now)?.creditedAt == .meeting - .seconds(5))
        #expect(track.arrival(at: now)?.confirmedAt == .meeting + .seconds(130))
    }
}
