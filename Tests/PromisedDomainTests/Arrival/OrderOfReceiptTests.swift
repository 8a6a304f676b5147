import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6: the arrival is a function of one device's fixes ordered by their time, never of the order of receipt.
@Suite struct OrderOfReceiptTests {
    static let criteria = ArrivalCriteria(
        centre: .meetingPlace,
        radiusMetres: 50,
        rule: .robust,
        opensAt: .meeting - .minutes(30)
    )

    /// The track after one fold over all fixes in order of time.
    static func fold(_ fixes: [SettledFix], criteria: ArrivalCriteria = criteria) -> DeviceTrack {
        var track = DeviceTrack(criteria: criteria)
        track.rebuild(from: fixes)
        return track
    }

    /// The track of a session that receives the fixes in this order and answers each recall from those received.
    static func insert(_ batches: [[SettledFix]], criteria: ArrivalCriteria = criteria) -> DeviceTrack {
        var track = DeviceTrack(criteria: criteria)
        var archive: [SettledFix] = []
        for batch in batches {
            archive += batch
            if track.insert(batch) == .needsRecall { track.rebuild(from: archive) }
        }
        return track
    }

    /// The readings of a track at many instants.
    struct Account: Equatable {
        var latest: SettledFix?
        var departure: Waypoint?
        var isAwaitingRecall: Bool
        var arrivals: [ArrivalDetector.Detection?]
        var hasArrival: [Bool]
        var changes: [Instant?]

        init(_ track: DeviceTrack) {
            let instants = stride(from: -700.0, through: 1_500, by: 25).map { Instant.meeting + .seconds($0) }
            latest = track.latest
            departure = track.departure
            isAwaitingRecall = track.isAwaitingRecall
            arrivals = instants.map { track.arrival(at: $0) }
            hasArrival = instants.map { track.hasArrival(at: $0) }
            changes = instants.map { track.nextChange(after: $0) }
        }
    }

    /// Expects two tracks to be equal.
    static func expectSame(_ one: DeviceTrack, _ other: DeviceTrack, _ comment: Comment) {
        let account = Account(one)
        let isSame = account == Account(other)
        #expect(isSame, comment)
        #expect(account.hasArrival == account.arrivals.map { $0 != nil }, comment)
    }

    @Test func `the random ways include arrivals, no arrivals, and fixes older than the held ones`() {
        let ways = (1...120).map { RandomWay(seed: $0) }
        let arrived = ways.filter { Self.fold($0.fixes).arrival(at: .meeting + .hours(1)) != nil }
        #expect((24...108).contains(arrived.count))
        let recalled = ways.filter { way in
            var track = DeviceTrack(criteria: Self.criteria)
            return way.received.contains { track.insert([$0]) == .needsRecall }
        }
        #expect(recalled.count > 24)
    }

    @Test(arguments: 1...120)
    func `receiving fixes one by one equals one pass over all`(seed: Int) {
        let way = RandomWay(seed: seed)
        Self.expectSame(Self.insert(way.received.map { [$0] }), Self.fold(way.fixes), "seed \(seed)")
    }

    @Test(.proves("6.10"), arguments: 1...40)
    func `after each fix the track equals one pass over the received ones`(seed: Int) {
        let received = RandomWay(seed: seed, count: 50).received
        var track = DeviceTrack(criteria: Self.criteria)
        for (index, fix) in received.enumerated() {
            let sofar = Array(received[...index])
            if track.insert([fix]) == .needsRecall { track.rebuild(from: sofar) }
            let whole = Self.fold(sofar)
            #expect(
                track.arrival(at: fix.receivedAt) == whole.arrival(at: fix.receivedAt),
                "seed \(seed), step \(index)"
            )
            #expect(track.latest == whole.latest, "seed \(seed), step \(index)")
        }
    }

    @Test(.proves("6.8"), arguments: 1...80)
    func `any order of receipt gives the same result`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) << 8)
        let way = RandomWay(seed: seed, count: 40)
        let shuffled = way.fixes.shuffled(using: &generator)
        Self.expectSame(Self.insert(shuffled.map { [$0] }), Self.fold(way.fixes), "seed \(seed)")
    }

    @Test(arguments: 1...80)
    func `any division into reports gives the same result`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) << 16)
        let way = RandomWay(seed: seed)
        var batches: [[SettledFix]] = []
        for fix in way.received {
            if batches.isEmpty || Int.random(in: 0..<4, using: &generator) == 0 { batches.append([]) }
            batches[batches.count - 1].insert(fix, at: 0)
        }
        Self.expectSame(Self.insert(batches), Self.fold(way.fixes), "seed \(seed)")
    }

    @Test(arguments: 1...30)
    func `the rule first-fix does not depend on the order either`(seed: Int) {
        let criteria = ArrivalCriteria(
            centre: .meetingPlace,
            radiusMetres: 50,
            rule: .firstFix,
            opensAt: .meeting - .minutes(30)
        )
        let way = RandomWay(seed: seed)
        let received = Self.insert(way.received.map { [$0] }, criteria: criteria)
        Self.expectSame(received, Self.fold(way.fixes, criteria: criteria), "seed \(seed)")
    }

    @Test func `only a fix older than the held ones needs a recall`() {
        let newest = Sight(0, 100).fix(seq: 1)
        let atMemory = Sight(-120, 100, delay: 130).fix(seq: 2)
        let beyond = Sight(-121, 100, delay: 130).fix(seq: 3)
        var track = DeviceTrack(criteria: Self.criteria)
        #expect(track.insert([Sight(-300, 100).fix(seq: 4), newest]) == .extended)
        #expect(track.insert([atMemory]) == .rerun)
        #expect(!track.isAwaitingRecall)
        #expect(track.insert([Sight(-301, 100, delay: 310).fix(seq: 5)]) == .needsRecall)
        #expect(track.isAwaitingRecall)
        track.rebuild(from: [])
        #expect(!track.isAwaitingRecall)
        #expect(track.insert([beyond]) == .rerun || track.isAwaitingRecall)
    }

    @Test(.proves("6.10")) func `keeps fixes that arrive during a recall`() {
        // Held and folded: five minutes of distant fixes, then the wait for the earlier ones.
        let first = (0..<60).map { Sight(Double($0) * 5, 900, speed: 1).fix(seq: $0 + 1) }
        let older = Sight(-5, 900, speed: 1, delay: 300).fix(seq: 100)
        // During the archive's read, a report brings ten minutes with an arrival in the middle.
        let meanwhile = (60..<180).map { index in
            Sight(Double(index) * 5, index < 80 ? 80 : 10, speed: 1, delay: 900 - Double(index) * 5).fix(seq: index + 1)
        }
        var track = DeviceTrack(criteria: Self.criteria)
        _ = track.insert(first)
        #expect(track.insert([older]) == .needsRecall)
        let read = first + [older]
        _ = track.insert(meanwhile)
        track.rebuild(from: read)
        Self.expectSame(track, Self.fold(first + [older] + meanwhile), "rebuilt from what was read before")
    }

    @Test func `accepts recalls with duplicates and in any order`() {
        let way = RandomWay(seed: 7)
        var track = DeviceTrack(criteria: Self.criteria)
        _ = track.insert(way.fixes)
        track.rebuild(from: way.fixes.reversed() + way.fixes)
        Self.expectSame(track, Self.fold(way.fixes), "seed 7")
    }
}
