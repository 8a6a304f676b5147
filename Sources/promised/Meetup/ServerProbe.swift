import Foundation
import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport

/// Learns the clock of a running server before anything is planned for it.
struct ServerProbe: Sendable {
    let address: ServerAddress
    let codec: WireCodec
    let log: Logger

    /// The server's clock, from two exchanges on a connection with an account of its own.
    func clock() async throws -> ServerClockEstimate {
        let client = PromisedClient(
            settings: ClientSettings(address: address, codec: codec),
            transport: WebSocketTransport(log: log),
            log: log
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask {
                // Nothing in them concerns the probe, but somebody must read them.
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
