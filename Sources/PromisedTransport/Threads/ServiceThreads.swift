/// The threads that a server lives on. They exist before it, so that actors can live on the thread of the connections
/// they serve: a message is then processed and answered without waking another thread.
///
/// Such an actor must not compute for long, because the thread's connections wait meanwhile. Its jobs wait until the
/// server starts, and run on a system queue after it has stopped.
package struct ServiceThreads: Sendable {
    let all: [ServiceThread]

    /// Between 1 and 64 threads that are not running yet; they start with the server.
    package init(count: Int) { all = (0..<min(max(1, count), 64)).map { _ in ServiceThread() } }

    /// How many there are.
    package var count: Int { all.count }

    /// For each thread, in the order of ``ConnectionID/thread``, the executor of actors that live on it.
    package var executors: [any SerialExecutor] { all }

    /// Cancels the threads that have not started.
    func cancel() {
        for thread in all { thread.cancel() }
    }
}

/// Commands of other threads to a service thread, executed in order.
enum LoopCommand: Sendable {
    /// Put payloads into the outboxes of these connections.
    case send([OutgoingPayload], to: [ConnectionID], kind: FrameKind)
    /// Close a connection once what waits for it has been sent.
    case close(ConnectionID, CloseReason)
    /// The peer has signed in: lift its deadline and raise its limit.
    case admit(ConnectionID)
    /// Cut an unauthenticated connection because another needs its place.
    case cut(ConnectionID)
    /// A received message of `bytes` bytes was processed.
    case processed(ConnectionID, bytes: Int)
    case connect(ClientAttempt)
    /// Stop connecting, or cut the connection just made.
    case abandon(ClientAttempt)
    /// Show new connections another certificate.
    case present(TLSCertificate)
    /// Close everything, within `timeout` after `spread`, then end the thread.
    case shutdown(CloseReason, spread: Duration, timeout: Duration)
}

enum FrameKind: Sendable {
    /// The kind of the connection's sub-protocol.
    case ofSubprotocol
    /// As named, whatever the sub-protocol.
    case text
    case binary
}
