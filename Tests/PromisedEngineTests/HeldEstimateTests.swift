import PromisedDomain
import PromisedEngine
import PromisedTestSupport
import Testing

/// Estimates are sent with the positions they derive from.
@Suite(.timeLimit(.minutes(1)))
struct HeldEstimateTests {
    /// Two participants who are both expected to report, on the way.
    private func meetup() async throws -> (world: EngineWorld, session: PromiseSession) {
        let world = await EngineWorld(people: 2, at: .meeting - .minutes(10))
        let session = try await world.session()
        for number in UInt64(1)...2 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        return (world, session)
    }

    @Test func `sends estimates with the positions of the slot, before them`() async throws {
        let (world, _) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        #expect(world.announcer.deliveries.told.isEmpty)
        try await world.report(2, seq: 1, metres: 450)
        #expect(world.announcer.deliveries.told == [.estimate(.user(1)), .estimate(.user(2)), .positions])
        #expect(world.announcer.deliveries.filter { $0.told != nil }.allSatisfy { $0.company == 3 })
    }

    @Test func `sends a single estimate with the collection`() async throws {
        let (world, _) = try await meetup()
        try await world.running {
            try await world.report(1, seq: 1, metres: 400)
            let sent = await world.announcer.wait { $0.told.contains(.positions) }
            #expect(sent.told == [.estimate(.user(1)), .positions])
        }
    }

    @Test func `sends other announcements after the earlier estimates`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        _ = try await session.perform(.setStatus(.user(2), text: "Train is late", emoji: nil))
        #expect(world.announcer.deliveries.told == [.estimate(.user(1)), .status])
        try await world.report(2, seq: 1, metres: 450)
        #expect(world.announcer.deliveries.told.suffix(2) == [.estimate(.user(2)), .positions])
    }

    @Test func `sends a durable event after the pending estimates`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        _ = try await session.perform(.leave(.user(2)))
        #expect(world.announcer.deliveries.told == [.estimate(.user(1)), .event])
    }

    @Test func `drops the pending estimate of a participant who pauses`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        _ = try await session.perform(.setSharing(.user(1), on: false))
        try await world.report(2, seq: 1, metres: 450)
        #expect(!world.announcer.deliveries.told.contains(.estimate(.user(1))))
        #expect(world.announcer.deliveries.told.contains(.estimate(.user(2))))
        // It was never announced, so it is announced when they share again.
        _ = try await session.perform(.setSharing(.user(1), on: true))
        world.clock.advance(by: .seconds(20))
        try await world.report(1, seq: 2, metres: 400)
        try await world.report(2, seq: 2, metres: 450)
        #expect(world.announcer.deliveries.told.contains(.estimate(.user(1))))
    }

    @Test func `sends no estimate after the window`() async throws {
        let (world, _) = try await meetup()
        let closing = world.promise.closesAt
        world.clock.advance(to: closing - .milliseconds(100))
        try await world.report(1, seq: 1, metres: 400)
        world.clock.advance(to: closing)
        try await world.running { _ = await world.announcer.wait { $0.events.contains(.trackingEnded) } }
        #expect(!world.announcer.deliveries.told.contains(.estimate(.user(1))))
    }

    @Test func `applies a new block to a pending estimate`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        world.archive.setBlocks([UserPair(.user(1), .user(2))])
        try await session.refreshBlocks()
        try await world.report(2, seq: 1, metres: 450)
        let estimates = world.announcer.deliveries.filter { $0.told == .estimate(.user(1)) }
        #expect(estimates.map(\.subscribers) == [[SubscriberID(rawValue: 1)]])
    }

    @Test func `measures the interval between estimates from the sent one`() async throws {
        let (world, session) = try await meetup()
        let start = world.clock.now
        try await world.report(1, seq: 1, metres: 400)
        world.clock.advance(by: .milliseconds(200))
        _ = try await session.perform(.setStatus(.user(2), text: "Train is late", emoji: nil))
        // Near, then far: another state.
        world.clock.advance(to: start + .milliseconds(15_100))
        try await world.report(1, seq: 2, metres: 510)
        try await world.report(2, seq: 1, metres: 900)
        #expect(world.announcer.deliveries.told.count { $0 == .estimate(.user(1)) } == 1)
        world.clock.advance(to: start + .milliseconds(15_200))
        try await world.report(1, seq: 3, metres: 515)
        try await world.report(2, seq: 2, metres: 900)
        #expect(world.announcer.deliveries.told.count { $0 == .estimate(.user(1)) } == 2)
    }

    @Test func `detects arrivals again after a failed write and announces them once`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        world.archive.failNextCommits(1)
        await #expect(throws: EngineError.unavailable) { _ = try await session.perform(.leave(.user(2))) }
        try await world.running {
            world.clock.advance(by: .seconds(5))
            try await world.report(1, seq: 2, metres: 395)
            let sent = await world.announcer.wait { $0.told.contains(.positions) }
            #expect(sent.told.count { $0 == .estimate(.user(1)) } == 1)
        }
    }

    @Test func `a new subscriber gets a pending estimate only in the snapshot`() async throws {
        let (world, session) = try await meetup()
        try await world.report(1, seq: 1, metres: 400)
        try await session.subscribe(SubscriberID(rawValue: 3), of: .user(2)) { _ in }
        let estimates = world.announcer.deliveries.filter { $0.told == .estimate(.user(1)) }
        #expect(estimates.flatMap(\.subscribers).map(\.rawValue).sorted() == [1, 2])
    }

    @Test func `stores no announcements without subscribers`() async throws {
        let world = await EngineWorld(people: 2, at: .meeting - .minutes(10))
        try await world.report(1, seq: 1, metres: 400)
        try await world.session().subscribe(SubscriberID(rawValue: 2), of: .user(2)) { _ in }
        try await world.running {
            try await world.report(1, seq: 2, metres: 395)
            let sent = await world.announcer.wait { $0.told.contains(.positions) }
            #expect(sent.told == [.positions])
        }
    }
}

/// The kinds of deliveries that matter here.
private enum Told: Equatable {
    case estimate(UserID)
    case positions
    case status
    case event
}

extension RecordingAnnouncer.Delivery {
    /// The kind, if it is relevant here: presence and pace are not.
    fileprivate var told: Told? {
        switch announcement {
        case .positions: .positions
        case .event: .event
        case .passing(.estimate(let userID, _)): .estimate(userID)
        case .passing(.status): .status
        default: nil
        }
    }
}

extension [RecordingAnnouncer.Delivery] {
    fileprivate var told: [Told] { compactMap(\.told) }
}
