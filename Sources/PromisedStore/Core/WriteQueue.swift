internal import GRDB

/// Group commit: collects durable writes that arrive while one transaction is being synced, and commits them together.
///
/// The first caller that finds no commit in progress leads: it commits its own write with the waiting ones, answers
/// them, and passes the lead to the first of those that came meanwhile. So a lone write is committed at once, a hundred
/// concurrent ones share one or two syncs, no caller waits for more than one transaction beside its own, and no thread
/// or task idles in between.
///
/// ```
///            submit                     batch committed, somebody waits
///   idle ──────────────▶ led by one ◀─────────────────────────────────── (lead passed on)
///    ▲                       │
///    └───────────────────────┘ batch committed, nobody waits
/// ```
///
/// A large write, such as a batch of an import, has a transaction alone. Such transactions and shared ones take turns, so
/// that a small write waits for at most one large one, and a large one for one shared transaction.
///
/// Writes of each kind are applied in the order in which they were queued. They are not cancelled with the task that
/// asked: the caller gets the outcome.
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

    /// How many transactions were tried.
    private(set) var transactionCount = 0

    /// How long the last transactions took, in order.
    private(set) var commitTimes: [Duration] = []
    /// How many transactions' times are kept.
    static let rememberedCommits = 512

    /// A queue in front of the pool's one writer; at most `batchLimit` writes share a transaction, and `onCommit` is
    /// called for each.
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

    /// How many writes wait for the present transaction to end.
    var waitingCount: Int { waiting.count + waitingAlone.count }

    /// `true` if nothing is being written.
    var isIdle: Bool { !isLed }

    /// Writes in the next transaction, in a savepoint; returns when it is synced to disk or has failed.
    func submit(_ work: @escaping QueuedWork) async -> QueuedOutcome {
        if isClosed { return .failure(.closed) }
        if isLed {
            let turn = await withCheckedContinuation { waiting.append(WaitingWork(work: work, continuation: $0)) }
            if case .over(let outcome) = turn { return outcome }
        }
        isLed = true
        return await lead(work)
    }

    /// Writes in a transaction that no other write shares; returns when it is synced to disk or has failed.
    func submitAlone(_ work: @escaping QueuedWork) async -> QueuedOutcome {
        if isClosed { return .failure(.closed) }
        if isLed {
            let turn = await withCheckedContinuation { waitingAlone.append(WaitingWork(work: work, continuation: $0)) }
            if case .over(let outcome) = turn { return outcome }
        }
        isLed = true
        return await lead(work, isAlone: true)
    }

    /// Rejects further writes and returns when the queued ones are done. Returns `true` for the first call.
    func close() async -> Bool {
        let isFirst = !isClosed
        isClosed = true
        if isLed { await withCheckedContinuation { idleWaiters.append($0) } }
        return isFirst
    }

    private func lead(_ work: @escaping QueuedWork, isAlone: Bool = false) async -> QueuedOutcome {
        wasAlone = isAlone
        let followers = isAlone ? [] : Array(waiting.prefix(batchLimit - 1))
        waiting.removeFirst(followers.count)
        transactionCount += 1
        let begun = ContinuousClock.now
        let outcomes = await commit([work] + followers.map(\.work))
        remember(ContinuousClock.now - begun)
        for (follower, outcome) in zip(followers, outcomes.dropFirst()) {
            follower.continuation.resume(returning: .over(outcome))
        }
        passOn()
        return outcomes[0]
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

    // GRDB's own async calls end with their task; one leader's cancellation must not fail its followers.
    private func commit(_ works: [QueuedWork]) async -> [QueuedOutcome] {
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [onCommit] db in
                let began = ContinuousClock.now
                let (outcomes, isDurable) = WriteBatch.commit(works, on: db)
                onCommit(CommitReport(writes: works.count, duration: .now - began, isDurable: isDurable))
                continuation.resume(returning: outcomes)
            }
        }
    }
}

/// The outcome of one transaction.
package struct CommitReport: Sendable, Hashable {
    /// How many writes shared it.
    package var writes: Int
    /// How long it took, from its begin until it was synced to the disk or had failed.
    package var duration: Duration
    /// `true` if the store kept it; false if the disk, memory or the commit failed, which fails every write in it. A
    /// write that was refused for a reason of its own is not a failure of the store, alone in its transaction or not.
    package var isDurable: Bool
}
