import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The archive shows a promise without a session as its session would.
@Suite struct SleepingViewTests {
    private static let aliveBefore = TimeSpan.minutes(1)

    /// Acts and blocks long before the window and after the end.
    private static func calmSteps(of promise: Promise, seed: Int) -> [SessionScript.Step] {
        var generator = SeededGenerator(seed: UInt64(seed) + 1_000)
        let before = promise.createdAt.milliseconds...(promise.opensAt - .minutes(2)).milliseconds
        let after = promise.settlesAt.milliseconds...(promise.settlesAt + .days(8)).milliseconds
        return (0..<30).map { number in
            let at = Instant(milliseconds: .random(in: number < 22 ? before : after, using: &generator))
            let pair = UserPair(.user(2), .user(.random(in: 3...8, using: &generator)))
            let isBlock = Int.random(in: 0..<8, using: &generator) == 0
            return SessionScript.Step(at: at, event: isBlock ? .blocks([pair]) : .calm(of: promise, using: &generator))
        }
    }

    /// Runs a random life with actions before and after the window. Calls `look` after each step.
    private static func live(seed: Int, _ look: (_ world: SessionWorld, _ now: Instant) -> Void) {
        let script = SessionScript(seed: seed)
        let steps = (script.steps + calmSteps(of: script.promise, seed: seed)).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        var world = SessionWorld(script.promise, participants: script.participants)
        for step in steps {
            world.send(step.event, at: step.at)
            look(world, step.at)
        }
        world.finish()
        look(world, script.promise.settlesAt + .days(30))
    }

    /// The promise read from the archive: without a live machine and without fixes.
    private static func stored(_ world: SessionWorld) -> SessionMachine {
        var snapshot = world.archive
        snapshot.fixes = []
        snapshot.blocks = world.machine.blocks
        return SessionMachine(restoring: snapshot)
    }

    @Test(.proves("4.19"), arguments: 1...24)
    func `the archive shows each viewer the same as the session would`(seed: Int) {
        Self.live(seed: seed) { world, now in
            let stored = Self.stored(world)
            let isAsleep = world.machine.isAsleep(at: now, aliveBefore: Self.aliveBefore)
            #expect(stored.isAsleep(at: now, aliveBefore: Self.aliveBefore) == isAsleep, "seed \(seed)")
            guard isAsleep else { return }
            for viewer in [nil] + (1...9).map({ UserID.user($0) }) {
                let view = stored.view(at: now, for: viewer)
                #expect(view == world.machine.view(at: now, for: viewer), "seed \(seed), at \(now)")
            }
        }
    }

    @Test func `the lives cover the intended cases`() {
        var (before, final, cancelled, hidden, links) = (0, 0, 0, 0, 0)
        for seed in 1...60 {
            Self.live(seed: seed) { world, now in
                guard world.machine.isAsleep(at: now, aliveBefore: Self.aliveBefore) else { return }
                let view = world.machine.view(at: now, for: .user(2))
                before += view.status == .scheduled ? 1 : 0
                final += view.status == .final ? 1 : 0
                cancelled += view.status == .cancelled ? 1 : 0
                hidden += view.standing?.hidden.isEmpty == false ? 1 : 0
                links += view.viewLinkEndsAt == nil ? 0 : 1
            }
        }
        #expect(before > 500 && final > 200 && cancelled > 50 && hidden > 50 && links > 50)
    }

    @Test(
        .proves("4.19"),
        arguments: [
            (-60_001, true), (-60_000, false), (0, false), (3_600_000, false),
        ] as [(Int64, Bool)]
    )
    func `a promise sleeps until a minute before its window`(milliseconds: Int64, isAsleep: Bool) {
        let world = SessionWorld(accepted: 2)
        let now = Promise.sample().opensAt + .milliseconds(milliseconds)
        #expect(world.machine.isAsleep(at: now, aliveBefore: Self.aliveBefore) == isAsleep)
    }

    @Test(arguments: [false, true])
    func `a finished promise sleeps permanently`(isCancelled: Bool) {
        var world = SessionWorld(accepted: 2)
        if isCancelled { world.send(.cancel(by: .user(1), reason: ""), at: .meeting) } else { world.finish() }
        #expect(world.machine.isAsleep(at: .meeting, aliveBefore: Self.aliveBefore))
    }
}
