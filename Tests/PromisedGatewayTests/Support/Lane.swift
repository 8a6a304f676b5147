import Dispatch
import Glibc
import PromisedConcurrency

/// The executor of the sessions, like a service thread: its work enters a session without a thread switch.
actor Lane {
    nonisolated let executor = LaneExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` on the executor.
    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }
}

/// An executor that knows which thread it runs on.
final class LaneExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "gateway-tests")
    private let thread = Guarded<pthread_t?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            thread.withLock { $0 = pthread_self() }
            job.runSynchronously(on: asUnownedSerialExecutor())
            thread.withLock { $0 = nil }
        }
    }

    func isIsolatingCurrentContext() -> Bool? { thread.withLock { $0 } == pthread_self() }
}
