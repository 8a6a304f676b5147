package import CoreMetrics
package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
internal import PromisedStore

/// Exports of users' data: an archive with all data that the server stores about a user, at most one per 24 h.
///
/// ```
/// request ─▶ at work ─▶ ready, for 24 h
///              │ │ └ failed: dropped, so that the user can request it again
///              └─┘ a visit or a course was deleted: restarts, after all others
/// ```
/// One export is made at a time, on its own thread. An export interrupted by a stop of the server restarts after the
/// next start. Times are real ones, even if the server's clock is scaled.
package struct DataExports: Sendable {
    /// The pause after a store failure, before a retry.
    private static let pause = TimeSpan.seconds(10)

    /// An export as its user sees it.
    package enum State: Hashable, Sendable {
        /// It is in progress or queued.
        case working
        case ready(StoredFile)
        /// The file of the last export has been deleted, and the next may be requested at this instant of real time.
        case tooEarly(until: Instant)
    }

    private let store: FileStore
    private let files: Files
    private let notifications: NotificationQueue
    private let news: any News
    private let maker: ExportMaker
    private let metrics: ExportMetrics
    private let log: Logger
    /// Requests that the worker has not yet handled.
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - clock: the server's clock, which determines the status of promises.
    ///   - metrics: creates the counters of exports; by default none.
    ///   - executor: makes the archives; nil for its own thread.
    package init(
        store: some HasExportedData,
        files: Files,
        notifications: NotificationQueue,
        news: any News,
        clock: any WallClock,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        on executor: (any SerialExecutor)? = nil,
        log: Logger
    ) {
        self.store = store.files
        self.files = files
        self.notifications = notifications
        self.news = news
        self.log = log
        self.metrics = ExportMetrics(metrics)
        maker = ExportMaker(store: ExportSources(store), files: files, clock: clock, on: executor, log: log)
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins an export unless one is in progress or the last one began less than 24 h ago.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    package func request(by userID: UserID) async throws -> State {
        switch try await store.requestExport(of: userID, at: files.exports.clock.now) {
        case .working: return .working
        case .ready(let file): return .ready(file)
        case .tooEarly(let until): return .tooEarly(until: until)
        case .begun(let obsolete):
            await files.deletions.remove(obsolete)
            do {
                try await files.exports.requireRoom()
            } catch {
                metrics.note(.noSpace)
                try await store.dropExport(of: userID)
                throw error
            }
            waker.yield()
            return .working
        }
    }

    /// Makes requested exports, and those left by an earlier run, until the task is cancelled. Call this once.
    package func run() async {
        repeat {
            do {
                while try await makeNext() {}
            } catch {
                log.error("Exports wait for storage", metadata: ["error": "\(error)"])
                // Throws if the task is cancelled, which `next` detects, too.
                try? await files.exports.clock.sleep(until: files.exports.clock.now + Self.pause)
                waker.yield()
            }
        } while await next()
    }

    /// Makes the export that was requested first. Returns `false` if there is none or the task is cancelled. Throws
    /// errors of the store that prevent both making and dropping it.
    func makeNext() async throws -> Bool {
        guard !Task.isCancelled, let pending = try await store.exportsAtWork().first else { return false }
        try await make(pending)
        return true
    }

    /// Waits for a request; `false` once the task is cancelled.
    private func next() async -> Bool {
        var iterator = wakes.makeAsyncIterator()
        return await iterator.next() != nil
    }

    /// Makes an export, drops it, or leaves it for its next turn.
    private func make(_ pending: PendingExport) async throws {
        let userID = pending.userID
        do {
            let file = try await maker.make(pending)
            metrics.note(.finished)
            notifications.raise(.exportReady, for: [userID])
            news.tell(.exportReady(file), to: .user(userID))
        } catch ExportError.outdated {
            return
        } catch {
            // An export interrupted by a stop of the server stays queued for the next start.
            if Task.isCancelled { return }
            metrics.note(.failed)
            log.error("An export was given up", metadata: ["user": "\(userID)", "error": "\(error)"])
            try await store.dropExport(of: userID)
        }
    }
}
