import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite("The scheduler", .timeLimit(.minutes(1)))
struct SchedulerTests {
    private static let clockEvents: [PromiseEvent] = [
        .trackingStarted, .meetingTime, .late([.user(1), .user(2), .user(3)]), .trackingEnded, .resultFinal,
    ]

    @Test(.proves("9.2"))
    func `activates a session a minute before its window and processes its clock`() async throws {
        let world = await EngineWorld(at: .meeting - .hours(2))
        let promise = world.promise
        world.announcer.connect(.user(1), as: SubscriberID(rawValue: 1))
        try await world.running {
            await world.clock.sleeper(until: .meeting - .hours(2) + .minutes(1))
            #expect(await world.engine.registry.count == 0)
            for instant in [promise.opensAt - .minutes(1), promise.opensAt] { world.clock.advance(to: instant) }
            _ = await world.announcer.wait { $0.events == [.trackingStarted] }
            world.clock.advance(to: promise.settlesAt)
            _ = await world.announcer.wait { $0.events.last == .resultFinal }
        }
        #expect(world.archive.events(of: promise.id).map(\.event) == Self.clockEvents)
        let instants = [promise.opensAt, promise.meetsAt, promise.lateFrom, promise.closesAt, promise.settlesAt]
        #expect(world.archive.events(of: promise.id).map(\.at) == instants)
    }

    @Test func `wakes and counts each of many sessions that are due at once`() async throws {
        let count = 150
        let archive = MemoryArchive()
        let promises = (1...UInt64(count)).map { Promise.sample(number: $0) }
        for promise in promises {
            archive.insert(SessionSnapshot(promise: promise, participants: [.accepted(.user(1))]))
        }
        let opening = promises[0].opensAt
        let world = await EngineWorld(archive, at: opening - .seconds(30))
        world.announcer.connect(.user(1), as: SubscriberID(rawValue: 1))
        try await world.running {
            await world.clock.sleeper(until: opening)
            #expect(await world.engine.census().sessions == [.scheduled: count])
            world.clock.advance(to: opening)
            _ = await world.announcer.wait { $0.events.count { $0 == .trackingStarted } == count }
            #expect(await world.engine.census().sessions == [.tracking: count])
        }
        #expect(promises.allSatisfy { archive.events(of: $0.id).map(\.event) == [.trackingStarted] })
    }

