internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedTransport

/// Closes connections whose token expired and was not renewed in time (docs/protocol.md#connecting).
struct TokenWatch: Sendable {
    let connections: Connections
    let sender: Sender
    let clock: any WallClock
    /// How long after its expiry a token may still be renewed, in real time.
    let grace: TimeSpan

    /// Looks from time to time until the task is cancelled: rarely, for it looks at every connection, but on a scaled clock
    /// each real second, which is long there.
    func run() async {
        let pause = Duration.seconds(clock.rate > 1 ? 1 : 5)
        // Sleeping fails only when the task is cancelled.
        while (try? await Task.sleep(for: pause, clock: .continuous)) != nil { closeExpired() }
    }

    func closeExpired() {
        let limit = clock.now - TimeSpan.seconds(grace.seconds * clock.rate)
        let administratorsLimit = RealTime.now - grace
        for connection in connections.everyConnection {
            let isExpired = connection.state.withLock { state in
                state.identity.map { $0.expiresAt <= limit }
                    ?? state.administrator?.expiresAt.map { $0 <= administratorsLimit }
                    ?? false
            }
            if isExpired { sender.close(connection, .tokenInvalid) }
        }
    }
}
