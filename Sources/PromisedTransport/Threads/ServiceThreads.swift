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
