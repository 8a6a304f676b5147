import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestSupport
import PromisedTransport
import PromisedWebSocketTransport
import PromisedWire
import SwiftProtobuf

@testable import PromisedSettings

/// A complete server in this process, and clients over real sockets.
final class ServerWorld: Sendable {
    /// The first instant of the server's clock, by default.
    static let start = Instant(milliseconds: 1_795_240_800_000)

    static let quiet = {
        var log = Logger(label: "server-tests")
        log.logLevel = .critical
        return log
    }()

    let service: PromisedService
    let address: ServerAddress
    let codec: WireCodec
    let directory: String

    private init(service: PromisedService, address: ServerAddress, codec: WireCodec, directory: String) {
        self.service = service
        self.address = address
        self.codec = codec
        self.directory = directory
    }

    /// Runs `body` against a server on a new data directory, then stops it and removes the directory.
    ///
    /// - Parameter clock: the server's, in place of one that starts at `start` and runs at `rate`.
    static func with(
        codec: WireCodec = .json,
        rate: Double = 1,
        start: Instant = start,
        clock: (any WallClock)? = nil,
        configure: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try await with(
            directory: directory,
            codec: codec,
            rate: rate,
            start: start,
            clock: clock,
            configure: configure,
            body
        )
    }

    /// Runs `body` against a server on a permanent data directory.
    ///
    /// - Parameter log: the server's; by default one that logs only critical records.
    static func with(
        directory: String,
        codec: WireCodec = .json,
        rate: Double = 1,
        start: Instant = start,
        clock: (any WallClock)? = nil,
        log: Logger = quiet,
        configure: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        var configuration = ServerSettings()
        configuration.dataDirectory = directory
        configuration.listen.port = 0
        configuration.passwords.cost = .cheap
        configuration.clock.rate = rate
        configuration.clock.start = start
        // Tests report at any time, mostly without clocks.
        configuration.limits.fixes.spacing = .zero
        // On a machine that runs many tests at once, a client may wait longer than on a phone.
        configuration.connection.handshake = .minutes(2)
        configuration.connection.signIn = .minutes(2)
        configure(&configuration)
        let service =
            if let clock {
                try await PromisedService(configuration: configuration, clock: clock, log: log)
            } else {
                try await PromisedService(configuration: configuration, log: log)
            }
        let listening = try await service.start()
        let address = ServerAddress(host: listening.host, port: listening.port)
        let world = ServerWorld(service: service, address: address, codec: codec, directory: directory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run() }
            do {
                try await body(world)
            } catch {
                service.stop()
                throw error
            }
            service.stop()
            try await group.waitForAll()
        }
    }

    /// The current instant of the server's clock.
    var now: Instant { service.clock.now }

    /// Runs `body` with connected clients that are signed up under these names, in order.
    func with(_ names: String..., body: @Sendable ([Person]) async throws -> Void) async throws {
        let log = Self.quiet
        let clients = names.map { name in
            PromisedClient(
                settings: ClientSettings(address: address, codec: codec, deviceID: "phone of \(name)", bootID: "1")
                    .strict,
                transport: WebSocketTransport(log: log),
                log: log
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { await client.run() } }
            var people: [Person] = []
            for (name, client) in zip(names, clients) { people.append(try await Person(name: name, client: client)) }
            for person in people { group.addTask { await person.listen() } }
            try await body(people)
            for client in clients { await client.close() }
            try await group.waitForAll()
        }
    }

    /// Runs `body` with two users as separate parameters.
    func with(
        _ first: String,
        _ second: String,
        body: @Sendable (Person, Person) async throws -> Void
    ) async throws {
        try await with(first, second) { people async throws in try await body(people[0], people[1]) }
    }

    /// Runs `body` with three users as separate parameters.
    func with(
        _ first: String,
        _ second: String,
        _ third: String,
        body: @Sendable (Person, Person, Person) async throws -> Void
    ) async throws {
        try await with(first, second, third) { people async throws in
            try await body(people[0], people[1], people[2])
        }
    }

    /// Runs `body` with four users as separate parameters.
    func with(
        _ first: String,
        _ second: String,
        _ third: String,
        _ fourth: String,
        body: @Sendable (Person, Person, Person, Person) async throws -> Void
    ) async throws {
        try await with(first, second, third, fourth) { people async throws in
            try await body(people[0], people[1], people[2], people[3])
        }
    }

    /// A raw connection without the protocol.
    func rawConnection(
        _ client: WebSocketClient,
        subprotocol: String? = nil,
        headers: [HTTPHeader] = []
    ) async throws -> ClientConnection {
        try await client.connect(
            ClientRequest(
                host: address.host,
                port: address.port,
                subprotocols: [subprotocol ?? codec.subprotocol],
                headers: headers
            )
        )
    }
}

