import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Estimates of arrivals and their events (domain §7).
@Suite struct ArrivalEstimateTests {
    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    /// User 2 approaches straight from `metres` away at a speed, reporting every five seconds up to and including an
    /// instant.
    static func world(from metres: Double, mps: Double, since start: Double, until end: Double) -> SessionWorld {
        var world = SessionWorld(accepted: 2)
        let steps = stride(from: start, through: end, by: 5).map { ($0, metres - mps * ($0 - start)) }
        world.walk(2, steps)
        return world
    }

    static func estimate(_ world: SessionWorld, at second: Double) -> ArrivalEstimate? {
        world.machine.view(at: at(second)).members.first { $0.participant.userID == .user(2) }?.estimate
    }

    @Test(.proves("7.1"), arguments: [(2.0, 1.3), (2.5, 1.3), (2.6, 1.2), (12.0, 1.2)])
    func `multiplies the distance by 1.3 on foot and by 1.2 otherwise`(mps: Double, detour: Double) {
        let world = Self.world(from: 10_000, mps: mps, since: -1_800, until: -1_700)
        let left = (10_000 - mps * 100 - 50) * detour / mps
        let median = Self.estimate(world, at: -1_700)?.band?.medianAt
        #expect(median.map { abs(($0 - Self.at(-1_700 + left)).seconds) < left * 0.001 } == true)
    }

    @Test(.proves("7.1")) func `the band is a quarter of the remaining time to each side, at least a minute`() throws {
        let far = Self.world(from: 10_000, mps: 10, since: -1_800, until: -1_700)
        let band = try #require(Self.estimate(far, at: -1_700)?.band)
        let left = (band.medianAt - Self.at(-1_700)).seconds
        #expect(abs((band.highAt - band.medianAt).seconds - left / 4) < 0.01)
        #expect(band.medianAt - band.lowAt == band.highAt - band.medianAt)
        let near = Self.world(from: 1_000, mps: 10, since: -1_800, until: -1_780)
        let short = try #require(Self.estimate(near, at: -1_780)?.band)
        #expect(short.highAt - short.medianAt == .seconds(60))
    }

    @Test(.proves("7.1"), arguments: [0.0, 0.25, -3.0])
    func `estimates nothing below 0.3 m per s`(mps: Double) {
        let world = Self.world(from: 3_000, mps: mps, since: -1_800, until: -1_700)
        #expect(Self.estimate(world, at: -1_700) == ArrivalEstimate(band: nil, state: .unknown))
    }

    @Test(
        .proves("7.2"),
        arguments: [
            // At t−600 s, 3,600 m away at 10 m/s: 426 s left, band ± 106.5 s: in time by its late end.
            (-600.0, ArrivalEstimate.State.onTime),
            // The late end, 532.5 s on, falls after t + 60 s.
            (-450.0, .atRisk),
            // The median falls after t + 60 s.
            (-300.0, .late),
        ]
    )
    func `derives the state from the band and the end of the grace`(second: Double, state: ArrivalEstimate.State) {
        let world = Self.world(from: 4_600, mps: 10, since: second - 100, until: second)
        #expect(Self.estimate(world, at: second)?.state == state)
    }

    @Test(
        .proves("7.2"),
        arguments: [
            (500.0, 0.0, ArrivalEstimate.State.approaching), (501, 0, .unknown), (1_500, 12, .approaching),
        ]
    )
    func `a participant within 500 m or 3 min is approaching`(
        metres: Double,
        mps: Double,
        state: ArrivalEstimate.State
    ) {
        let world = Self.world(from: metres + mps * 20, mps: mps, since: -1_200, until: -1_180)
        #expect(Self.estimate(world, at: -1_180)?.state == state)
    }

    @Test(.proves("7.3")) func `the remaining time decreases with the clock during silence`() {
        let world = Self.world(from: 5_000, mps: 10, since: -1_800, until: -1_750)
        #expect(Self.estimate(world, at: -1_750)?.state == .onTime)
        let median = Self.estimate(world, at: -1_750)?.band?.medianAt
        #expect(Self.estimate(world, at: -1_395)?.band?.medianAt == median)
        #expect(Self.estimate(world, at: -1_395)?.state == .approaching)
    }

    @Test(.proves("7.2")) func `a participant who has arrived has no estimate`() {
        var world = Self.world(from: 3_000, mps: 10, since: -600, until: -500)
        world.arrive(1, at: -400)
        #expect(world.machine.view(at: Self.at(-390)).members[0].estimate?.state == .arrived)
    }

