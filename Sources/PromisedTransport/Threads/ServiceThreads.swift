/// The threads of a server. They exist before it, so that actors can use the thread of their connections as their
/// executor: a message is then processed and answered without waking another thread.
///
/// Such an actor must not compute for long, because the thread's connections wait meanwhile. Its jobs wait until the
/// server starts, and run on a system queue after it has stopped.
package struct ServiceThreads: Sendable {
    let all: [ServiceThread]

    /// Between 1 and 64 threads, which start with the server.
    package init(count: Int) { all = (0..<min(max(1, count), 64)).map { _ in ServiceThread() } }

    package var count: Int { all.count }

    /// The executors of actors on each thread, in the order of ``ConnectionID/thread``.
    package var executors: [any SerialExecutor] { all }

    /// Cancels threads that have not started.
    func cancel() {
        for thread in all { thread.cancel() }
    }
}

/// Commands from other threads to a service thread, executed in order.
enum LoopCommand: Sendable {
    /// Add payloads to the outboxes of these connections.
    case send([OutgoingPayload], to: [ConnectionID], kind: FrameKind)
    /// Close a connection after its queued frames have been sent.
    case close(ConnectionID, CloseReason)
    /// Lift the deadline of a peer that has signed in, and raise its limit.
    case admit(ConnectionID)
    /// Cut an unauthenticated connection because another needs its place.
    case cut(ConnectionID)
    /// A received message of `bytes` bytes was processed.
    case processed(ConnectionID, bytes: Int)
    /// Send these bytes to a plain request that waits for its reply.
    case answer(ConnectionID, [UInt8])
    case connect(ClientAttempt)
    /// Stop connecting, or cut the connection just made.
    case abandon(ClientAttempt)
    /// Use another certificate for new connections.
    case present(TLSCertificate)
    /// Close everything, within `timeout` after `spread`, then end the thread.
    case shutdown(CloseReason, spread: Duration, timeout: Duration)
}

enum FrameKind: Sendable {
    /// The kind of the connection's sub-protocol.
    case ofSubprotocol
    /// Text, whatever the sub-protocol.
    case text
    case binary
}
