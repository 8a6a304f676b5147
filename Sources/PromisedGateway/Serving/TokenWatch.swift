internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol

/// Closes connections whose token expired and was not renewed in time (docs/protocol.md#connecting).
struct TokenWatch: Sendable {
    let connections: Connections
    let sender: Sender
    let clock: any WallClock
    /// Real time.
    let pauses: any Clock<Duration>
    /// The time after its expiry in which a token can still be renewed, in real time.
    let grace: TimeSpan

    /// Checks periodically until the task is cancelled: rarely, because it visits every connection; on a scaled clock
    /// every real second, which is a long time there.
    func run() async {
        let pause = Duration.seconds(clock.rate > 1 ? 1 : 5)
        // Sleeping throws only if the task is cancelled.
        while (try? await pauses.sleep(for: pause)) != nil { closeExpired() }
    }

    func closeExpired() {
        let limit = clock.now - TimeSpan.seconds(grace.seconds * clock.rate)
        let administratorsLimit = RealTime.now - grace
        for connection in connections.everyConnection
        where connection.isExpired(at: limit, administrators: administratorsLimit) {
            sender.close(connection, .tokenInvalid)
        }
    }
}