    @Test func `a participant who has paused has no estimate`() {
        var world = Self.world(from: 3_000, mps: 10, since: -600, until: -500)
        world.send(.setSharing(.user(2), on: false), at: Self.at(-499))
        #expect(Self.estimate(world, at: -499) == nil)
    }

    // MARK: - Telling

    static func told(by world: SessionWorld) -> [ArrivalEstimate] {
        world.told.compactMap { event in
            if case .estimate(.user(2), let estimate) = event { estimate } else { nil }
        }
    }

    @Test(.proves("7.3")) func `announces a steady approach once`() {
        let world = Self.world(from: 8_000, mps: 10, since: -1_800, until: -1_700)
        #expect(Self.told(by: world).map(\.state) == [.onTime])
    }

    @Test(.proves("7.3")) func `announces each change of state, at most every 15 s`() {
        var world = Self.world(from: 8_000, mps: 10, since: -1_800, until: -1_700)
        // Standing still: the slope decays within two minutes, with repeated announcements.
        let standing = stride(from: -1_695.0, through: -1_500, by: 5).map { ($0, 7_000.0) }
        world.walk(2, standing, first: 100)
        let states = Self.told(by: world).map(\.state)
        #expect(states.first == .onTime)
        #expect(states.last == .unknown)
        #expect(states.count <= 1 + 300 / 15)
    }

    @Test(.proves("7.3")) func `announces a delayed estimate with the next report`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(-1_785, 60), (-1_780, 10), (-1_775, 10)])
        #expect(world.entry(2)?.arrival.stage == .provisional)
        world.walk(2, [(-1_770.001, 10)], first: 10)
        #expect(Self.told(by: world).map(\.state) == [.approaching])
        world.walk(2, [(-1_770, 10)], first: 11)
        #expect(Self.told(by: world).map(\.state) == [.approaching, .arrived])
    }

    @Test func `announces a delayed estimate by the clock without a report`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(-1_785, 60), (-1_780, 10), (-1_775, 10)])
        world.run(to: Self.at(-1_770))
        #expect(Self.told(by: world).map(\.state) == [.approaching])
        // The next report was due within 5 s, and is missed 10 s after that.
        world.run(to: Self.at(-1_759))
        #expect(Self.told(by: world).map(\.state) == [.approaching, .arrived])
    }

    @Test(
        .proves("7.3"),
        arguments: [
            // Metres at t−1800 s, at 10 m/s until t−1750 s; how fresh they are when three minutes are left.
            (2_200.0, Freshness.lagging), (2_900, .stale), (10_000, .lost),
        ]
    )
    func `a silent participant is announced as near at the estimated time`(
        metres: Double,
        freshness: Freshness
    ) throws {
        var world = Self.world(from: metres, mps: 10, since: -1_800, until: -1_750)
        let median = try #require(Self.estimate(world, at: -1_750)?.band?.medianAt)
        let near = median - .minutes(3)
        world.run(to: near - .milliseconds(1))
        #expect(Self.told(by: world).map(\.state) == [.onTime])
        world.run(to: near)
        #expect(Self.told(by: world).map(\.state) == [.onTime, .approaching])
        #expect(world.machine.view(at: near).members[1].presence?.freshness == freshness)
    }

    @Test(.proves("7.3"))
    func `announces an approach 15 s after the previous notice`() throws {
        var world = SessionWorld(accepted: 2)
        // The last fix shortens the distance too soon to be announced; the missing next fix announces it.
        world.walk(2, [(-1_760, 2_400), (-1_755, 2_350), (-1_750, 2_270)])
        var instants: [Instant] = []
        for millisecond in stride(from: -1_750_000 as Int64, through: -1_600_000, by: 100) {
            world.run(to: .meeting + .milliseconds(millisecond))
            while instants.count < Self.told(by: world).count { instants.append(.meeting + .milliseconds(millisecond)) }
        }
        #expect(Self.told(by: world).map(\.state) == [.onTime, .onTime, .approaching])
        let median = try #require(Self.told(by: world).last?.band?.medianAt)
        #expect(median - .minutes(3) - instants[1] < .seconds(15), "the case is not the one to be tested")
        #expect(abs((instants[2] - instants[1] - .seconds(15)).milliseconds) <= 100)
    }

    @Test func `removes the estimate with the position`() {
        var world = Self.world(from: 3_000, mps: 10, since: -600, until: -500)
        #expect(world.takePositions(at: Self.at(-500)).first?.estimate?.band != nil)
    }
}
