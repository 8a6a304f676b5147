import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6.8: a promise under way is judged by the version of the rule that the server has.
@Suite struct RuleVersionTests {
    /// A promise of two, with the second one's arrival at the meeting time and 70 m away since, as evaluated by an
    /// earlier version.
    private static func former(confirmedAt second: Double?, metres: Double = 70) -> SessionSnapshot {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        world.walk(2, [(10, metres), (126, metres)], first: 3)
        var snapshot = world.archive
        var arrival = snapshot.arrivals[.user(2)]
        arrival?.evidence?.ruleVersion = nil
        arrival?.evidence?.confirmedAt = second.map { .meeting + .seconds($0) }
        if second != nil { arrival?.stage = .confirmed }
        snapshot.arrivals[.user(2)] = arrival
        return snapshot
    }

    @Test(.proves("6.18")) func `keeps an arrival that an earlier version confirmed`() {
        let snapshot = Self.former(confirmedAt: 126)
        var world = SessionWorld(restoring: snapshot)
        #expect(world.entry(2)?.arrival == snapshot.arrivals[.user(2)])
        // Late fixes do not change it.
        world.report(2, [PhoneClock().wallFix(seq: 90, at: .meeting + .seconds(15), metres: 400)], at: 200)
        world.report(2, [PhoneClock().wallFix(seq: 91, at: .meeting + .seconds(20), metres: 400)], at: 201)
        world.finish()
        #expect(ArrivalEventTests.arrivals(in: world).isEmpty)
        #expect(world.archive.arrivals[.user(2)] == snapshot.arrivals[.user(2)])
        #expect(world.row(2)?.outcome == .onTime)
    }

    @Test(.proves("6.18")) func `judges a provisional arrival by the current version`() {
        var world = SessionWorld(restoring: Self.former(confirmedAt: nil))
        world.run(to: .meeting + .seconds(305))
        #expect(ArrivalEventTests.arrivals(in: world) == ["retracted 2: held"])
        world = SessionWorld(restoring: Self.former(confirmedAt: nil, metres: 55))
        world.run(to: .meeting + .seconds(305))
        #expect(ArrivalEventTests.arrivals(in: world) == ["confirmed 2 as 1"])
        #expect(world.archive.arrivals[.user(2)]?.evidence?.ruleVersion == ArrivalRule.version)
    }

    @Test(.proves("6.18")) func `a check-in joins an arrival that an earlier version confirmed`() {
        var world = SessionWorld(restoring: Self.former(confirmedAt: 126, metres: 55))
        world.send(.checkIn(.user(2), .myself), at: .meeting + .seconds(130))
        let arrival = world.entry(2)?.arrival
        #expect(arrival?.checkIn?.at == .meeting + .seconds(130))
        #expect(arrival?.creditedAt == .meeting)
        #expect(arrival?.source == .gps)
    }

    @Test(.proves("6.18")) func `evidence has the version that decided`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        #expect(world.entry(2)?.arrival.evidence?.ruleVersion == ArrivalRule.version)
        #expect(ArrivalRule.version == 2)
    }
}
