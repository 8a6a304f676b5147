import PromisedDomain
import PromisedEngine
import PromisedTestSupport
import Testing

/// The fast path of a report.
@Suite("Events processed at once", .timeLimit(.minutes(1)))
struct ImmediateTests {
    private static let start = Promise.sample().opensAt + .minutes(1)

    private static func report(_ user: UInt64, seq: UInt32, metres: Double) -> SessionEvent {
        .report(
            from: .user(user),
            Report(device: DeviceKey(deviceID: "d\(user)"), fixes: [.sample(seq: seq, metres: metres)])
        )
    }

    @Test func `processes a report without durable effects at once, with the same reply`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        let long = try await session.perform(Self.report(1, seq: 1, metres: 900))
        world.clock.advance(by: .seconds(5))
        let short = try #require(await session.begin(Self.report(1, seq: 2, metres: 890))).done()
        guard case .reported(let first) = long, case .reported(let second) = short else {
            Issue.record("\(long), \(short)")
            return
        }
        #expect(first.taken == [1])
        #expect(second.taken == [2])
        #expect(try await session.view().members[0].live.position?.seq == 2)
    }

    @Test func `rejects at once`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        await #expect(throws: EngineError.refused(.promiseNotFound)) {
            _ = try await session.begin(Self.report(99, seq: 1, metres: 900))?.outcome
        }
    }

    @Test func `requests a later wake without suspension, and it fires`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 2), of: .user(2)) { _ in }
        try await world.running {
            // From now on nothing is due for a minute.
            await world.clock.sleeper(until: Self.start + .minutes(1))
            _ = try #require(await session.begin(Self.report(1, seq: 1, metres: 900))).done()
            world.clock.advance(by: .seconds(30))
            let news = await world.announcer.wait { $0.contains { $0.freshness == .lagging } }
            #expect(news.contains { $0.freshness == .lagging })
        }
    }

    @Test func `announces an arrival after its commit`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        try await session.subscribe(SubscriberID(rawValue: 2), of: .user(2)) { _ in }
        var arrivals: [Bool] = []
        for seq in UInt32(1)...4 {
            if let step = await session.begin(Self.report(1, seq: seq, metres: 5)), step.isPending {
                let before = world.announcer.deliveries.events.contains(where: \.isArrival)
                guard case .reported(let receipt) = try await session.complete(step) else {
                    Issue.record("no receipt")
                    return
                }
                #expect(receipt.taken == [seq])
                arrivals += [before, world.announcer.deliveries.events.contains(where: \.isArrival)]
            }
            world.clock.advance(by: .seconds(5))
        }
        #expect(arrivals.contains(true))
        #expect(arrivals.firstIndex(of: true)?.isMultiple(of: 2) == false, "told before it was durable")
    }

    @Test func `discards changes based on a discarded state`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        var held: SessionStep?
        for seq in UInt32(1)...4 where held == nil {
            if let step = await session.begin(Self.report(1, seq: seq, metres: 5)), step.isPending { held = step }
            world.clock.advance(by: .seconds(5))
        }
        let step = try #require(held)
        world.archive.failNextCommits(1)
        await #expect(throws: EngineError.unavailable) { _ = try await session.perform(.leave(.user(3))) }
        _ = try await session.view()
        await #expect(throws: EngineError.unavailable) { _ = try await session.complete(step) }
    }

    @Test func `a stopped session rejects immediate events, and a suspending one restarts it`() async throws {
        let world = await EngineWorld(at: Self.start)
        let session = try await world.session()
        world.archive.failNextCommits(1)
        await #expect(throws: EngineError.unavailable) { _ = try await session.perform(.leave(.user(3))) }
        #expect(await session.begin(Self.report(1, seq: 1, metres: 900)) == nil)
        guard case .reported(let receipt) = try await session.perform(Self.report(1, seq: 1, metres: 900)) else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt.taken == [1])
        _ = try #require(await session.begin(Self.report(1, seq: 2, metres: 890))).done()
    }
}

extension PromiseEvent {
    fileprivate var isArrival: Bool { if case .arrived = self { true } else { false } }
}

extension SessionStep {
    /// The answer of a step that is complete.
    fileprivate func done() throws -> SessionReply { try #require(try outcome, "something had to wait") }

    fileprivate var isPending: Bool { if case .pending = self { true } else { false } }
}

extension RecordingAnnouncer.Delivery {
    /// The announced freshness.
    fileprivate var freshness: Freshness? {
        guard case .presence(let presences) = passing else { return nil }
        return presences.first?.freshness
    }
}
