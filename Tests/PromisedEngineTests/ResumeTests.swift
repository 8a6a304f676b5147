import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Resuming with the number of the last received event (docs/protocol.md#resuming).
@Suite("Resuming", .timeLimit(.minutes(1)))
struct ResumeTests {
    /// A session with `count` events: people who leave one after the other.
    private static func world(events count: UInt64) async throws -> (EngineWorld, PromiseSession) {
        let world = await EngineWorld(people: count + 1, at: .meeting - .hours(1))
        let session = try await world.session()
        for number in 2..<(count + 2) { _ = try await session.perform(.leave(.user(number))) }
        return (world, session)
    }

    private static func missed(
        _ session: PromiseSession,
        after seq: Int,
        epoch: String = "epoch-1"
    ) async throws -> [Int]? {
        let seen = Recorder<[Int]?>()
        try await session.subscribe(
            SubscriberID(rawValue: 1),
            of: .user(1),
            since: ResumePoint(epoch: epoch, lastSeq: seq)
        ) { seen.append($0.missed?.map(\.seq)) }
        return seen.values[0]
    }

    @Test func `sends exactly the missed events`() async throws {
        let (_, session) = try await Self.world(events: 5)
        for seq in 0...5 { #expect(try await Self.missed(session, after: seq) == Array((seq + 1)..<6)) }
    }

    @Test(arguments: [(-1, "epoch-1"), (6, "epoch-1"), (3, "another")])
    func `an unknown number or numbering gives a snapshot`(seq: Int, epoch: String) async throws {
        let (_, session) = try await Self.world(events: 5)
        #expect(try await Self.missed(session, after: seq, epoch: epoch) == nil)
    }

    @Test func `deleted events give a snapshot`() async throws {
        let (world, session) = try await Self.world(events: 5)
        world.archive.forgetEvents(of: world.promise.id, upTo: 3)
        #expect(try await Self.missed(session, after: 2) == nil)
        #expect(try await Self.missed(session, after: 3) == [4, 5])
    }

    @Test(.proves("9.8"), arguments: [(499, true), (500, true), (501, false)])
    func `sends at most 500 single events`(count: Int, isTold: Bool) async throws {
        var snapshot = SessionSnapshot.sample(people: 2)
        snapshot.lastSeq = count
        let archive = MemoryArchive()
        let events = (1...count).map {
            NumberedEvent(seq: $0, at: .meeting - .hours(2), event: .joined(.user(2)))
        }
        archive.insert(snapshot, events: events)
        let world = await EngineWorld(archive, at: .meeting - .hours(1))
        let missed = try await Self.missed(try await world.session(), after: 0)
        #expect(missed?.count == (isTold ? count : nil))
    }

    @Test func `waits for pending writes of events`() async throws {
        let (world, session) = try await Self.world(events: 2)
        world.archive.closeGate()
        async let left = session.perform(.cancel(by: .user(1), reason: ""))
        while await session.issuedCommits < 3, !Task.isCancelled { await Task.yield() }
        async let missed = Self.missed(session, after: 1)
        world.archive.openGate()
        _ = try await left
        #expect(try await missed == [2, 3])
    }
}
