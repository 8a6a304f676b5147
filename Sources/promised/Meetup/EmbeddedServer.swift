import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
internal import PromisedSettings
import PromisedTransport
import PromisedWebSocketTransport

/// A server in this process, with a temporary database that is deleted with it.
struct EmbeddedServer: Sendable {
    /// The real time reserved to set up a meetup before its window opens.
    static let setUp = Duration.seconds(8)
    /// The log level during a meetup. Warnings are for operators of permanent servers; the page shows by itself what is
    /// missing.
    static let logLevel = Logger.Level.error

    let service: PromisedService
    let address: ServerAddress
    private let directory: String

    /// Starts a server whose clock runs at `rate` and starts early enough before `opensAt` for the setup.
    ///
    /// - Parameters:
    ///   - web: the page for browsers.
    ///   - prepare: changes the settings before the start, and can write into the data directory.
    /// - Throws: `StartError`, and errors of `prepare`.
    static func start(
        listen: (host: String, port: Int) = ("127.0.0.1", 0),
        web: ServerSettings.Web,
        opensAt: Instant,
        rate: Double,
        log: Logger,
        prepare: (inout ServerSettings) async throws -> Void = { _ in }
    ) async throws -> EmbeddedServer {
        let directory = NSTemporaryDirectory() + "promised-" + UUID().uuidString
        var configuration = ServerSettings()
        configuration.dataDirectory = directory
        configuration.listen.host = listen.host
        configuration.listen.port = listen.port
        configuration.web = web
        configuration.passwords.cost = .cheap
        configuration.clock.rate = rate
        configuration.clock.start = opensAt - .seconds(rate * Double(setUp.components.seconds))
        do {
            try await prepare(&configuration)
            let service = try await PromisedService(configuration: configuration, log: log)
            let listening = try await service.start()
            return EmbeddedServer(
                service: service,
                address: ServerAddress(host: listening.host, port: listening.port),
                directory: directory
            )
        } catch {
            remove(directory)
            throw error
        }
    }

    private static func remove(_ directory: String) {
        guard FileManager.default.fileExists(atPath: directory) else { return }
        do {
            try FileManager.default.removeItem(atPath: directory)
        } catch {
            StandardError.write("promised: cannot remove \(directory): \(error.localizedDescription)")
        }
    }

    /// Serves while `body` runs, then stops and removes the database.
    func serving<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        defer { EmbeddedServer.remove(directory) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run() }
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            service.stop()
            try await group.waitForAll()
            return try outcome.get()
        }
    }
}

/// Reads the clock of a running server before a meetup is planned.
struct ServerProbe: Sendable {
    let address: ServerAddress
    let codec: WireCodec
    let log: Logger

    /// The server's clock, from two exchanges on a connection with its own account.
    func clock() async throws -> ServerClockEstimate {
        let client = PromisedClient(
            settings: ClientSettings(address: address, codec: codec),
            transport: WebSocketTransport(log: log),
            log: log
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask {
                // Notices are not needed, but must be consumed.
                for await _ in client.notices {}
            }
            let tag = UUID().uuidString.lowercased().filter(\.isHexDigit)
            _ = try await client.signUp(
                email: "\(tag)@replay.invalid",
                password: UUID().uuidString,
                nickname: "probe_" + tag.prefix(12)
            )
            let estimate = try await client.estimateServerClock()
            await client.close()
            group.cancelAll()
            return estimate
        }
    }
}
