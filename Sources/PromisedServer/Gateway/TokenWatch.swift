internal import PromisedDomain
internal import PromisedEngine
internal import PromisedWire

/// Closes connections whose token expired and was not renewed in time (protocol §1).
struct TokenWatch: Sendable {
    let connections: Connections
    let sender: Sender
    let clock: any WallClock
    /// How long after its expiry a token may still be renewed, in real time.
    let grace: TimeSpan

    /// Looks once a real second until the task is cancelled.
    func run() async {
        // Sleeping fails only when the task is cancelled.
        while (try? await Task.sleep(for: .seconds(1), clock: .continuous)) != nil { closeExpired() }
    }

    func closeExpired() {
        let limit = clock.now - TimeSpan.seconds(grace.seconds * clock.rate)
        for connection in connections.everyConnection {
            guard let identity = connection.identity, identity.expiresAt <= limit else { continue }
            sender.close(connection, .tokenInvalid)
        }
    }
}