    @Test func `requests a postponed wake again, and it fires`() async throws {
        let archive = MemoryArchive()
        archive.insert(.sample())
        let start = Promise.sample().opensAt + .minutes(1)
        // The first check for idle sessions is later than all relevant instants.
        let settings = EngineSettings(collection: .milliseconds(1), idleFor: .minutes(30))
        let world = await EngineWorld(archive, settings: settings, at: start)
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 2), of: .user(2)) { _ in }
        try await world.running {
            try await world.report(1, seq: 1, metres: 900)
            let due = start + session.untilReport(at: start)
            await world.clock.sleeper(until: due + .milliseconds(10_001))
            world.clock.advance(to: due)
            try await world.report(1, seq: 2, metres: 895)
            // No participant lags at the first requested instant; the next one is 10 s after the report due then.
            world.clock.advance(to: due + .milliseconds(10_001))
            await world.clock.sleeper(until: due + .milliseconds(15_001))
            #expect(!world.announcer.deliveries.contains { $0.lags(.user(1)) })
            world.clock.advance(to: due + .milliseconds(15_001))
            let told = await world.announcer.wait { $0.contains { $0.lags(.user(1)) } }
            #expect(told.count { $0.lags(.user(1)) } == 1)
        }
    }

    @Test func `spaces rounds of wakes and skips none`() async throws {
        let archive = MemoryArchive()
        archive.insert(.sample())
        let promise = Promise.sample()
        let settings = EngineSettings(collection: .milliseconds(1), wakeRound: .minutes(2))
        let start = promise.opensAt - .seconds(30)
        let world = await EngineWorld(archive, settings: settings, at: start)
        world.announcer.connect(.user(1), as: SubscriberID(rawValue: 1))
        try await world.running {
            // The window opens after half a minute, idle sessions are released after one.
            await world.clock.sleeper(until: start + .minutes(2))
            world.clock.advance(to: start + .minutes(2))
            _ = await world.announcer.wait { $0.events == [.trackingStarted] }
            await world.clock.sleeper(until: start + .minutes(4))
        }
        #expect(world.archive.events(of: promise.id).map(\.at) == [promise.opensAt])
    }

    @Test(.proves("8.2")) func `finishes overdue work once after a downtime`() async throws {
        let archive = MemoryArchive()
        archive.insert(.sample())
        let promise = Promise.sample()
        for day in 1...3 {
            let world = await EngineWorld(archive, at: promise.settlesAt + .days(Int64(day)))
            world.announcer.connect(.user(1), as: SubscriberID(rawValue: 1))
            try await world.running {
                if day == 1 { _ = await world.announcer.wait { $0.events.last == .resultFinal } }
                await world.clock.sleeper(until: world.clock.now + .minutes(1))
            }
        }
        #expect(archive.events(of: promise.id).map(\.event) == Self.clockEvents)
        #expect(archive.snapshot(of: promise.id)?.result?.rows.map(\.outcome) == [.noShow, .noShow, .noShow])
    }

    @Test func `restores sessions soon after a failed read of the archive`() async throws {
        let archive = MemoryArchive()
        archive.insert(.sample())
        archive.failNextLooks(1)
        let start = Promise.sample().opensAt + .minutes(1)
        let world = await EngineWorld(archive, at: start)
        try await world.running {
            await world.clock.sleeper(until: start + .seconds(2))
            #expect(await world.engine.registry.count == 0)
            world.clock.advance(by: .seconds(2))
            while await world.engine.registry.count == 0, !Task.isCancelled { await Task.yield() }
            #expect(await world.engine.registry.count == 1)
        }
    }

    @Test func `a restart around the end changes lateness exactly once`() async throws {
        let archive = MemoryArchive()
        archive.insert(.sample())
        let promise = Promise.sample()
        let stops: [TimeSpan] = [.seconds(-1), .zero, .milliseconds(1), .seconds(1)]
        for edge in [promise.meetsAt, promise.lateFrom, promise.closesAt, promise.settlesAt] {
            for stop in stops {
                let world = await EngineWorld(archive, at: edge + stop)
                let session = try await world.engine.registry.session(of: promise.id)
                _ = try await session.view()
            }
        }
        #expect(archive.events(of: promise.id).map(\.event) == Self.clockEvents)
    }

    @Test func `activates a promise in time that was created while the scheduler sleeps`() async throws {
        let archive = MemoryArchive()
        let world = await EngineWorld(archive, at: .meeting - .hours(1))
        let promise = Promise.sample()
        world.announcer.connect(.user(1), as: SubscriberID(rawValue: 1))
        try await world.running {
            await world.clock.sleeper(until: .meeting - .hours(1) + .minutes(1))
            archive.insert(.sample())
            await world.engine.noteOpening(at: promise.opensAt)
            world.clock.advance(to: promise.opensAt - .minutes(1))
            while await world.engine.registry.count == 0, !Task.isCancelled { await Task.yield() }
            world.clock.advance(to: promise.opensAt)
            _ = await world.announcer.wait { $0.events == [.trackingStarted] }
        }
    }

    @Test func `releases an idle session and restores it on request`() async throws {
        let world = await EngineWorld(at: .meeting - .days(3))
        _ = try await world.session().view()
        #expect(await world.engine.registry.count == 1)
        try await world.running {
            await world.clock.sleeper(until: .meeting - .days(3) + .minutes(1))
            world.clock.advance(by: .minutes(1))
            while await world.engine.registry.count == 1, !Task.isCancelled { await Task.yield() }
        }
        #expect(world.archive.released == [world.promise.id])
        let reply = try await world.engine.registry.withSession(of: world.promise.id) { session throws(EngineError) in
            try await session.perform(.leave(.user(2)))
        }
        #expect(reply == .done)
    }

    @Test func `a live session knows its members until they leave`() async throws {
        let world = await EngineWorld(at: .meeting - .minutes(10))
        let session = try await world.session()
        #expect(await world.engine.registry.sessions(of: .user(2)).map(\.id) == [session.id])
        _ = try await session.perform(.leave(.user(2)))
        #expect(await world.engine.registry.sessions(of: .user(2)).isEmpty)
        #expect(await world.engine.registry.sessions(of: .user(3)).count == 1)
    }

    @Test func `an unknown promise is not found`() async {
        let world = await EngineWorld(MemoryArchive(), at: .meeting)
        await #expect(throws: EngineError.notFound) {
            _ = try await world.engine.registry.session(of: Promise.sample().id)
        }
    }
}

extension PromiseSession {
    /// From an instant to the slot after it.
    fileprivate nonisolated func untilReport(at now: Instant) -> TimeSpan {
        ReportingSlot(of: id, interval: .seconds(5)).untilNext(after: now)
    }
}

extension RecordingAnnouncer.Delivery {
    /// `true` if it reports a lagging participant.
    fileprivate func lags(_ userID: UserID) -> Bool {
        guard case .presence(let presences) = passing else { return false }
        return presences.contains { $0.userID == userID && $0.freshness == .lagging }
    }
}
