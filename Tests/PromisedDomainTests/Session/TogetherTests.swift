import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Participants who came together share a rank: domain §6.4.
@Suite struct TogetherTests {
    typealias Step = (second: Double, metres: Double)

    /// A walk at 2 m/s that enters the circle of 50 m at an instant, in seconds from the meeting time, then a stay.
    static func way(entering second: Double, stay: Double = 200, every step: Double = 5) -> [Step] {
        var way: [Step] = []
        for at in stride(from: second - 240, through: second + stay, by: step) {
            way.append((at, max(5, 50 + 2 * (second - at))))
        }
        return way
    }

    /// Lets people walk at the same time, each on a separate way.
    static func walk(_ world: inout SessionWorld, _ ways: [UInt64: [Step]], from place: [UInt64: Coordinate] = [:]) {
        let all = ways.flatMap { user, way in
            way.enumerated().map { (user: user, seq: $0.offset + 1, step: $0.element) }
        }
        for (user, seq, step) in all.sorted(by: { ($0.step.second, $0.user) < ($1.step.second, $1.user) }) {
            let start = place[user] ?? .meetingPlace
            world.walk(user, [step], from: start, first: UInt32(seq))
        }
    }

    /// Users 1 and 2 walk in 10 s behind each other.
    static func pair(_ second: Double = 0, fixLimits: FixLimits = FixLimits()) -> SessionWorld {
        var world = SessionWorld(accepted: 3, fixLimits: fixLimits)
        walk(&world, [1: way(entering: second), 2: way(entering: second + 10)])
        return world
    }

    /// A position at the same distance from the meeting place, a quarter turn away.
    static func east(_ metres: Double) -> Coordinate {
        let here = Coordinate.meetingPlace
        let degrees = here.north(metres).latitude - here.latitude
        return Coordinate(latitude: here.latitude, longitude: here.longitude + degrees)
    }

