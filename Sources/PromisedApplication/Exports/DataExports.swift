package import CoreMetrics
package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Exports of users' data: an archive with everything that the server keeps of a user, once in 24 h.
///
/// ```
/// request ─▶ at work ─▶ ready, for 24 h
///              │ │ └ failed: forgotten, so that the user may ask again
///              └─┘ a visit or a course was deleted: from the beginning, behind all others
/// ```
/// One is made at a time, on a thread of its own. One that a stop of the server interrupts is made from its beginning
/// after the next start. Its times are real ones, on scaled clocks too.
package struct DataExports: Sendable {
    /// How long after a fault of the store it is asked again.
    private static let pause = TimeSpan.seconds(10)

    /// An export as its user sees it.
    package enum State: Hashable, Sendable {
        /// It is being made, or waits for others.
        case working
        /// It can be read.
        case ready(StoredFile)
        /// The file of the last one is gone, and the next may be asked for at this instant of real time.
        case tooEarly(until: Instant)
    }

    private let store: Store
    private let files: Files
    private let notifications: NotificationQueue
    private let onReady: @Sendable (StoredFile, UserID) -> Void
    private let maker: ExportMaker
    private let metrics: ExportMetrics
    private let log: Logger
    /// Requests that the worker has not seen.
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// The exports of the data in a store.
    ///
    /// - Parameters:
    ///   - clock: the server's clock, by which promises have their status.
    ///   - onReady: called with each export that is ready, and its user; must not wait.
    ///   - metrics: makes the counters of exports; none by default.
    ///   - executor: makes the archives; nil for a thread of its own.
    package init(
        store: Store,
        files: Files,
        notifications: NotificationQueue,
        onReady: @escaping @Sendable (StoredFile, UserID) -> Void,
        clock: any WallClock,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        on executor: (any SerialExecutor)? = nil,
        log: Logger
    ) {
        self.store = store
        self.files = files
        self.notifications = notifications
        self.onReady = onReady
        self.log = log
        self.metrics = ExportMetrics(metrics)
        maker = ExportMaker(store: store, files: files, clock: clock, on: executor, log: log)
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins an export unless one is at work or the last one began less than 24 h ago.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    package func request(by userID: UserID) async throws -> State {
        switch try await store.requestExport(of: userID, at: files.clock.now) {
        case .working: return .working
        case .ready(let file): return .ready(file)
        case .tooEarly(let until): return .tooEarly(until: until)
        case .begun(let obsolete):
            await files.remove(obsolete)
            do {
                try await files.requireRoom()
            } catch {
                metrics.note(.noSpace)
                try await store.dropExport(of: userID)
                throw error
            }
            waker.yield()
            return .working
        }
    }

    /// Makes the exports that are asked for, and those that an earlier run left, until the task is cancelled. Once only.
    package func run() async {
        repeat {
            do {
                while try await makeNext() {}
            } catch {
                log.error("Exports wait for storage", metadata: ["error": "\(error)"])
                // Throws when the task is cancelled, which `next` sees as well.
                try? await files.clock.sleep(until: files.clock.now + Self.pause)
                waker.yield()
            }
        } while await next()
    }

    /// Makes the export that was asked for first. Returns `false` if none is at work, or the task is cancelled; throws the
    /// store's errors when one can neither be made nor dropped.
    func makeNext() async throws -> Bool {
        guard !Task.isCancelled, let pending = try await store.exportsAtWork().first else { return false }
        try await make(pending)
        return true
    }

    /// Waits for a request; false once the task is cancelled.
    private func next() async -> Bool {
        var iterator = wakes.makeAsyncIterator()
        return await iterator.next() != nil
    }

    /// Makes one, or drops it, or leaves it to its next turn.
    private func make(_ pending: PendingExport) async throws {
        let userID = pending.userID
        do {
            let file = try await maker.make(pending)
            metrics.note(.finished)
            notifications.arose(.exportReady, for: [userID])
            onReady(file, userID)
        } catch ExportError.outdated {
            return
        } catch {
            // One that a stop of the server interrupts stays at work, for the next start.
            if Task.isCancelled { return }
            metrics.note(.failed)
            log.error("An export was given up", metadata: ["user": "\(userID)", "error": "\(error)"])
            try await store.dropExport(of: userID)
        }
    }
}