/// A user with an account and a connected phone.
final class Person: Sendable {
    let name: String
    let id: String
    let client: PromisedClient
    private let events = Signals<WireEvent>()

    init(name: String, client: PromisedClient) async throws {
        self.name = name
        self.client = client
        id = try await client.signUp(
            email: "\(name)@example.org",
            password: "correct horse \(name)",
            nickname: name
        ).user.userID
        _ = try await client.hello()
    }

    func listen() async {
        for await notice in client.notices {
            if case .event(let event) = notice { events.note(event) }
        }
    }

    /// The events received so far, in order.
    var received: [WireEvent] { events.all }

    /// Waits until the events received satisfy a condition.
    func wait(until matches: @escaping @Sendable ([WireEvent]) -> Bool) async { await events.wait(until: matches) }

    /// The code of a request's refusal; nil if it is accepted.
    func refusal(_ request: WireRequest) async -> ErrorCode? {
        do {
            _ = try await client.call(request)
            return nil
        } catch {
            if let code = error.code { DocumentedRefusals.expect(code.rawValue, of: request) }
            return error.code
        }
    }

    func befriend(_ other: Person) async throws {
        _ = try await client.requestFriend(userID: other.id)
        _ = try await other.client.acceptFriend(userID: id)
    }

    /// Creates a promise with friends, all of whom accept.
    func promise(
        with others: [Person],
        at meetsAt: Instant,
        key: String = UUID().uuidString,
        change: (inout WireCreatePromise) -> Void = { _ in }
    ) async throws -> WirePromise {
        for other in others { try await befriend(other) }
        var request = WireCreatePromise.sample(key: key, meetsAt: meetsAt, invitees: others)
        change(&request)
        let promise = try await client.createPromise(request).promise
        for other in others { _ = try await other.client.respond(promiseID: promise.promiseID, accept: true) }
        return promise
    }

    /// Reports one fix, `metres` north of the place.
    func report(_ promiseID: String?, seq: UInt32, metres: Double) async throws -> WireReported {
        var report = WireReport()
        if let promiseID { report.promiseID = promiseID }
        let fix = WireFix.with {
            $0.seq = seq
            $0.latitude = 37.5 + metres / 111_195
            $0.longitude = 127
            $0.accuracyMetres = 5
        }
        report.fixes = [fix]
        return try await client.report(report)
    }
}

extension WireCreatePromise {
    /// A dinner at (37.5, 127) with a radius of 50 m.
    static func sample(
        key: String = UUID().uuidString,
        title: String = "Dinner",
        meetsAt: Instant,
        invitees: [Person] = []
    ) -> WireCreatePromise {
        var request = WireCreatePromise()
        request.key = key
        request.title = title
        request.place = WirePlace(
            Place(name: "The pier", coordinate: Coordinate(latitude: 37.5, longitude: 127))
        )
        request.meetsAt = WireTimestamp(meetsAt)
        request.inviteeIds = invitees.map(\.id)
        return request
    }
}

extension ClientSettings {
    /// The same with unknown fields rejected, which detects misspellings in tests.
    var strict: ClientSettings {
        var settings = self
        settings.isStrict = true
        return settings
    }
}
