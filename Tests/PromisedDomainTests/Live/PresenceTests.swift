import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The freshness of participants, its events and its causes (domain §5).
@Suite struct PresenceTests {
    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    /// Two friends in an open window; 2 has reported once at t+0.
    static func world() -> SessionWorld {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 3_000)])
        return world
    }

    /// When the next report of user 2 is due.
    static func due(_ world: SessionWorld) -> Instant {
        at(0) + world.machine.slot.untilNext(after: at(0))
    }

    static func presence(_ user: UInt64, in world: SessionWorld, at now: Instant) -> Presence? {
        world.machine.view(at: now).members.first { $0.participant.userID == .user(user) }?.presence
    }

    static func told(_ user: UInt64, by world: SessionWorld) -> [Freshness] {
        world.told.flatMap { event -> [Freshness] in
            guard case .presence(let presences) = event else { return [] }
            return presences.filter { $0.userID == .user(user) }.map(\.freshness)
        }
    }

    @Test(
        .proves("5.15"),
        arguments: [
            (10_000, Freshness.live), (10_001, .lagging), (40_000, .lagging), (40_001, .stale), (300_000, .stale),
            (300_001, .lost),
        ]
    )
    func `measures freshness from the due time of the next report`(overdue: Int, freshness: Freshness) {
        let world = Self.world()
        let now = Self.due(world) + .milliseconds(Int64(overdue))
        #expect(Self.presence(2, in: world, at: now)?.freshness == freshness)
    }

    @Test(.proves("5.15")) func `a participant without any report is lost`() {
        #expect(Self.presence(1, in: Self.world(), at: Self.at(0))?.freshness == .lost)
    }

    @Test func `announces each change once, by the clock alone`() {
        var world = Self.world()
        world.run(to: Self.at(600))
        #expect(Self.told(2, by: world) == [.live, .lagging, .stale, .lost])
        world.walk(2, [(601, 2_900)], first: 2)
        #expect(Self.told(2, by: world) == [.live, .lagging, .stale, .lost, .live])
    }

    @Test(arguments: [0, 2, 5_000])
    func `a silent participant is announced although another reports before the wake`(milliseconds: Int) throws {
        var world = Self.world()
        let asked = try #require(world.wakeAt)
        #expect(asked == Self.due(world) + .milliseconds(10_001))
        let reported = asked + .milliseconds(Int64(milliseconds))
        let fix = PhoneClock().wallFix(seq: 1, at: reported, metres: 800)
        let report = Report(device: DeviceKey(deviceID: "other"), fixes: [fix])
        world.sendUnwoken(.report(from: .user(1), report), at: reported)
        world.wakeOrPutOff(at: reported + .milliseconds(1))
        #expect(Self.told(2, by: world) == [.live, .lagging])
    }

    @Test func `announces nothing while reports are in time`() {
        var world = Self.world()
        world.walk(2, (1...20).map { (Double($0) * 5, 3_000) }, first: 2)
        #expect(Self.told(2, by: world) == [.live])
    }

    @Test func `a device told to stop has no presence`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        world.run(to: Self.at(215))
        #expect(world.entry(2)?.arrival.stage == .confirmed)
        #expect(Self.presence(2, in: world, at: Self.at(215)) == nil)
        #expect(Self.presence(1, in: world, at: Self.at(215)) != nil)
    }

    @Test func `has no presence outside the window`() {
        let world = Self.world()
        #expect(Self.presence(2, in: world, at: world.machine.promise.opensAt - .milliseconds(1)) == nil)
        #expect(Self.presence(2, in: world, at: world.machine.promise.closesAt) == nil)
    }

    @Test(.proves("5.16")) func `announces a pause with its cause`() {
        var world = Self.world()
        world.send(.setSharing(.user(2), on: false), at: Self.at(5))
        #expect(Self.presence(2, in: world, at: Self.at(5))?.cause == .paused)
        #expect(Self.presence(2, in: world, at: Self.at(5))?.freshness == .lost)
        world.send(.setSharing(.user(2), on: true), at: Self.at(6))
        #expect(Self.presence(2, in: world, at: Self.at(6))?.cause == PresenceCause.none)
    }

    @Test(.proves("5.16"), arguments: [PresenceCause.noFix, .permission])
    func `shows trouble until the next position`(cause: PresenceCause) {
        var world = Self.world()
        world.send(.trouble(.user(2), cause), at: Self.at(5))
        #expect(Self.presence(2, in: world, at: Self.at(5))?.cause == cause)
        world.walk(2, [(10, 2_990)], first: 2)
        #expect(Self.presence(2, in: world, at: Self.at(10))?.cause == PresenceCause.none)
    }

    @Test(.proves("5.16")) func `shows a low battery until the participant reports its end`() {
        var world = Self.world()
        world.send(.trouble(.user(2), .lowBattery), at: Self.at(5))
        world.walk(2, [(10, 2_990)], first: 2)
        #expect(Self.presence(2, in: world, at: Self.at(10))?.cause == .lowBattery)
        world.send(.trouble(.user(2), .none), at: Self.at(11))
        #expect(Self.presence(2, in: world, at: Self.at(11))?.cause == PresenceCause.none)
    }

    @Test(.proves("5.16")) func `without a connection an old position is offline, a fresh one live`() {
        var world = Self.world()
        world.send(.connection(.user(2), isOnline: false), at: Self.at(1))
        #expect(Self.presence(2, in: world, at: Self.at(1))?.cause == PresenceCause.none)
        let late = Self.due(world) + .seconds(11)
        #expect(Self.presence(2, in: world, at: late)?.cause == .offline)
        world.send(.connection(.user(2), isOnline: true), at: late)
        #expect(Self.presence(2, in: world, at: late)?.cause == PresenceCause.none)
    }

    @Test(arguments: [
        (UInt64(9), 0.0, Refusal.promiseNotFound), (3, 0, .positionNotAccepted), (2, -1_801, .positionOutsideWindow),
        (2, 10_800, .positionOutsideWindow),
    ])
    func `accepts trouble from participants while tracking`(user: UInt64, second: Double, refusal: Refusal) {
        var world = SessionWorld(participants: [.accepted(.user(1)), .accepted(.user(2)), .invited(.user(3))])
        #expect(world.send(.trouble(.user(user), .noFix), at: Self.at(second))?.refusal == refusal)
    }
}
