internal import PromisedConcurrency
package import PromisedDomain

/// Collects accepted fixes and writes them in batches (write-behind), so that positions cost one transaction every few
/// seconds for all promises instead of one each.
///
/// A crash loses the buffered fixes: at most those of one interval and one write. A durable step of a session commits
/// its promise's buffered fixes, too (``take(_:)``), so that an arrival is never durable without its fixes.
///
/// The waiting fixes are bounded: past ``Limits/capacity`` (the disk is full, and stays so) the oldest of the promise
/// with the most go first, and are counted.
///
/// Fixes come in by ``add(_:to:)``, which does not wait; the actor orders the writes.
package actor FixBuffer {
    private let sink: any FixSink
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let onFailure: @Sendable (StoreError, _ kept: Int) -> Void
    /// Behind a lock, so that a session adds fixes without waiting.
    private let fixes: Guarded<PendingFixes>
    private var writeWaiters: [CheckedContinuation<Void, Never>] = []

    /// A buffer in front of a store.
    ///
    /// - Parameters:
    ///   - store: where fixes are written.
    ///   - interval: the time between two flushes while ``run()`` runs; more than 0.
    ///   - clock: what the interval is measured on.
    ///   - limits: how many fixes may wait.
    ///   - onFailure: called after each failed write with its cause and how many fixes wait now.
    package init(
        store: some HasFixes,
        interval: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock(),
        limits: Limits = Limits(),
        onFailure: @escaping @Sendable (StoreError, _ kept: Int) -> Void = { _, _ in }
    ) {
        self.init(sink: store.fixes, interval: interval, clock: clock, limits: limits, onFailure: onFailure)
    }

    /// A buffer in front of any sink.
    package init(
        sink: any FixSink,
        interval: Duration,
        clock: any Clock<Duration>,
        limits: Limits = Limits(),
        onFailure: @escaping @Sendable (StoreError, _ kept: Int) -> Void = { _, _ in }
    ) {
        self.sink = sink
        self.interval = interval
        self.clock = clock
        fixes = Guarded(PendingFixes(capacity: limits.capacity))
        self.onFailure = onFailure
    }

    /// How many fixes are not durable yet.
    package nonisolated var pendingCount: Int { fixes.withLock { $0.count } }

    /// How many fixes were dropped because too many waited.
    package nonisolated var droppedCount: Int { fixes.withLock { $0.droppedCount } }

    // MARK: - Coming and going

    /// Adds fixes of a promise to the waiting ones; never waits.
    package nonisolated func add(_ fixes: [ArchivedFix], to promise: PromiseID) {
        self.fixes.withLock { $0.add(fixes, to: promise) }
    }

    /// Removes and returns a promise's waiting fixes, in order, for a durable commit. If a flush is writing other fixes
    /// of the promise, waits for it, so that the result holds all fixes that are not durable.
    ///
    /// Afterwards call ``written(_:)`` to drop them or, if the commit fails, ``putBack(_:to:)`` to restore them; until
    /// then ``fold(_:into:_:)`` includes them. At most one commit per promise at a time.
    package func take(_ promise: PromiseID) async -> [ArchivedFix] {
        while fixes.withLock({ $0.isWriting(promise) }) { await writeEnd() }
        return fixes.withLock { $0.take(promise) }
    }

    /// Call this when the fixes that ``take(_:)`` handed over are durable.
    package nonisolated func written(_ promise: PromiseID) { fixes.withLock { $0.written(promise) } }

    /// Restores the fixes returned by ``take(_:)``, before those that arrived since.
    package nonisolated func putBack(_ fixes: [ArchivedFix], to promise: PromiseID) {
        self.fixes.withLock { $0.putBack(fixes, to: promise) }
    }

    /// The fixes of a promise that are not known to be durable, in any order.
    package nonisolated func pending(_ promise: PromiseID) -> [ArchivedFix] { fixes.withLock { $0.fixes(of: promise) } }

    /// Hands all fixes of one participant's device that are kept, durable or not, to `take`: in parts, by time and then by
    /// number, each once. `take` is not called on the buffer. Returns the last state.
    package nonisolated func fold<State: Sendable>(
        _ source: FixSource,
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State {
        // In this order: a fix that becomes durable in between is found twice, not missed.
        let pending = pending(source.promiseID)
            .filter { $0.userID == source.userID && $0.device == source.device }
            .map(\.fix).sorted()
        return try await sink.fold(source, with: pending, into: state, take)
    }

    // MARK: - Writing

    /// Flushes every interval until its task is cancelled, then once more. Cancellation does not interrupt the final
    /// flush.
    package func run() async {
        // Sleeping throws only if the task is cancelled.
        while (try? await clock.sleep(for: interval)) != nil { await flush() }
        await flush()
    }

    /// Writes all waiting fixes and returns when they are durable or the write has failed; after a failure they wait
    /// for the next flush. If a flush is in progress, waits for it first. Returns `true` if all fixes that waited at
    /// the call are durable.
    @discardableResult
    package func flush() async -> Bool {
        while fixes.withLock({ $0.isWriting }) { await writeEnd() }
        return await write(fixes.withLock { $0.beginWrite() })
    }

    /// Writes the waiting fixes of one promise only; otherwise like ``flush()``. Returns at once if the promise has
    /// none.
    package func flush(_ promise: PromiseID) async -> Bool {
        while fixes.withLock({ $0.isWriting(promise) || $0.isWriting && $0.isWaiting(promise) }) { await writeEnd() }
        return await write(fixes.withLock { $0.beginWrite(of: promise) })
    }

    /// Writes fixes, one write at a time. Returns whether they are durable.
    private func write(_ writing: [PromiseID: [ArchivedFix]]?) async -> Bool {
        guard let writing else { return true }
        let failure: StoreError?
        do throws(StoreError) {
            try await sink.writeFixes(writing)
            failure = nil
        } catch {
            failure = error
        }
        endWrite(failure)
        return failure == nil
    }

    private func endWrite(_ failure: StoreError?) {
        let kept = fixes.withLock { fixes in
            fixes.endWrite(hasFailed: failure != nil)
            return fixes.waitingCount
        }
        if let failure { onFailure(failure, kept) }
        for waiter in writeWaiters { waiter.resume() }
        writeWaiters = []
    }

    private func writeEnd() async { await withCheckedContinuation { writeWaiters.append($0) } }
}

extension FixBuffer {
    /// The capacity of a buffer.
    package struct Limits: Hashable, Sendable {
        /// At most this many wait, and one in 64 more; beyond, the oldest are dropped.
        package var capacity: Int

        /// By default at most 500,000 fixes, about 80 MB.
        ///
        /// - Precondition: `capacity` is at least 1.
        package init(capacity: Int = 500_000) {
            precondition(capacity > 0, "A buffer holds something")
            self.capacity = capacity
        }
    }
}
