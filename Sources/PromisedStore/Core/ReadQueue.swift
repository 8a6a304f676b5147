internal import GRDB

/// Distributes reads over the pool's read-only connections. Reads that arrive while all connections are busy run
/// together, on one snapshot, as soon as one is free; waiting reads hold no thread.
///
/// The first caller that finds a free connection becomes the leader: it runs its read with the waiting ones, resumes
/// their callers, and passes the lead to the first read queued meanwhile. The snapshot is never older than the call.
/// Cancelling the calling task does not cancel a read.
actor ReadQueue {
    private let pool: any StoreConnections
    private let width: Int
    private let batchLimit: Int
    private var waiting: [WaitingWork] = []
    /// The number of busy connections.
    private var leaders = 0
    /// How many read transactions were started, for tests.
    private(set) var transactionCount = 0

    /// A queue in front of the pool's `width` readers; at most `batchLimit` reads share a transaction.
    init(pool: any StoreConnections, width: Int, batchLimit: Int = 16) {
        self.pool = pool
        self.width = width
        self.batchLimit = batchLimit
    }

    var waitingCount: Int { waiting.count }

    /// Reads the last committed state.
    func submit(_ work: @escaping QueuedWork) async -> QueuedOutcome {
        guard leaders == width else {
            leaders += 1
            return await lead(work)
        }
        let turn = await withCheckedContinuation { waiting.append(WaitingWork(work: work, continuation: $0)) }
        switch turn {
        case .over(let outcome): return outcome
        case .lead: return await lead(work)
        }
    }

    private func lead(_ work: @escaping QueuedWork) async -> QueuedOutcome {
        let followers = Array(waiting.prefix(batchLimit - 1))
        waiting.removeFirst(followers.count)
        transactionCount += 1
        let outcome = await read(work, and: followers)
        if waiting.isEmpty {
            leaders -= 1
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
        return outcome
    }

    // GRDB's own async calls end with their task, and a leader's cancellation must not fail its followers.
    private func read(_ work: @escaping QueuedWork, and followers: [WaitingWork]) async -> QueuedOutcome {
        await withCheckedContinuation { continuation in
            pool.asyncRead { connection in
                let outcome = ReadQueue.outcome(of: work, on: connection)
                for follower in followers {
                    let outcome = ReadQueue.outcome(of: follower.work, on: connection)
                    follower.continuation.resume(returning: .over(outcome))
                }
                continuation.resume(returning: outcome)
            }
        }
    }

    private static func outcome(of work: QueuedWork, on connection: Result<Database, any Error>) -> QueuedOutcome {
        Result { try work(connection.get()) }.mapError(StoreError.init)
    }
}
