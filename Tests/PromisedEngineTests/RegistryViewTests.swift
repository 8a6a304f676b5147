import PromisedDomain
import PromisedEngine
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Reading a promise activates it only if it is due.
@Suite("Views of promises", .timeLimit(.minutes(1)))
struct RegistryViewTests {
    private static let promise = Promise.sample()
    private static let early = promise.opensAt - .minutes(1) - .milliseconds(1)
    private static let id = promise.id

    /// A promise of users 1 to 3 that was cancelled an hour before its meeting time, or decided.
    private static func over(isCancelled: Bool) -> SessionSnapshot {
        var snapshot = SessionSnapshot.sample()
        if isCancelled {
            snapshot.promise.cancelledAt = promise.meetsAt - .hours(1)
        } else {
            snapshot.mark = .final
            snapshot.result = PromiseResult(deciding: promise, participants: snapshot.participants, arrivals: [:])
        }
        return snapshot
    }

    private static func world(_ snapshot: SessionSnapshot = .sample(), at now: Instant = early) async -> EngineWorld {
        let archive = MemoryArchive()
        archive.insert(snapshot)
        return await EngineWorld(archive, at: now)
    }

    @Test(.proves("4.19")) func `repeated reads of a future promise do not activate it`() async throws {
        let world = await Self.world()
        let registry = world.engine.registry
        for viewer in [nil, .user(1), .user(9)] as [UserID?] {
            let view = try await registry.view(of: Self.id, for: viewer)
            #expect(view.status == .scheduled && view.members.count == 3)
            #expect(view.standing?.part == viewer.map { $0 == .user(1) ? .owner : .stranger })
        }
        #expect(world.archive.activationCount == 0 && world.archive.commitCount == 0 && world.archive.readCount == 3)
        #expect(await registry.count == 0)
        #expect(world.archive.released.isEmpty)
    }

    @Test(arguments: [false, true])
    func `reading a finished promise does not activate it`(isCancelled: Bool) async throws {
        let snapshot = Self.over(isCancelled: isCancelled)
        let world = await Self.world(snapshot, at: Self.promise.settlesAt + .days(365))
        let view = try await world.engine.registry.view(of: Self.id, for: .user(2))
        #expect(view.result == snapshot.result)
        #expect(view.status == (isCancelled ? .cancelled : .final))
        #expect(world.archive.activationCount == 0)
        #expect(await world.engine.registry.count == 0)
    }

    @Test(
        .proves("4.19"),
        arguments: [
            // A minute before its window, in it, and after it while the result is missing.
            promise.opensAt - .minutes(1), promise.meetsAt, promise.settlesAt + .hours(1),
        ]
    )
    func `activates a due promise and processes its clock first`(now: Instant) async throws {
        let world = await Self.world(at: now)
        let view = try await world.engine.registry.view(of: Self.id)
        #expect(world.archive.activationCount == 1)
        #expect(await world.engine.registry.count == 1)
        #expect(view.lastSeq == world.archive.events(of: Self.id).count)
        #expect((view.result != nil) == (now > Self.promise.settlesAt))
    }

    @Test func `prefers a live session to the archive`() async throws {
        let world = await Self.world()
        let session = try await world.session()
        _ = try await session.perform(.leave(.user(3)))
        let view = try await world.engine.registry.view(of: Self.id, for: .user(1))
        #expect(try await view == session.view(for: .user(1)))
        #expect(view.lastSeq == 1)
        #expect(world.archive.readCount == 0 && world.archive.activationCount == 1)
    }

    @Test func `reports unknown promises and failures of the archive`() async throws {
        let world = await Self.world()
        let registry = world.engine.registry
        await #expect(throws: EngineError.notFound) { try await registry.view(of: PromiseID(high: 9, low: 9)) }
        world.archive.failNextReads(1)
        await #expect(throws: EngineError.unavailable) { try await registry.view(of: Self.id) }
        #expect(try await registry.view(of: Self.id).lastSeq == 0)
        #expect(world.archive.activationCount == 0)
    }

    @Test(.proves("4.19"))
    func `prefers a session that starts during the read`() async throws {
        let world = await Self.world()
        world.archive.holdNextRead()
        async let late = world.engine.registry.view(of: Self.id, for: .user(1))
        while world.archive.readCount == 0, !Task.isCancelled { await Task.yield() }
        // Activating passes no gate, and neither does an unrequested commit.
        let session = try await world.session()
        async let left = session.perform(.leave(.user(3)))
        while await session.issuedCommits == 0, !Task.isCancelled { await Task.yield() }
        world.archive.openGate()
        _ = try await left
        #expect(try await late.lastSeq == 1, "not what was read before")
        #expect(world.archive.activationCount == 1)
    }

    @Test(.proves("4.19")) func `reads again if a session started and ended during a long read`() async throws {
        let start = Self.early - .days(1)
        let world = await Self.world(at: start)
        world.archive.holdNextRead()
        async let late = world.engine.registry.view(of: Self.id)
        while world.archive.readCount == 0, !Task.isCancelled { await Task.yield() }
        world.clock.advance(to: start + EngineSettings.ofWorlds.idleFor - .milliseconds(1))
        world.archive.openGate()
        #expect(try await late.lastSeq == 0)
        #expect(world.archive.activationCount == 0)
        world.archive.holdNextRead()
        async let later = world.engine.registry.view(of: Self.id)
        while world.archive.readCount == 1, !Task.isCancelled { await Task.yield() }
        world.clock.advance(by: EngineSettings.ofWorlds.idleFor)
        world.archive.openGate()
        _ = try await later
        #expect(world.archive.activationCount == 1)
    }

    @Test func `reads the promise of a released idle session from the archive`() async throws {
        let start = Self.early - .days(1)
        let world = await Self.world(at: start)
        _ = try await world.session().perform(.leave(.user(3)))
        try await world.running {
            await world.clock.sleeper(until: start + .minutes(1))
            world.clock.advance(by: .minutes(1))
            while await world.engine.registry.count == 1, !Task.isCancelled { await Task.yield() }
        }
        #expect(try await world.engine.registry.view(of: Self.id).lastSeq == 1)
        #expect(world.archive.readCount == 1 && world.archive.activationCount == 1)
        #expect(await world.engine.registry.count == 0)
    }
}
