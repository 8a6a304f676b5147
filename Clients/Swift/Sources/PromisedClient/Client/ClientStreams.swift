internal import PromisedProtocol

/// The streams that a client writes for its reader.
struct ClientStreams: Sendable {
    let notices: AsyncStream<ClientNotice>
    let sessions: AsyncStream<WireSession>
    private let noticeContinuation: AsyncStream<ClientNotice>.Continuation
    private let sessionContinuation: AsyncStream<WireSession>.Continuation

    /// - Parameter limit: how many notices may wait to be read; of the sessions only the latest waits.
    init(limit: Int) {
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
        (sessions, sessionContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// - Returns: `false` if there was no room for the notice.
    func tell(_ notice: ClientNotice) -> Bool {
        guard case .dropped = noticeContinuation.yield(notice) else { return true }
        return false
    }

    func tell(_ session: WireSession) { sessionContinuation.yield(session) }

    /// Tells the readers that nothing more comes.
    func finish() {
        noticeContinuation.finish()
        sessionContinuation.finish()
    }
}
