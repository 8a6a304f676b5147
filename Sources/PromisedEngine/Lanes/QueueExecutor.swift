internal import Dispatch

/// Runs jobs one after the other on a queue of the system: the home of sessions that were given no other.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "promised-sessions")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
