import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Random lives of promises, compared with a naive model at each step; failures name their seed.
@Suite struct SessionPropertyTests {
    /// Runs a script.
    ///
    /// - Parameters:
    ///   - restarts: the number of steps in a hundred that a restart from the archive precedes.
    ///   - isPunctual: whether the machine is woken when it asked for it, rather than at the next step.
    ///   - limits: how many positions there may be.
    static func run(
        _ script: SessionScript,
        restarts: Int = 0,
        seed: Int = 0,
        isPunctual: Bool = true,
        limits: FixLimits = FixLimits()
    ) -> SessionWorld {
        var generator = SeededGenerator(seed: UInt64(seed))
        var world = SessionWorld(script.promise, participants: script.participants, fixLimits: limits)
        for step in script.steps {
            if isPunctual { world.run(to: step.at) }
            if Int.random(in: 0..<100, using: &generator) < restarts { world.restart(at: step.at) }
            world.sendUnwoken(step.event, at: step.at)
        }
        if isPunctual { world.finish() }
        world.sendUnwoken(.wake, at: script.promise.settlesAt + .minutes(10))
        return world
    }

    @Test(.proves("6.25"), arguments: 1...16)
    func `each invariant holds after each step`(seed: Int) {
        let script = SessionScript(seed: seed)
        var world = SessionWorld(script.promise, participants: script.participants)
        var model = SessionModel(participants: script.participants)
        for (index, step) in script.steps.enumerated() {
            world.send(step.event, at: step.at)
            model.check(world, at: step.at, "seed \(seed), step \(index)")
            model.check(world.takePositions(at: step.at), world, at: step.at, "seed \(seed), step \(index)")
        }
        world.finish()
        let end = script.promise.settlesAt + .minutes(10)
        model.check(world, at: end, "seed \(seed), at the end")
        #expect(world.machine.isOver, "seed \(seed)")
        #expect(world.endings == 1, "seed \(seed)")
        let isCancelled = world.archive.promise.cancelledAt != nil
        #expect((world.archive.result == nil) == isCancelled, "seed \(seed)")
        #expect(model.clock.count == 5 || isCancelled, "seed \(seed)")
    }

    @Test(.proves("8.1"), arguments: 1...16)
    func `a result has one row for each participant, as on the board`(seed: Int) throws {
        let script = SessionScript(seed: seed)
        let world = Self.run(script)
        guard world.archive.promise.cancelledAt == nil else { return }
        let result = try #require(world.archive.result)
        let part = world.archive.participants.filter { $0.tookPart(from: script.promise.opensAt) }
        #expect(Set(result.rows.map(\.userID)) == Set(part.map(\.userID)), "seed \(seed)")
        #expect(result.rows.count == part.count, "seed \(seed)")
        for row in result.rows {
            let entry = world.machine.board.first { $0.userID == row.userID }
            #expect(row.creditedAt == entry?.arrival.creditedAt, "seed \(seed)")
            #expect(row.rank == entry?.rank ?? 0, "seed \(seed)")
            #expect(entry.map { $0.arrival.stage == .confirmed } ?? true, "seed \(seed)")
        }
    }

    @Test(arguments: 1...16)
    func `restarts at any step change neither durable events nor the result`(seed: Int) {
        let script = SessionScript(seed: seed)
        let unbroken = Self.run(script, limits: Self.recallsAtOnce)
        let broken = Self.run(script, restarts: 20, seed: seed, limits: Self.recallsAtOnce)
        Self.expectSame(broken, unbroken, "seed \(seed)")
        // A restart evaluates pending recalls at once, so results may be announced in other steps.
        let waiting = Self.run(script, restarts: 20, seed: seed)
        #expect(waiting.archive.result == unbroken.archive.result, "seed \(seed)")
    }

    private static let recallsAtOnce: FixLimits = {
        var limits = FixLimits()
        limits.recallInterval = .zero
        return limits
    }()

    @Test(arguments: 31...34)
    func `a restart before every single step changes nothing`(seed: Int) {
        let script = SessionScript(seed: seed)
        Self.expectSame(
            Self.run(script, restarts: 100, limits: Self.recallsAtOnce),
            Self.run(script, limits: Self.recallsAtOnce),
            "seed \(seed)"
        )
    }

    @Test(arguments: 31...46)
    func `a machine woken late does the same at the next step`(seed: Int) {
        let script = SessionScript(seed: seed)
        Self.expectSame(
            Self.run(script, isPunctual: false, limits: Self.recallsAtOnce),
            Self.run(script, limits: Self.recallsAtOnce),
            "seed \(seed)"
        )
        #expect(Self.run(script, isPunctual: false).archive.result == Self.run(script).archive.result, "seed \(seed)")
    }

    @Test(arguments: 1...16)
    func `a restart restores the arrival lost in a crash after its fix`(seed: Int) {
        let script = SessionScript(seed: seed)
        let reports = script.steps.filter { if case .report = $0.event { true } else { false } }
        var unbroken = SessionWorld(script.promise, participants: script.participants)
        var broken = unbroken
        var generator = SeededGenerator(seed: UInt64(seed))
        for step in reports {
            unbroken.send(step.event, at: step.at)
            if Int.random(in: 0..<10, using: &generator) == 0 {
                broken.crash(after: step.event, at: step.at)
            } else {
                broken.send(step.event, at: step.at)
            }
        }
        unbroken.finish()
        broken.finish()
        #expect(broken.archive.result == unbroken.archive.result, "seed \(seed)")
        #expect(broken.archive.arrivals == unbroken.archive.arrivals, "seed \(seed)")
        #expect(broken.events.map(\.seq) == Array(1..<(broken.events.count + 1)), "seed \(seed)")
        let marks = broken.happened.filter { if case .late = $0 { true } else { $0 == .resultFinal } }
        #expect(marks.count == 2, "seed \(seed)")
    }

    @Test func `the scripts cover the intended cases`() {
        let worlds = (1...30).map { Self.run(SessionScript(seed: $0)) }
        let names = worlds.flatMap(\.happened).map { String("\($0)".prefix { $0 != "(" && $0 != "[" }) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let wanted = [
            "joined", "declined", "left", "cancelled", "arrived", "arrivalConfirmed", "arrivalRetracted",
            "rankingRevised", "excused", "resultFinal",
        ]
        for name in wanted { #expect((counts[name] ?? 0) >= 2, "\(name)") }
        #expect(worlds.map(\.recalls).reduce(0, +) > 20)
    }

    /// Expects the same durable events and the same result, and names the first event that differs.
    static func expectSame(_ one: SessionWorld, _ other: SessionWorld, _ comment: Comment) {
        let differing = zip(one.events, other.events).first { $0 != $1 }
        #expect(differing?.0 == differing?.1, comment)
        #expect(one.events.count == other.events.count, comment)
        #expect(one.archive.result == other.archive.result, comment)
    }
}
