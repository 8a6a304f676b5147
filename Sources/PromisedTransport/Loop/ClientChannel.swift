/// What a connection is to the client end. Confined to the actor of its thread.
final class ClientChannel {
    let attempt: ClientAttempt
    /// The sub-protocol the server chose.
    var subprotocol: String?
    /// Whether the attempt's deadline passed.
    var hasTimedOut = false

    init(_ attempt: ClientAttempt) {
        self.attempt = attempt
    }

    var handler: any ClientHandler { attempt.handler }
    var countsInbound: Bool { attempt.countsInbound }

    /// The connection has ended: tells whoever does not know yet.
    func gone(_ id: ConnectionID, _ cause: CloseCause, isAnnounced: Bool) {
        attempt.finish(.failure(hasTimedOut ? .timedOut : .connectFailed("closed before it was open")))
        if isAnnounced { handler.closed(id, cause) }
    }
}
