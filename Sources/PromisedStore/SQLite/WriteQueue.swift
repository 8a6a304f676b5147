internal import GRDB

/// Group commit: collects durable writes that arrive while one transaction is being synced, and commits them together.
///
/// The first caller that finds no commit in progress becomes the leader: it commits its own write with the waiting
/// ones, resumes their callers, and passes the lead to the first write queued meanwhile. A single write is committed at
/// once, a hundred concurrent ones share one or two syncs, and each caller waits for at most one transaction besides
/// its own, without an idle thread or task in between.
///
/// ```
///            submit                     batch committed, others waiting
///   idle ──────────────▶ led by one ◀─────────────────────────────────── (lead passed on)
///    ▲                       │
///    └───────────────────────┘ batch committed, none waiting
/// ```
///
/// A large write, such as a batch of an import, has its own transaction. Large and shared transactions alternate, so a
/// small write waits for at most one large one, and a large one for at most one shared transaction.
///
/// Writes of each kind are applied in the order in which they were queued. Cancelling the calling task does not cancel
/// its write: the caller gets the outcome.
actor WriteQueue {
    private let pool: any StoreConnections
    private let checkpointer: Checkpointer
    private let batchLimit: Int
    private let onCommit: @Sendable (CommitReport) -> Void
    private var waiting: [WaitingWork] = []
    private var waitingAlone: [WaitingWork] = []
    private var wasAlone = false
    private var isLed = false
    private var isClosed = false
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// How many transactions were attempted.
    private(set) var transactionCount = 0

    /// The durations of the last transactions, oldest first.
    private(set) var commitTimes: [Duration] = []
    /// How many durations are kept.
    static let rememberedCommits = 512

    /// A queue in front of the pool's writer; at most `batchLimit` writes share a transaction, and `onCommit` is called
    /// for each transaction.
    init(
        pool: any StoreConnections,
        checkpointer: Checkpointer,
        batchLimit: Int = 256,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        self.pool = pool
        self.checkpointer = checkpointer
        self.batchLimit = batchLimit
        self.onCommit = onCommit
    }

    /// How many writes wait for the current transaction to end.
    var waitingCount: Int { waiting.count + waitingAlone.count }

    /// `true` if no write is in progress.
    var isIdle: Bool { !isLed }

    /// Writes in the next transaction, in a savepoint; returns when it is synced to disk or has failed.
    func submit<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async -> Result<Value, StoreError> {
        if isClosed { return .failure(.closed) }
        let work = WorkItem(body)
        if isLed {
            let turn = await withCheckedContinuation { waiting.append(WaitingWork(work: work, continuation: $0)) }
            if turn == .over { return work.outcome }
        }
        isLed = true
        await lead(work)
        return work.outcome
    }

    /// Writes in a transaction that no other write shares; returns when it is synced to disk or has failed.
    func submitAlone<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async -> Result<Value, StoreError> {
        if isClosed { return .failure(.closed) }
        let work = WorkItem(body)
        if isLed {
            let turn = await withCheckedContinuation { waitingAlone.append(WaitingWork(work: work, continuation: $0)) }
            if turn == .over { return work.outcome }
        }
        isLed = true
        await lead(work, isAlone: true)
        return work.outcome
    }

    /// Rejects further writes and returns when the queued ones are done. Returns `true` for the first call.
    func close() async -> Bool {
        let isFirst = !isClosed
        isClosed = true
        if isLed { await withCheckedContinuation { idleWaiters.append($0) } }
        return isFirst
    }

    private func lead(_ work: any QueuedWork, isAlone: Bool = false) async {
        wasAlone = isAlone
        let followers = isAlone ? [] : Array(waiting.prefix(batchLimit - 1))
        waiting.removeFirst(followers.count)
        transactionCount += 1
        let begun = ContinuousClock.now
        await commit([work] + followers.map(\.work))
        remember(ContinuousClock.now - begun)
        for follower in followers { follower.continuation.resume(returning: .over) }
        passOn()
    }

    private func remember(_ time: Duration) {
        if commitTimes.count == WriteQueue.rememberedCommits { commitTimes.removeFirst() }
        commitTimes.append(time)
    }

    private func passOn() {
        checkpointer.consider(on: pool, isBusy: waitingCount > 0)
        if let next = nextLeader() {
            next.continuation.resume(returning: .lead)
            return
        }
        isLed = false
        for waiter in idleWaiters { waiter.resume() }
        idleWaiters = []
    }

    private func nextLeader() -> WaitingWork? {
        let isAlone = waiting.isEmpty || !wasAlone && !waitingAlone.isEmpty
        if isAlone { return waitingAlone.isEmpty ? nil : waitingAlone.removeFirst() }
        return waiting.removeFirst()
    }

    // GRDB's own async calls end with their task, and a leader's cancellation must not fail its followers.
    private func commit(_ works: [any QueuedWork]) async {
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [onCommit] db in
                let began = ContinuousClock.now
                let isDurable = WriteBatch.commit(works, on: db)
                onCommit(CommitReport(writes: works.count, duration: .now - began, isDurable: isDurable))
                continuation.resume()
            }
        }
    }
}

/// The outcome of one transaction.
package struct CommitReport: Sendable, Hashable {
    /// How many writes shared the transaction.
    package var writes: Int
    /// The duration from `BEGIN` until the transaction was synced or failed.
    package var duration: Duration
    /// `true` if the transaction was synced; `false` if the disk, memory or the commit failed, which fails all its
    /// writes. A write that fails with an error of its own does not count as a failure of the store.
    package var isDurable: Bool
}
