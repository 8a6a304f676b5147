package import Logging
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedPlaces
package import PromisedStore

/// The directory in memory: builds the index at start and after changes, and runs queries.
///
/// ```
/// run ─▶ read and build ─▶ swap ─▶ pause 10 s ─▶ wait for a change ─┐
///             ▲                                                     │
///             └─────────────────────────────────────────────────────┘
/// ```
/// The end of an import builds it at once, between two builds of ``run()``. The index is replaced as a whole: a query
/// continues with the one it began with. Until the first index is built, queries throw `unavailable`. Queries and
/// builds run on their own threads.
package final class PlaceDirectory: OutlookPlaces {
    /// The shortest time between two builds, in real time.
    package static let interval = Duration.seconds(10)

    /// Determines when places are open.
    package let openings: PlaceOpenings
    private let store: PlaceStore
    private let pauses: any Clock<Duration>
    private let metrics: PlaceMetrics
    private let log: Logger
    private let queries: WorkQueue
    private let building: WorkQueue
    private let state = Guarded<DirectoryState?>(nil)
    /// One build at a time: two would need twice the memory.
    private let turn = BuildTurn()
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation
    private let progress = Guarded(Progress())

    private struct Progress: Sendable {
        /// `true` once ``run()`` has begun.
        var isRunning = false
        /// The callers that wait for the first index; nil once it is built or has failed.
        var waiting: [AsyncStream<Void>.Continuation]? = []
    }

    /// The directory of a store; empty until ``run()`` has built the index.
    ///
    /// - Parameters:
    ///   - pauses: the clock for the time between two builds; the real clock outside tests.
    ///   - thread: runs builds and queries; nil for a separate thread for each.
    package init(
        store: some HasPlaces,
        openings: PlaceOpenings,
        metrics: PlaceMetrics,
        log: Logger,
        pauses: any Clock<Duration> = .continuous,
        on thread: WorkThread? = nil
    ) {
        self.store = store.places
        self.openings = openings
        self.metrics = metrics
        self.log = log
        self.pauses = pauses
        queries = WorkQueue(label: "promised.places.queries", about: "places", on: thread)
        building = WorkQueue(label: "promised.places.building", about: "places", on: thread)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: - Building

    /// Builds the index now and after changes, until the task is cancelled. Call this once.
    package func run() async {
        progress.withLock { $0.isRunning = true }
        defer { endWaiting() }
        var changes = changes.makeAsyncIterator()
        while !Task.isCancelled {
            let isCurrent = await refresh()
            endWaiting()
            // Sleeping throws only if the task is cancelled.
            guard (try? await pauses.sleep(for: PlaceDirectory.interval)) != nil else { return }
            if isCurrent { await changes.next() }
        }
    }

    /// Waits until ``run()`` has built the first index, failed to, or ended; or until the caller's task is cancelled.
    package func firstBuild() async {
        let (built, waiter) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let isOver = progress.withLock { progress in
            progress.waiting?.append(waiter)
            return progress.waiting == nil
        }
        if isOver { waiter.finish() }
        for await _ in built {}
    }

    private func endWaiting() {
        let waiters = progress.withLock { progress in
            defer { progress.waiting = nil }
            return progress.waiting
        }
        for waiter in waiters ?? [] { waiter.finish() }
    }

    /// Reports changed rows of the directory or its sources: rebuilds the index, at most once per ``interval``. Returns
    /// at once.
    package func directoryChanged() { changed.yield() }

    /// The directory version of the index; nil until it is built.
    package var version: Int? { state.withLock { $0?.index.version } }

    /// Returns once queries include all changes so far, or when building the index has failed; ``run()`` logs and
    /// retries that. Without ``run()``, as in an offline command, nobody queries, and it returns at once.
    package func showChanges() async { if progress.withLock({ $0.isRunning }) { await refresh() } }

    /// Builds the index now if the directory has changed. Returns `false` if the storage failed: ``run()`` retries
    /// after the pause.
    @discardableResult
    package func refresh() async -> Bool {
        await turn.begin()
        defer { turn.end() }
        do {
            // The index may already include an announced change, or there was no change.
            if try await store.directoryVersion() != version { try await build() }
            return true
        } catch {
            metrics.failed()
            log.error("The index of places could not be built", metadata: ["error": "\(error)"])
            return false
        }
    }

    private func build() async throws {
        let begun = ContinuousClock.now
        let (version, builder) = try await store.readDirectory { version, places in
            var builder = PlaceIndexBuilder(expectedCount: places.count)
            try places.forEachPlace { builder.add($0, otherNames: $1) }
            return (version, builder)
        }
        let sources = try await store.placeSources().map(\.source)
        let built = try await building.run { [openings] in
            openings.prepare(sources)
            return DirectoryState(builder.index(version: version, regionText: PlaceDirectory.text), sources: sources)
        }
        state.withLock { $0 = built }
        let duration = ContinuousClock.now - begun
        metrics.built(places: built.index.count, bytes: built.index.byteCount, in: duration)
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        log.info(
            "The index of places was built",
            metadata: ["places": "\(built.index.count)", "milliseconds": "\(milliseconds)"]
        )
    }

    /// The text by which searches find a region: its names, and all spellings of a Korean province.
    private static func text(of region: RegionCode) -> String {
        let province = KoreanProvince(code: region.parent ?? region)
        let names = [province?.name.english].compactMap(\.self) + (province?.spellings ?? [])
        return (names + [region.part.map(String.init) ?? region.text]).joined(separator: " ")
    }

    // MARK: - Asking

    /// The current state of the directory. Throws `unavailable` until it is loaded.
    package func standing() throws(ApplicationError) -> DirectoryState {
        guard let state = state.withLock({ $0 }) else {
            throw .unavailable(retryAfter: .seconds(2), message: "The directory of places is being read: try again.")
        }
        return state
    }

    /// Runs a query on the directory's thread, on the state current when its turn comes. Throws `unavailable` until the
    /// directory is loaded, and if too many queries wait.
    package func ask<Value: Sendable>(
        _ kind: PlaceQueryKind,
        _ query: @escaping @Sendable (DirectoryState) -> Value
    ) async throws(ApplicationError) -> Value {
        let begun = ContinuousClock.now
        do throws(ApplicationError) {
            let first = try standing()
            let value = try await queries.run { [state] in query(state.withLock { $0 } ?? first) }
            metrics.answered(kind, in: ContinuousClock.now - begun)
            return value
        } catch {
            metrics.refused(kind)
            throw error
        }
    }

    /// The position of a place. Throws `placeNotFound`; `unavailable` until the directory is loaded.
    package func coordinate(of id: PlaceID) throws(ApplicationError) -> Coordinate {
        let index = try standing().index
        guard let row = index.row(of: id) else { throw .refused(.placeNotFound, field: "placeId") }
        return index.coordinate(of: row)
    }

    /// The opening of a place at an instant, without waiting; nil if it is unknown, if the place is not in the
    /// directory, or until the directory is loaded.
    package func opening(of id: PlaceID, at instant: Instant) -> OpeningOutlook? {
        guard let index = state.withLock({ $0 })?.index, let row = index.row(of: id) else { return nil }
        return openings.outlook(of: index.listing(of: row).hours, at: instant)
    }
}

/// Allows one build of the index at a time; others wait in order.
private final class BuildTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    /// Waits for the turn. Ignores cancellation of the caller's task, because a build ends soon.
    func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the turn to the next caller.
    func end() {
        let next = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
