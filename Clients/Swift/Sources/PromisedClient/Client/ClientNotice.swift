public import PromisedProtocol

/// A client's notice, besides replies and feeds.
public enum ClientNotice: Hashable, Sendable {
    /// Connected, and signed in if the client has a session: repeat bare subscriptions now.
    case connected
    /// The connection ended.
    case disconnected(code: UInt16, willReconnect: Bool)
    /// An attempt to connect failed; the next follows.
    case attemptFailed(String)
    /// An event from the server, unless a feed follows its promise.
    case event(WireEvent)
    /// An error to a request without a reply.
    case error(WireErrorReply)
}

struct ClientStreams: Sendable {
    let notices: AsyncStream<ClientNotice>
    let sessions: AsyncStream<WireSession>
    let notifications: AsyncStream<WireNotification>
    private let noticeContinuation: AsyncStream<ClientNotice>.Continuation
    private let sessionContinuation: AsyncStream<WireSession>.Continuation
    private let notificationContinuation: AsyncStream<WireNotification>.Continuation
    /// The server's limit of stored notifications per user.
    private static let notificationLimit = 200

    /// - Parameter limit: how many notices may wait to be read; of the sessions only the latest waits, of the
    ///   notifications the newest 200.
    init(limit: Int) {
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
        (sessions, sessionContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (notifications, notificationContinuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.notificationLimit)
        )
    }

    /// - Returns: `false` if there was no room for the notice.
    func tell(_ notice: ClientNotice) -> Bool {
        guard case .dropped = noticeContinuation.yield(notice) else { return true }
        return false
    }

    func tell(_ session: WireSession) { sessionContinuation.yield(session) }

    func tell(_ notification: WireNotification) { notificationContinuation.yield(notification) }

    /// Ends all streams.
    func finish() {
        noticeContinuation.finish()
        sessionContinuation.finish()
        notificationContinuation.finish()
    }
}
