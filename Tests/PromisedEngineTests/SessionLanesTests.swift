import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedEngine

/// The thread of a session, and the slots of its members.
@Suite(.timeLimit(.minutes(1))) struct SessionLanesTests {
    @Test(arguments: 1...8) func `spreads sessions of one slot over all threads`(count: Int) {
        let executors = (0..<count).map { _ in QueueExecutor() }
        let lanes = SessionLanes(delay: .milliseconds(250), executors: executors)
        var generator = SeededGenerator(seed: 11)
        var shares: [TimeSpan: [ObjectIdentifier: Int]] = [:]
        for _ in 0..<40_000 {
            let id = PromiseID(at: .meeting, using: &generator)
            let slot = ReportingSlot(of: id, interval: .seconds(5), on: .finest)
            shares[slot.offset, default: [:]][ObjectIdentifier(lanes.lane(of: id, hasHeavyUser: false)), default: 0] +=
                1
        }
        #expect(shares.count == Int(ReportingGrid.finest.slots))
        for share in shares.values {
            let sessions = share.values.reduce(0, +)
            #expect(share.count == count)
            #expect(share.values.allSatisfy { $0 * count * 2 > sessions }, "each has at least half of its part")
        }
    }

    /// Twenty promises of user 1, each with a different user.
    private static let promises = (1...20 as ClosedRange<UInt64>).map { Promise.sample(number: $0) }

    private static func archive() -> MemoryArchive {
        let archive = MemoryArchive()
        for promise in promises {
            let people: [Participant] = [.accepted(.user(1)), .accepted(.user(100 + promise.id.low))]
            archive.insert(SessionSnapshot(promise: promise, participants: people))
        }
        return archive
    }

    @Test func `counts sessions that are being restored for heavy users`() async throws {
        let executors = (ordinary: QueueExecutor(), heavyUsers: QueueExecutor())
        let world = await EngineWorld(
            Self.archive(),
            executors: [executors.ordinary],
            heavyUsers: executors.heavyUsers,
            at: .meeting
        )
        await world.engine.registry.restore(Self.promises.map(\.id))
        let sessions = await world.engine.registry.sessions(of: .user(1))
        #expect(sessions.count == 20)
        #expect(sessions.count { $0.executor === executors.heavyUsers } == 4)
    }

    @Test func `runs the sessions of a user in more than sixteen apart, with the same results`() async throws {
        let executors = (ordinary: QueueExecutor(), heavyUsers: QueueExecutor())
        let promises = Self.promises
        let world = await EngineWorld(
            Self.archive(),
            executors: [executors.ordinary],
            heavyUsers: executors.heavyUsers,
            at: .meeting
        )
        let registry = world.engine.registry
        var apart: [Bool] = []
        for promise in promises {
            let session = try await registry.session(of: promise.id)
            apart.append(session.executor === executors.heavyUsers)
            let subscriber = SubscriberID(rawValue: promise.id.low)
            try await session.subscribe(subscriber, of: .user(1)) { _ in }
        }
        #expect(apart == promises.indices.map { $0 >= 16 })
        let count = await registry.fold(Self.report, toAllOf: .user(1), upTo: 64, into: 0) { count, answer in
            if case .success(.reported) = answer { count += 1 }
        }
        #expect(count == 20)
        try await world.running {
            _ = await world.announcer.wait { deliveries in
                Set(deliveries.filter { $0.positions != nil }.map(\.promiseID)).count == 20
            }
        }
    }

    private static let report = SessionEvent.report(
        from: .user(1),
        Report(device: DeviceKey(deviceID: "d1"), fixes: [.sample(seq: 1, metres: 900)])
    )

    /// A session of users 1 and 2 in the first of four slots, which is the second of eight, and 128 others that start
    /// on request.
    private func heavyUsers() async throws -> (world: EngineWorld, session: PromiseSession, others: [PromiseID]) {
        let archive = MemoryArchive()
        let own = Promise.sample(number: 1 << 59)
        archive.insert(SessionSnapshot(promise: own, participants: [.accepted(.user(1)), .accepted(.user(2))]))
        let others = (1...128).map { Promise.sample(number: $0, meetsAt: .meeting + .days(3)) }
        for promise in others {
            archive.insert(SessionSnapshot(promise: promise, participants: [.accepted(.user(1))]))
        }
        let world = await EngineWorld(archive, at: .meeting - .minutes(10))
        return (world, try await world.engine.registry.session(of: own.id), others.map(\.id))
    }

    @Test func `more live sessions share more slots`() async throws {
        let (world, session, others) = try await heavyUsers()
        let registry = world.engine.registry
        let asked = Signals<TimeSpan?>()
        try await session.subscribe(SubscriberID(rawValue: 1), of: .user(1)) { asked.note($0.nextReport) }

        for id in others { _ = try await registry.session(of: id) }
        try await session.report(seq: 1, metres: 900)
        try await session.subscribe(SubscriberID(rawValue: 2), of: .user(1)) { asked.note($0.nextReport) }
        world.clock.advance(by: .minutes(1))
        await registry.retireIdle()
        try await session.report(seq: 2, metres: 895)

        #expect(await registry.count == 1)
        #expect(asked.all == [.seconds(5), .milliseconds(625)])
        let told = world.announcer.deliveries.compactMap(\.nextReport)
        #expect(told == [.milliseconds(625), .seconds(5)])
    }

    @Test func `a session restarted after a failure uses the current slots`() async throws {
        let (world, session, others) = try await heavyUsers()
        for id in others { _ = try await world.engine.registry.session(of: id) }
        world.archive.failNextCommits(1)
        await #expect(throws: EngineError.unavailable) { _ = try await session.perform(.leave(.user(2))) }
        let reply = try await session.report(seq: 1, metres: 900)
        #expect(reply == .reported(ReportReceipt(taken: [1], nextReport: .milliseconds(625))))
    }
}

extension PromiseSession {
    /// User 1 reports.
    @discardableResult
    fileprivate func report(seq: UInt32, metres: Double) async throws -> SessionReply {
        let report = Report(device: DeviceKey(deviceID: "d1"), fixes: [.sample(seq: seq, metres: metres)])
        return try await perform(.report(from: .user(1), report))
    }
}

extension RecordingAnnouncer.Delivery {
    /// The time of the next requested report, if it is a collection.
    fileprivate var nextReport: TimeSpan? {
        if case .positions(_, let next) = announcement { next } else { nil }
    }
}
