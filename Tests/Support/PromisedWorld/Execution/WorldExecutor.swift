internal import CConcurrencyHooks
internal import PromisedConcurrency

/// The only executor of a simulation: holds the jobs of all actors and tasks of the process until the world runs one.
///
/// Jobs of the cooperative pool have no order among themselves, as on several threads. Sessions share this executor as
/// they share a service thread, so their jobs keep their order.
final class WorldExecutor: SerialExecutor, Sendable {
    /// The executor of the process.
    static let shared = WorldExecutor()

    private struct Jobs: Sendable {
        var sessions: [UnownedJob] = []
        var pool: [UnownedJob] = []
    }

    private let jobs = Guarded(Jobs())
    private let isEntered = Guarded(false)
    private let pool = PoolExecutor()

    /// Captures the jobs of the process. From then on they run only by ``runOne(_:)``.
    private init() {
        promised_take_jobs { job in WorldExecutor.shared.add(unsafeBitCast(job, to: UnownedJob.self)) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.sessions.append(job) }
    }

    /// Runs `body` between two jobs, as what arrives on a service thread runs there: it may enter sessions at once.
    func enter(_ body: () -> Void) {
        isEntered.withLock { $0 = true }
        body()
        isEntered.withLock { $0 = false }
    }

    /// Nil on a job: the runtime knows its executor.
    func isIsolatingCurrentContext() -> Bool? { isEntered.withLock { $0 } ? true : nil }

    /// The number of pending jobs.
    var count: Int { jobs.withLock { $0.sessions.count + $0.pool.count } }

    /// Runs a job until it ends or suspends.
    ///
    /// - Parameter choose: returns a number from 0 up to, but not including, that of the jobs that may be next.
    /// - Returns: `false` without a pending job.
    func runOne(_ choose: (Int) -> Int) -> Bool {
        let (hasSession, poolCount) = jobs.withLock { (!$0.sessions.isEmpty, $0.pool.count) }
        let candidates = poolCount + (hasSession ? 1 : 0)
        guard candidates > 0 else { return false }
        let chosen = candidates == 1 ? 0 : choose(candidates)
        if chosen < poolCount {
            let job = jobs.withLock { $0.pool.remove(at: chosen) }
            job.runSynchronously(on: pool.asUnownedTaskExecutor())
        } else {
            let job = jobs.withLock { $0.sessions.removeFirst() }
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
        return true
    }

    private func add(_ job: UnownedJob) { jobs.withLock { $0.pool.append(job) } }
}

/// The executor of the cooperative pool's jobs; its queue stays empty, because no task prefers it.
private final class PoolExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { preconditionFailure("No task prefers this executor") }
}
