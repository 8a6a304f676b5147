import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// A block hides two users from each other, as decided at each delivery (domain §3).
@Suite(.timeLimit(.minutes(1)))
struct BlockTests {
    private static let start = Instant.meeting - .minutes(10)
    private static let pair = UserPair(.user(1), .user(2))

    /// Three users, subscribed under their own numbers; 1 and 2 must not see each other.
    private static func world() async throws -> (EngineWorld, PromiseSession) {
        let world = await EngineWorld(at: start)
        world.archive.setBlocks([pair])
        let session = try await world.session()
        for number in UInt64(1)...3 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        return (world, session)
    }

    /// The users whose positions each subscriber received.
    private static func seen(_ deliveries: [RecordingAnnouncer.Delivery]) -> [UInt64: Set<UserID>] {
        var seen: [UInt64: Set<UserID>] = [:]
        for delivery in deliveries {
            for subscriber in delivery.subscribers {
                seen[subscriber.rawValue, default: []].formUnion((delivery.positions ?? []).map(\.userID))
            }
        }
        return seen
    }

    @Test(.proves("3.7"), .defends("positions-across-blocks"))
    func `sends positions to all users except those separated by a block`() async throws {
        let (world, _) = try await Self.world()
        for number in UInt64(1)...3 { try await world.report(number, seq: 1, metres: 900) }
        try await world.running {
            let deliveries = await world.announcer.wait { Self.seen($0).values.count { $0.count > 1 } == 3 }
            #expect(
                Self.seen(deliveries) == [
                    1: [.user(1), .user(3)], 2: [.user(2), .user(3)], 3: [.user(1), .user(2), .user(3)],
                ]
            )
        }
    }

    @Test func `applies a block created while a session is being restored`() async throws {
        let world = await EngineWorld(at: Self.start)
        // Overdue work is written before the session is used.
        world.archive.closeGate()
        async let restored = world.session()
        while world.archive.activationCount == 0, !Task.isCancelled { await Task.yield() }
        world.archive.setBlocks([Self.pair])
        async let refreshed: Void = world.engine.registry.refreshBlocks(between: .user(1), and: .user(2))
        for _ in 0..<200 { await Task.yield() }
        world.archive.openGate()
        await refreshed
        let session = try await restored
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(2)])
        #expect(try await session.view(for: .user(2)).standing?.hidden == [.user(1)])
    }

    @Test(.proves("3.7"))
    func `a stale read of blocks does not replace a newer block`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        world.archive.holdNextBlocks()
        async let early: Void = session.refreshBlocks()
        while world.archive.heldLooks == 0, !Task.isCancelled { await Task.yield() }
        world.archive.setBlocks([Self.pair])
        try await session.refreshBlocks()
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(2)])
        world.archive.openGate()
        try await early
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(2)])
    }

    @Test(.proves("3.7"), arguments: [false, true])
    func `applies a block created or removed after the end to every view`(isLifted: Bool) async throws {
        let world = await EngineWorld(at: Self.start)
        world.archive.setBlocks(isLifted ? [Self.pair] : [])
        let session = try await world.session()
        _ = try await session.perform(.setStatus(.user(2), text: "Soon", emoji: nil))
        world.clock.advance(to: world.promise.settlesAt)
        _ = try await session.perform(.wake)
        #expect(try await session.view(for: .user(1)).status == .final)
        world.archive.setBlocks(isLifted ? [] : [Self.pair])
        await world.engine.registry.refreshBlocks(between: .user(1), and: .user(2))
        let view = try await session.view(for: .user(1))
        let status = view.members.first { $0.participant.userID == .user(2) }?.participant.statusText
        #expect(status == (isLifted ? "Soon" : ""))
        #expect(await world.engine.registry.sessions(of: .user(1)).isEmpty)
    }

    @Test(.proves("3.7")) func `a read of blocks while a participant is being added includes theirs`() async throws {
        let world = await EngineWorld(at: Self.start)
        let pair = UserPair(.user(1), .user(9))
        world.archive.setBlocks([pair])
        let session = try await world.session()
        world.archive.holdNextBlocks()
        async let joined = session.admit([.user(9)], by: .join(.user(9)))
        while world.archive.heldLooks == 0, !Task.isCancelled { await Task.yield() }
        try await session.refreshBlocks()
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(9)])
        world.archive.openGate()
        _ = try await joined
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(9)])
    }

    @Test(.proves("3.7")) func `blocks also hide status and nudges, not arrivals`() async throws {
        let (world, session) = try await Self.world()
        _ = try await session.perform(.setStatus(.user(2), text: "Soon", emoji: nil))
        _ = try await session.perform(.nudge(from: .user(2), to: .user(1)))
        var (statuses, nudges) = (Set<UInt64>(), Set<UInt64>())
        for delivery in world.announcer.deliveries {
            switch delivery.passing {
            case .status: statuses.formUnion(delivery.subscribers.map(\.rawValue))
            case .nudged: nudges.formUnion(delivery.subscribers.map(\.rawValue))
            default: break
            }
        }
        #expect(statuses == [2, 3])
        #expect(nudges == [3])
        _ = try await session.perform(.leave(.user(3)))
        #expect(world.announcer.deliveries.last { $0.event != nil }?.subscribers.count == 3)
    }

    @Test func `applies a block created or removed during the session at once`() async throws {
        let (world, session) = try await Self.world()
        #expect(try await session.view(for: .user(1)).standing?.hidden == [.user(2)])
        world.archive.setBlocks([])
        try await session.refreshBlocks()
        #expect(try await session.view(for: .user(1)).standing?.hidden == [])
    }

    @Test func `loads the blocks of a new participant before the first position`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        world.archive.setBlocks([UserPair(.user(1), .user(9))])
        try await session.admit([.user(9)], by: .join(.user(9)))
        #expect(try await session.view(for: .user(9)).standing?.hidden == [.user(1)])
    }
}
