internal import Dispatch
internal import PromisedConcurrency

/// Runs work of one kind, one piece after the other, off the cooperative pool, so that none holds up a meetup.
///
/// The bound counts waiting work, not the piece in progress. Work is not cancelled with the task that asked for it.
package final class WorkQueue: Sendable {
    /// The most pieces of work that may wait.
    package static let limit = 256

    // Without a target it has a thread of its own whenever there is work, however busy the others are.
    private let queue: DispatchQueue
    private let waitingCount = Guarded(0)
    private let subject: String

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - label: the name that debuggers show.
    ///   - subject: completes the sentence "Too many requests about … wait".
    package init(label: String, about subject: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.subject = subject
    }

    /// How many pieces of work wait.
    package var waiting: Int { waitingCount.withLock { $0 } }

    /// Runs `work` when its turn comes. Throws `unavailable` if the queue is full.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ActError) -> Value {
        let hasRoom = waitingCount.withLock { waiting in
            guard waiting < WorkQueue.limit else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else {
            throw .unavailable(retryAfter: .seconds(1), message: "Too many requests about \(subject) wait: try again.")
        }
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                waitingCount.withLock { $0 -= 1 }
                continuation.resume(returning: work())
            }
        }
    }
}
