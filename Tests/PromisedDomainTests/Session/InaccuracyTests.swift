import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// A participant with unusable positions near the place is notified once.
@Suite struct InaccuracyTests {
    private static func told(_ world: SessionWorld) -> [PassingEvent] {
        world.told.filter { if case .cannotCount = $0 { true } else { false } }
    }

    private static func report(
        _ world: inout SessionWorld,
        _ fixes: [(second: Double, metres: Double, error: Double)],
        first: UInt32 = 1
    ) {
        for (index, fix) in fixes.enumerated() {
            let at = Instant.meeting + .seconds(fix.second)
            let wall = PhoneClock().wallMs(at: at)
            let made = Fix.sample(
                seq: first + UInt32(index),
                metres: fix.metres,
                accuracy: fix.error,
                wallMs: wall
            )
            world.report(2, [made], at: fix.second)
        }
    }

    @Test(.proves("6.20")) func `three consecutive inaccurate positions near the place give one notice`() {
        var world = SessionWorld(accepted: 2)
        Self.report(&world, [(0, 10, 90), (5, 12, 80)])
        #expect(Self.told(world).isEmpty)
        Self.report(&world, [(10, 11, 100)], first: 3)
        #expect(Self.told(world) == [.cannotCount(.user(2), errorMetres: 80, limitMetres: 70)])
        Self.report(&world, (0..<20).map { (Double(15 + $0 * 5), 10, 90) }, first: 4)
        #expect(Self.told(world).count == 1)
    }

    @Test(.proves("6.20")) func `a usable position restarts the count, a distant one is ignored`() {
        var world = SessionWorld(accepted: 2)
        Self.report(&world, [(0, 10, 90), (5, 12, 80), (10, 200, 70), (15, 10, 90), (20, 10, 90)])
        Self.report(&world, [(25, 51, 900), (30, 2_000, 3_000)], first: 6)
        #expect(Self.told(world).isEmpty)
        Self.report(&world, [(35, 10, 90)], first: 8)
        #expect(Self.told(world).count == 1)
    }

    @Test(.proves("6.20"))
    func `counts 70 m, and sends no notice after an arrival, under first-fix or while settling`() {
        var world = SessionWorld(accepted: 2)
        Self.report(&world, (0..<5).map { (Double($0 * 5), 10, 70) })
        #expect(Self.told(world).isEmpty)
        world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        Self.report(&world, (2..<8).map { (Double($0 * 5), 10, 90) }, first: 3)
        #expect(Self.told(world).isEmpty)
        world = SessionWorld(.sample(rule: ArrivalRule(name: .firstFix)), accepted: 2)
        Self.report(&world, (0..<5).map { (Double($0 * 5), 60, 90) })
        #expect(Self.told(world).isEmpty)
        world = SessionWorld(accepted: 2)
        let closes = world.machine.promise.closesAt
        world.run(to: closes)
        let fixes = (1...5).map { number in
            Fix.sample(
                seq: UInt32(number),
                metres: 10,
                accuracy: 90,
                wallMs: PhoneClock().wallMs(at: closes - .seconds(Double(30 - number * 5)))
            )
        }
        let now = closes + .seconds(5)
        world.send(
            .report(
                from: .user(2),
                Report(device: SessionWorld.phone, fixes: fixes, sent: PhoneClock().wallReading(at: now))
            ),
            at: now
        )
        #expect(Self.told(world).isEmpty)
    }

    @Test func `notifies only that participant`() {
        let event = PassingEvent.cannotCount(.user(2), errorMetres: 80, limitMetres: 70)
        #expect(event.addressee == .user(2))
        #expect(event.seenByViewers(of: [.user(2)]) == nil)
    }
}
