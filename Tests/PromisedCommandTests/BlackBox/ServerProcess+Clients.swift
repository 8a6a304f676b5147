import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport

extension ServerProcess {
    /// Runs `body` with a client of this server and closes it.
    func withClient<Value: Sendable>(_ body: @Sendable (PromisedClient) async throws -> Value) async throws -> Value {
        try await withClients(1) { clients in try await body(clients[0]) }
    }

    /// Runs `body` with clients of this server, each on a separate phone, and closes them.
    func withClients<Value: Sendable>(
        _ count: Int,
        _ body: @Sendable ([PromisedClient]) async throws -> Value
    ) async throws -> Value {
        let log = {
            var log = Logger(label: "box-tests")
            log.logLevel = .critical
            return log
        }()
        let address = ServerAddress(host: "127.0.0.1", port: UInt16(port))
        let clients = (1...count).map { number in
            PromisedClient(
                settings: ClientSettings(
                    address: address,
                    codec: .protobuf,
                    deviceID: "phone \(number)",
                    bootID: "1"
                ),
                transport: WebSocketTransport(log: log),
                log: log
            )
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { await client.run() } }
            let value = try await body(clients)
            for client in clients { await client.close() }
            try await group.waitForAll()
            return value
        }
    }
}
