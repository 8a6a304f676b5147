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
    func submit<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async -> Result<Value, StoreError> {
        let work = WorkItem(body)
        if leaders < width {
            leaders += 1
            await lead(work)
        } else if await turn(of: work) == .lead {
            await lead(work)
        }
        return work.outcome
    }

    private func turn(of work: any QueuedWork) async -> WaitingWork.Turn {
        await withCheckedContinuation { waiting.append(WaitingWork(work: work, continuation: $0)) }
    }

    private func lead(_ work: any QueuedWork) async {
        let followers = Array(waiting.prefix(batchLimit - 1))
        waiting.removeFirst(followers.count)
        transactionCount += 1
        await read(work, and: followers)
        if waiting.isEmpty {
            leaders -= 1
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
    }

    // GRDB's own async calls end with their task, and a leader's cancellation must not fail its followers.
    private func read(_ work: any QueuedWork, and followers: [WaitingWork]) async {
        await withCheckedContinuation { continuation in
            pool.asyncRead { connection in
                ReadQueue.run(work, on: connection)
                for follower in followers {
                    ReadQueue.run(follower.work, on: connection)
                    follower.continuation.resume(returning: .over)
                }
                continuation.resume()
            }
        }
    }

    private static func run(_ work: any QueuedWork, on connection: Result<Database, any Error>) {
        do { try work.run(on: SQLConnection(connection.get())) } catch { work.fail(StoreError(error)) }
    }
}
