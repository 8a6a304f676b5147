import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite("A session", .timeLimit(.minutes(1)))
struct PromiseSessionTests {
    private static let start = Instant.meeting - .minutes(10)

    @Test(.proves("9.6")) func `announces an event only after it is durable`() async throws {
        let world = await EngineWorld(at: .meeting - .hours(1))
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 1), of: .user(1)) { _ in }
        world.archive.closeGate()
        async let left = session.perform(.leave(.user(2)))
        while await session.issuedCommits == 0, !Task.isCancelled { await Task.yield() }
        #expect(world.announcer.deliveries.isEmpty)
        world.archive.openGate()
        _ = try await left
        #expect(world.announcer.deliveries.events == [.left(.user(2))])
    }

    @Test func `a live session drops its deleted course`() async throws {
        let archive = MemoryArchive()
        var snapshot = SessionSnapshot.sample()
        let course = CourseID(high: 7, low: 1)
        snapshot.promise.courseID = course
        archive.insert(snapshot)
        let world = await EngineWorld(archive, at: .meeting - .hours(1))
        let session = try await world.session()
        let others = [world.promise.id: CourseID(high: 7, low: 2), PromiseID(high: 9, low: 9): course]
        await world.engine.registry.forget(others)
        #expect(try await session.view().promise.courseID == course)
        await world.engine.registry.forget([world.promise.id: course])
        #expect(try await session.view().promise.courseID == nil)
    }

    @Test func `changes during a commit share the next one in order`() async throws {
        let world = await EngineWorld(people: 10, at: .meeting - .hours(1))
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 1), of: .user(1)) { _ in }
        world.archive.closeGate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt64(2)...10 {
                group.addTask { _ = try await session.perform(.leave(.user(number))) }
            }
            while await session.issuedCommits < 9, !Task.isCancelled { await Task.yield() }
            world.archive.openGate()
            try await group.waitForAll()
        }
        #expect(world.archive.commitCount == 2)
        #expect(world.announcer.deliveries.compactMap(\.event?.seq) == Array(1...9))
        #expect(world.archive.events(of: world.promise.id).map(\.seq) == Array(1...9))
    }

    @Test(.proves("9.6")) func `a failed commit fails all its requests and leaves no trace`() async throws {
        let world = await EngineWorld(at: .meeting - .hours(1))
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 1), of: .user(1)) { _ in }
        world.archive.failNextCommits(1)
        await #expect(throws: EngineError.unavailable) { _ = try await session.perform(.leave(.user(2))) }
        #expect(world.announcer.deliveries.isEmpty)
        let view = try await session.view()
        #expect(view.members.map(\.participant.membership) == [.accepted, .accepted, .accepted])
        _ = try await session.perform(.leave(.user(2)))
        #expect(world.announcer.deliveries.events == [.left(.user(2))])
        #expect(world.archive.events(of: world.promise.id).map(\.seq) == [1])
    }

    @Test func `fails all requests that share a failed commit`() async throws {
        let world = await EngineWorld(people: 6, at: .meeting - .hours(1))
        let session = try await world.session()
        world.archive.closeGate()
        world.archive.failNextCommits(1)
        let refused = await withTaskGroup { group in
            for number in UInt64(2)...6 {
                group.addTask {
                    do throws(EngineError) {
                        _ = try await session.perform(.leave(.user(number)))
                        return false
                    } catch {
                        return error == .unavailable
                    }
                }
            }
            while await session.issuedCommits < 5, !Task.isCancelled { await Task.yield() }
            world.archive.openGate()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 5)
        #expect(try await session.view().lastSeq == 0)
    }

    @Test(.proves("subscribe")) func `sends the reply to subscribe before later events`() async throws {
        let world = await EngineWorld(at: .meeting - .hours(1))
        let session = try await world.session()
        _ = try await session.perform(.leave(.user(3)))
        let seen = Recorder<Int>()
        try await session.subscribe(SubscriberID(rawValue: 7), of: .user(2)) { subscription in
            seen.append(subscription.view.lastSeq)
        }
        _ = try await session.perform(.leave(.user(2)))
        #expect(seen.values == [1])
        #expect(world.announcer.deliveries.compactMap(\.event?.seq) == [2])
        // User 2 left with that event and receives no more events.
        _ = try await session.perform(.cancel(by: .user(1), reason: ""))
        #expect(world.announcer.deliveries.count == 1)
    }

    @Test(.proves("5.19"), arguments: [(UInt64(9), Refusal.promiseNotFound), (UInt64(4), Refusal.promiseNotAccepted)])
    func `accepts only accepted participants as subscribers`(user: UInt64, refusal: Refusal) async throws {
        let archive = MemoryArchive()
        archive.insert(
            SessionSnapshot(promise: .sample(), participants: [.accepted(.user(1)), .invited(.user(4))])
        )
        let world = await EngineWorld(archive, at: .meeting - .hours(1))
        let session = try await world.session()
        await #expect(throws: EngineError.refused(refusal)) {
            try await session.subscribe(SubscriberID(rawValue: 1), of: .user(user)) { _ in }
        }
    }

    @Test(.proves("9.3", "positions"))
    func `collects close positions into one message to all accepted participants`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        for number in UInt64(1)...3 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        try await world.report(1, seq: 1, metres: 900)
        try await world.report(2, seq: 1, metres: 800)
        try await world.report(1, seq: 2, metres: 890)
        try await world.running {
            let deliveries = await world.announcer.wait { $0.contains { $0.positions != nil } }
            let collections = deliveries.filter { $0.positions != nil }
            #expect(collections.count == 1)
            #expect(collections.first?.positions?.map(\.userID) == [.user(1), .user(2)])
            #expect(collections.first?.positions?.map(\.seq) == [2, 1])
            #expect(collections.first?.subscribers.count == 3)
        }
    }

    @Test func `sends a complete collection at once`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        for number in UInt64(1)...2 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        try await world.report(1, seq: 1, metres: 900)
        #expect(world.announcer.deliveries.compactMap(\.positions).isEmpty)
        try await world.report(2, seq: 1, metres: 800)
        #expect(world.announcer.deliveries.compactMap(\.positions).map { $0.map(\.userID) } == [[.user(1), .user(2)]])
    }

    @Test func `sends the next collection on time after a complete one`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        for number in UInt64(1)...2 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        try await world.running {
            for seq in UInt32(1)...20 {
                try await world.report(1, seq: 2 * seq, metres: 900)
                try await world.report(2, seq: seq, metres: 800)
                // The others do not report: only the end of the collection sends it.
                try await world.report(1, seq: 2 * seq + 1, metres: 900)
                let sent = await world.announcer.wait { $0.seqs(of: .user(1)).contains(2 * seq + 1) }
                #expect(sent.seqs(of: .user(1)).suffix(2) == [2 * seq, 2 * seq + 1])
                world.clock.advance(by: .seconds(5))
            }
        }
    }

    @Test(.proves("5.19")) func `sends no events to a participant who left`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        for number in UInt64(1)...2 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        _ = try await session.perform(.leave(.user(2)))
        try await world.report(1, seq: 1, metres: 900)
        try await world.running {
            let deliveries = await world.announcer.wait { $0.contains { $0.positions != nil } }
            let after = deliveries.drop { $0.event?.event != .left(.user(2)) }.dropFirst()
            #expect(!after.isEmpty)
            #expect(after.allSatisfy { $0.subscribers == [SubscriberID(rawValue: 1)] })
        }
    }

    @Test func `notifies all devices of a participant who leaves during another commit of both`() async throws {
        let world = await EngineWorld(at: .meeting - .hours(1))
        let session = try await world.session()
        let devices = [SubscriberID(rawValue: 21), SubscriberID(rawValue: 22)]
        for device in devices { try await session.subscribe(device, of: .user(2)) { _ in } }
        world.archive.closeGate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (count, number) in [UInt64(3), 2].enumerated() {
                group.addTask { _ = try await session.perform(.leave(.user(number))) }
                while await session.issuedCommits <= count, !Task.isCancelled { await Task.yield() }
            }
            world.archive.openGate()
            try await group.waitForAll()
        }
        let deliveries = world.announcer.deliveries
        #expect(deliveries.events == [.left(.user(3)), .left(.user(2))])
        #expect(deliveries.allSatisfy { $0.subscribers == devices })
    }

    @Test(.proves("9.6")) func `stores an arrival together with its fixes`() async throws {
        let world = await EngineWorld(at: Self.start)
        for (seq, metres) in [70.0, 45, 35, 28, 22].enumerated() {
            try await world.report(2, seq: UInt32(seq + 1), metres: metres)
            world.clock.advance(by: .seconds(5))
        }
        let kept = try #require(world.archive.snapshot(of: world.promise.id))
        #expect(kept.arrivals.keys.contains(.user(2)))
        let machine = SessionMachine(restoring: kept)
        #expect(machine.view(at: world.clock.now).members[1].arrival?.arrival == kept.arrivals[.user(2)])
    }
}

extension [RecordingAnnouncer.Delivery] {
    /// The numbers of the positions of one participant, in order.
    fileprivate func seqs(of userID: UserID) -> [UInt32] {
        compactMap { $0.positions?.first { $0.userID == userID }?.seq }
    }
}
