package import PromisedDomain

/// Collects accepted fixes and writes them behind in batches, so that positions cost one transaction for all promises
/// every few seconds instead of one each.
///
/// A crash loses the fixes that wait here: at most one interval and the time of one write. A durable step of a session
/// takes its promise's waiting fixes along (``take(_:)``), so that an arrival is never durable without its fixes.
///
/// The waiting fixes are bounded: past ``Limits/capacity`` (the disk is full, and stays so) the oldest of the promise
/// with the most go first, and are counted.
package actor FixBuffer {
    private let sink: any FixSink
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let onFailure: @Sendable (StoreError, _ kept: Int) -> Void
    private let staged: @Sendable () -> [PromiseID: [ArchivedFix]]

    private var fixes: PendingFixes
    private var writeWaiters: [CheckedContinuation<Void, Never>] = []

    /// A buffer in front of a store.
    ///
    /// - Parameters:
    ///   - store: where fixes are written.
    ///   - interval: the time between two flushes while ``run()`` runs; more than 0.
    ///   - clock: what the interval is measured on.
    ///   - limits: how many fixes may wait.
    ///   - onFailure: called after each failed flush with its cause and how many fixes wait now.
    ///   - staged: hands over fixes that a caller who could not wait has put aside, and forgets them; called without a
    ///     suspension whenever the buffer looks at what waits, so that none is ever between the two.
    package init(
        store: Store,
        interval: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock(),
        limits: Limits = Limits(),
        onFailure: @escaping @Sendable (StoreError, _ kept: Int) -> Void = { _, _ in },
        staged: @escaping @Sendable () -> [PromiseID: [ArchivedFix]] = { [:] }
    ) {
        self.init(sink: store, interval: interval, clock: clock, limits: limits, onFailure: onFailure, staged: staged)
    }

    /// A buffer in front of anything that takes fixes.
    package init(
        sink: any FixSink,
        interval: Duration,
        clock: any Clock<Duration>,
        limits: Limits = Limits(),
        onFailure: @escaping @Sendable (StoreError, _ kept: Int) -> Void = { _, _ in },
        staged: @escaping @Sendable () -> [PromiseID: [ArchivedFix]] = { [:] }
    ) {
        self.sink = sink
        self.interval = interval
        self.clock = clock
        fixes = PendingFixes(capacity: limits.capacity)
        self.onFailure = onFailure
        self.staged = staged
    }

    /// How many fixes are not durable yet.
    package var pendingCount: Int {
        collectStaged()
        return fixes.count
    }

    /// How many fixes were dropped because too many waited.
    package var droppedCount: Int { fixes.droppedCount }

    // MARK: - Coming and going

    /// Adds fixes of a promise to the waiting ones.
    package func add(_ fixes: [ArchivedFix], to promise: PromiseID) { self.fixes.add(fixes, to: promise) }

    /// Hands over the waiting fixes of a promise, in order, to be written by a durable commit. Waits for a flush that
    /// writes others of the same promise, so that what is handed over is all that is not durable.
    ///
    /// Afterwards ``written(_:)`` forgets them, or, when that commit fails, ``putBack(_:to:)`` brings them back; until then
    /// they are found by ``fold(_:into:_:)``. One commit of a promise at a time.
    package func take(_ promise: PromiseID) async -> [ArchivedFix] {
        while fixes.isWriting(promise) { await writeEnd() }
        collectStaged()
        return fixes.take(promise)
    }

    /// Call this when the fixes that ``take(_:)`` handed over are durable.
    package func written(_ promise: PromiseID) { fixes.written(promise) }

    /// Brings back what ``take(_:)`` handed over, before what has come since.
    package func putBack(_ fixes: [ArchivedFix], to promise: PromiseID) { self.fixes.putBack(fixes, to: promise) }

    /// The fixes of one participant's device that are not known to be durable, by time and then by number.
    package func pending(promise: PromiseID, user: UserID, device: DeviceKey) -> [SettledFix] {
        collectStaged()
        return fixes.fixes(of: promise, user: user, device: device)
    }

    /// Hands all fixes of one participant's device that are kept, durable or not, to `take`: in parts, by time and then by
    /// number, each once. `take` is not called on the buffer. Returns the last state.
    package func fold<State: Sendable>(
        _ source: FixSource,
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State {
        // In this order: what becomes durable in between is found twice rather than not at all.
        let pending = pending(promise: source.promiseID, user: source.userID, device: source.device)
        return try await sink.fold(source, with: pending, into: state, take)
    }

    // MARK: - Writing

    /// Flushes every interval until its task is cancelled; then once more. The final flush is not cut short by the
    /// cancellation.
    package func run() async {
        // Sleeping fails only when the task is cancelled.
        while (try? await clock.sleep(for: interval)) != nil { await flush() }
        await flush()
    }

    /// Writes all that waits and returns when it is durable or the write has failed; a failed write keeps the fixes for
    /// the next one. With a flush under way it waits for that first. Returns whether nothing that waited at the call is
    /// left.
    @discardableResult
    package func flush() async -> Bool {
        while fixes.isWriting { await writeEnd() }
        collectStaged()
        guard let writing = fixes.beginWrite() else { return true }
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
        fixes.endWrite(hasFailed: failure != nil)
        if let failure { onFailure(failure, fixes.waitingCount) }
        for waiter in writeWaiters { waiter.resume() }
        writeWaiters = []
    }

    private func collectStaged() {
        for (promise, fixes) in staged() { add(fixes, to: promise) }
    }

    private func writeEnd() async { await withCheckedContinuation { writeWaiters.append($0) } }
}

extension FixBuffer {
    /// How many fixes may wait.
    package struct Limits: Hashable, Sendable {
        /// At most this many wait; beyond, the oldest are dropped.
        package var capacity: Int

        /// Limits; by default at most 500,000, about 80 MB.
        ///
        /// - Precondition: `capacity` is at least 1.
        package init(capacity: Int = 500_000) {
            precondition(capacity > 0, "A buffer holds something")
            self.capacity = capacity
        }
    }
}