    static func revisions(_ world: SessionWorld) -> [[UInt64: Int]] {
        world.happened.compactMap { event in
            guard case .rankingRevised(let entries, .backfill) = event else { return nil }
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.userID.low & 0xFF, $0.rank) })
        }
    }

    @Test(.proves("6.23")) func `participants ten seconds apart on the same way share the first rank`() throws {
        var world = Self.pair()
        #expect(world.entry(1)?.rank == 1 && world.entry(2)?.rank == 1)
        let found = try #require(world.machine.view(at: .meeting + .seconds(300)).together.first)
        #expect(found.pair == UserPair(.user(1), .user(2)))
        #expect(abs(found.medianDistanceMetres - 20) < 0.5 && found.limitMetres == 30)
        #expect(found.creditedAt == world.entry(1)?.arrival.creditedAt)
        // The second arrival is announced with the rank of its time; the pair follows as a revision.
        #expect(Self.revisions(world) == [[2: 1]])
        world.finish()
        #expect(world.row(1)?.rank == 1 && world.row(2)?.rank == 1)
        #expect(world.archive.together == [found])
    }

    @Test(.proves("6.22")) func `participants from different sides do not share a rank`() {
        var world = SessionWorld(accepted: 2)
        let way = Self.way(entering: 0)
        Self.walk(&world, [1: way])
        // The other approaches at the same speed from the east.
        for (index, step) in Self.way(entering: 10).enumerated() {
            var fix = PhoneClock().wallFix(seq: UInt32(index + 1), at: .meeting + .seconds(step.second))
            fix.coordinate = Self.east(step.metres)
            fix.speedMps = 1
            world.report(2, [fix], at: 210 + Double(index) / 10)
        }
        world.finish()
        #expect(world.row(1)?.rank == 1 && world.row(2)?.rank == 2)
        #expect(world.archive.together.isEmpty)
    }

    @Test(.proves("6.22"), arguments: [(300.0, true), (300.001, false)])
    func `compares arrivals credited up to three hundred seconds apart`(apart: Double, isJudged: Bool) {
        var world = SessionWorld(accepted: 2)
        // Both walk to 60 m together; the other waits there and enters later, from where the crossing is exact.
        let first = Self.way(entering: 0)
        let second: [Step] =
            first.filter { $0.second < -4 }
            + stride(from: 0, to: apart - 10, by: 5).map { ($0, 60) }
            + [(apart - 5, 60), (apart + 5, 40), (apart + 10, 30), (apart + 15, 20)]
        Self.walk(&world, [1: first, 2: second])
        #expect(
            world.entry(2).map { ($0.arrival.creditedAt - .meeting).milliseconds } == Int64((apart * 1_000).rounded())
        )
        #expect(world.readWays == (isJudged ? 2 : 0))
        #expect(world.entry(2)?.rank == (isJudged ? 1 : 2))
        world.finish()
        #expect(world.row(2)?.rank == (isJudged ? 1 : 2))
    }

    @Test(.proves("6.22")) func `check-ins and arrivals under the simple rule join no pair`() {
        var byHand = SessionWorld(accepted: 2)
        Self.walk(&byHand, [1: Self.way(entering: 0, stay: 5), 2: Self.way(entering: 10, stay: -5)])
        byHand.send(.checkIn(.user(2), .myself), at: .meeting + .seconds(6))
        #expect(byHand.entry(2)?.arrival.source == .myself && byHand.entry(2)?.rank == 2)
        #expect(byHand.readWays == 0)
        var simple = SessionWorld(.sample(rule: ArrivalRule(name: .firstFix)), accepted: 2)
        Self.walk(&simple, [1: Self.way(entering: 0), 2: Self.way(entering: 10)])
        #expect(simple.entry(1)?.rank == 1 && simple.entry(2)?.rank == 2)
        #expect(simple.readWays == 0)
    }

    @Test(.proves("6.22")) func `leaving parts a pair only before the other arrives`() {
        var afterwards = Self.pair()
        afterwards.send(.leave(.user(2)), at: .meeting + .seconds(250))
        afterwards.finish()
        #expect(afterwards.row(2)?.rank == 1)
        var before = SessionWorld(accepted: 3)
        Self.walk(&before, [2: Self.way(entering: 0, stay: 60)])
        before.send(.leave(.user(2)), at: .meeting + .seconds(60))
        // The other walked beside them and entered later.
        let late =
            Self.way(entering: 0).filter { $0.second < 0 } + [(95, 55), (100, 45), (105, 35), (110, 25), (240, 20)]
        Self.walk(&before, [3: late])
        before.finish()
        #expect(before.row(2)?.rank == 1 && before.row(3)?.rank == 2)
    }

    /// Users 1 and 2 walk in 10 s behind each other. The phone of user 2 sleeps up to an instant, and uploads at 400 s what
    /// it recorded until then.
    static func sleeper(until second: Double, recorded metres: (Step) -> Double) -> SessionWorld {
        var world = SessionWorld(accepted: 3)
        let way = way(entering: 10)
        walk(&world, [1: Self.way(entering: 0), 2: way.filter { $0.second > second }])
        let fixes = way.filter { $0.second <= second }.enumerated().map { index, step in
            let at = Instant.meeting + .seconds(step.second)
            return PhoneClock().wallFix(seq: UInt32(1_000 + index), at: at, metres: metres(step))
        }
        world.report(2, fixes, at: 400)
        return world
    }

    @Test(.proves("6.24")) func `late positions join a pair`() {
        var world = Self.sleeper(until: -10) { $0.metres }
        // Three moments are too few.
        #expect(Self.revisions(world) == [[2: 1]])
        #expect(world.events.last?.at == .meeting + .seconds(400))
        world.finish()
        #expect(world.row(2)?.rank == 1)
        #expect(world.archive.together.first?.momentCount ?? 0 > 40)
    }

    @Test(.proves("6.24")) func `late positions part a pair`() {
        var world = Self.sleeper(until: -20) { $0.metres + 60 + 3 * (-20 - $0.second) }
        // The seven moments of the last twenty seconds had joined them.
        #expect(Self.revisions(world) == [[2: 1], [2: 2]])
        world.finish()
        #expect(world.row(2)?.rank == 2)
        #expect(world.archive.together.isEmpty)
    }

    @Test(.proves("6.25"), arguments: [0, 3, 7])
    func `a restart at any step changes nothing and reads the ways again`(modulus: Int) {
        var unbroken = SessionWorld(accepted: 3)
        var broken = unbroken
        let ways = [1: Self.way(entering: 0), 2: Self.way(entering: 10), 3: Self.way(entering: 90)] as [UInt64: [Step]]
        let all = ways.flatMap { user, way in way.enumerated().map { (user, $0.offset + 1, $0.element) } }
        for (index, (user, seq, step)) in all.sorted(by: { ($0.2.second, $0.0) < ($1.2.second, $1.0) }).enumerated() {
            unbroken.walk(user, [step], first: UInt32(seq))
            broken.walk(user, [step], first: UInt32(seq))
            if modulus == 0 || index.isMultiple(of: modulus) { broken.restart(at: .meeting + .seconds(step.second)) }
        }
        #expect(unbroken.machine.board == broken.machine.board)
        #expect(unbroken.happened == broken.happened)
        unbroken.finish()
        broken.finish()
        #expect(unbroken.archive.result == broken.archive.result)
        #expect(unbroken.archive.together == broken.archive.together && unbroken.archive.together.count == 1)
        #expect(broken.row(2)?.rank == 1 && broken.row(3)?.rank == 3)
    }

    /// The archive's answer may be late.
    @Test(.proves("6.25")) func `the result waits for pending reads of ways`() throws {
        let promise = Promise.sample()
        var world = SessionWorld(accepted: 2)
        Self.walk(&world, [1: Self.way(entering: 0), 2: Self.way(entering: 10)])
        var snapshot = world.archive
        snapshot.together = []
        var machine = SessionMachine(restoring: snapshot)
        let recalls = RecallTests.recalls(machine.receive(.wake, at: promise.settlesAt + .seconds(1)))
        #expect(recalls.count == 2)
        #expect(!machine.isOver && machine.isAwaitingRecalls)
        for recall in recalls {
            #expect(machine.result == nil)
            let fixes = snapshot.fixes.filter { $0.userID == recall.userID }.map(\.fix)
            _ = machine.receive(.recalled(recall, recall.judge(fixes)), at: promise.settlesAt + .seconds(2))
        }
        let rows = try #require(machine.result?.rows)
        #expect(rows.prefix(2).map(\.rank) == [1, 1])
        #expect(!machine.isAwaitingRecalls)
    }

    /// A restored session holds two minutes: until it has read the ways, a pair that came together remains one.
    @Test(.proves("6.25")) func `a restored session parts no pair before it has read the ways`() {
        let world = Self.pair()
        var machine = SessionMachine(restoring: world.archive)
        let effects = machine.receive(.wake, at: .meeting + .seconds(400))
        #expect(RecallTests.recalls(effects).count == 2)
        #expect(machine.board.map(\.rank) == [1, 1])
    }

    @Test func `a third arrival reads only its own way`() {
        var world = SessionWorld(accepted: 3)
        Self.walk(&world, [1: Self.way(entering: 0), 2: Self.way(entering: 10), 3: Self.way(entering: 20)])
        #expect(world.readWays == 3)
        #expect([1, 2, 3].map { world.entry($0)?.rank } == [1, 1, 1])
    }
}
