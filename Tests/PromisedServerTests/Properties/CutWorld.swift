import Logging
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedSimulation
import PromisedTestSupport
import PromisedTransport
import PromisedWebSocketTransport

@testable import PromisedSettings

/// A promise with its participants, on a server that is stopped and restarted, and followers whose connections are
/// interrupted.
///
/// Ada owns the promise and Fay joins and leaves, both over stable connections; the others are present from the
/// start.
final class CutWorld: Sendable {
    static let names = ["Ada", "Bea", "Cid", "Dan", "Fay"]
    static let meetsAt = ServerWorld.start + .hours(2)

    private struct Books: Sendable {
        var people: [Person] = []
        var promiseID = ""
        var code = ""
        var fayIsIn = false
    }

    let clock = ManualClock(now: ServerWorld.start)
    let codec: WireCodec
    /// The acting users.
    let good: CuttingRelay
    /// The following users.
    let bad: CuttingRelay
    let clients: [PromisedClient]
    private let books = Guarded(Books())
    private let told = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(codec: WireCodec, seed: UInt64) throws {
        self.codec = codec
        good = try CuttingRelay(seed: seed, cuts: false)
        bad = try CuttingRelay(seed: seed)
        var log = Logger(label: "cut-tests")
        log.logLevel = .critical
        clients = CutWorld.names.map { [good] _ in
            var settings = ClientSettings(address: ServerAddress(host: "127.0.0.1", port: good.port), codec: codec)
            settings.isStrict = true
            settings.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(20))
            return PromisedClient(settings: settings, transport: WebSocketTransport(log: log), log: log)
        }
    }

    var promiseID: String { books.withLock { $0.promiseID } }

    func person(_ name: String) throws -> Person {
        let found = books.withLock { $0.people.first { $0.name == name } }
        guard let found else { throw ClientError.unexpectedReply }
        return found
    }

    /// Keeps the clients connected while `body` runs.
    func connected(_ body: () async throws -> Void) async throws {
        defer {
            good.stop()
            bad.stop()
        }
        try await withThrowingTaskGroup(of: Void.self) { [clients] group in
            for client in clients { group.addTask { await client.run() } }
            do {
                try await body()
            } catch {
                for client in clients { await client.close() }
                throw error
            }
            for client in clients { await client.close() }
            try await group.waitForAll()
        }
    }

    /// Runs a server on the world's directory during `body`.
    func served(in directory: String, _ body: @Sendable () async throws -> Void) async throws {
        let configure: @Sendable (inout ServerSettings) -> Void = { configuration in
            configuration.limits.requestBurst = 1_000_000
            configuration.limits.connectionsPerUser = 100
            configuration.tokens.access = .days(1_000)
        }
        try await ServerWorld.with(directory: directory, clock: clock, configure: configure) { [good, bad] world in
            good.lead(to: world.address.port)
            bad.lead(to: world.address.port)
            try await body()
        }
    }

    // MARK: - The story

    /// All sign up, and Ada creates the promise and a code for Fay.
    func begin() async throws {
        for (name, client) in zip(CutWorld.names, clients) {
            let person = try await Person(name: name, client: client)
            books.withLock { $0.people.append(person) }
        }
        let ada = try person("Ada")
        let others = try ["Bea", "Cid", "Dan"].map { try person($0) }
        let id = try await ada.promise(with: others, at: CutWorld.meetsAt).promiseID
        let code = try await ada.client.createInvite(promiseID: id).code
        books.withLock { books in
            books.promiseID = id
            books.code = code
        }
    }

    /// A durable event.
    func happen(using generator: inout SeededGenerator) async throws {
        let ada = try person("Ada")
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let note = String(repeating: "x", count: Int.random(in: 0...400, using: &generator))
            var edit = WireUpdatePromise()
            edit.promiseID = promiseID
            edit.version = try await ada.see(promiseID).version
            edit.note = "\(edit.version) \(note)"
            _ = try await ada.client.updatePromise(edit)
        default: try await comeOrGo(try person("Fay"))
        }
        clock.advance(by: .milliseconds(Int64.random(in: 1...500, using: &generator)))
    }

    private func comeOrGo(_ fay: Person) async throws {
        let (code, isIn) = books.withLock { books in
            defer { books.fayIsIn.toggle() }
            return (books.code, books.fayIsIn)
        }
        if isIn {
            _ = try await fay.client.leavePromise(promiseID)
        } else {
            _ = try await fay.client.joinByCode(code)
        }
    }

    /// Bea arrives by clause (a).
    func beaArrives() async throws {
        let bea = try person("Bea")
        for (seq, metres) in [(1, 150.0), (2, 30), (3, 20), (4, 20)] {
            _ = try await bea.report(promiseID, seq: UInt32(seq), metres: metres)
            clock.advance(by: .seconds(12))
        }
    }

    /// Moves the clock and waits until Ada, who subscribed, received an event.
    func wait(until instant: Instant, for name: String) async throws {
        clock.advance(to: instant)
        let ada = try person("Ada")
        await ada.wait { $0.contains { $0.what?.name == name } }
    }

    // MARK: - Followers

    /// The initial participants, each on a phone whose connections are cut.
    func followers(seed: UInt64) async throws -> [Follower] {
        var followers: [Follower] = []
        for (number, name) in ["Bea", "Cid", "Dan"].enumerated() {
            guard let session = try await person(name).client.currentSession else { throw ClientError.unexpectedReply }
            followers.append(
                Follower(
                    name: name,
                    session: session,
                    promiseID: promiseID,
                    address: ServerAddress(host: "127.0.0.1", port: bad.port),
                    codec: codec,
                    seed: seed &* 16 &+ UInt64(number)
                )
            )
        }
        return followers
    }

    /// The followers' events until the end of the promise.
    func stories(of followers: [Follower]) async throws -> [Follower.Story] {
        defer { told.continuation.finish() }
        return try await withThrowingTaskGroup(of: Follower.Story.self) { group in
            for follower in followers { group.addTask { try await follower.follow() } }
            var stories: [Follower.Story] = []
            for try await story in group { stories.append(story) }
            return stories
        }
    }

    /// Waits until ``stories(of:)`` has ended.
    func untilStoriesAreTold() async {
        for await _ in told.stream { break }
    }

    /// All durable events, from the server itself.
    func allEvents() async throws -> [WireEvent] {
        let ada = try person("Ada")
        var request = WireSubscribe.of(promiseID)
        request.epoch = try await ada.client.subscribe(promiseID: promiseID).epoch
        guard case .subscribed(let reply) = try await ada.client.call(.subscribe(request)), !reply.hasSnapshot else {
            throw ClientError.unexpectedReply
        }
        return reply.missed
    }
}
