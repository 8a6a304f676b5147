/// The threads that a server lives on. They are there before it, so that actors can be given a home on the thread of the
/// connections they serve: what comes in is then dealt with, and answered, without waking another thread.
///
/// Such an actor must not compute for long, for the thread's connections wait meanwhile. Before the server starts its jobs
/// wait; when the server has stopped they run on a queue of the system.
public struct ServiceThreads: Sendable {
    let all: [ServiceThread]

    /// Between 1 and 64 threads that do not run yet; they start with the server.
    public init(count: Int) {
        all = (0..<min(max(1, count), 64)).map { _ in ServiceThread() }
    }

    /// How many there are.
    public var count: Int { all.count }

    /// For each thread, in the order of ``ConnectionID/thread``, the executor of actors that live on it.
    public var executors: [any SerialExecutor] { all }

    /// Those that have not started never will.
    func cancel() {
        for thread in all { thread.cancel() }
    }
}

/// What other threads ask of a service thread; done in the order of asking.
enum LoopCommand: Sendable {
    /// Put payloads into the outboxes of these connections.
    case send([Parcel], to: [ConnectionID], kind: FrameKind)
    /// Close a connection once what waits for it has been sent.
    case close(ConnectionID, CloseReason)
    /// A peer is known: lift its deadline and raise its limit.
    case admit(ConnectionID)
    /// Cut a connection that nobody has signed in on, for another needs its place.
    case cut(ConnectionID)
    /// A received message of so many bytes was dealt with.
    case processed(ConnectionID, bytes: Int)
    /// Connect as a client.
    case connect(ClientAttempt)
    /// Stop connecting, or cut what was connected just now.
    case abandon(ClientAttempt)
    /// Show new connections another certificate.
    case present(TLSCertificate)
    /// Close everything, within `timeout` after `spread`, then end the thread.
    case shutdown(CloseReason, spread: Duration, timeout: Duration)
}

/// Which kind of frame a payload is sent in.
enum FrameKind: Sendable {
    /// The kind of the connection's sub-protocol.
    case ofSubprotocol
    /// As named, whatever the sub-protocol.
    case text
    case binary
}
