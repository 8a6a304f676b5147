internal import Logging
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// Looks for damage in the structure of the database file, and remembers what it found.
///
/// That reads the whole file: 1.2 ms of processor time a megabyte. A small file is looked at on request. A larger one
/// is looked at once a day, a table at a time, and requests get the last result.
actor IntegrityWatch {
    /// How long after the start the first look begins, so that a restart is not slowed down.
    static let firstAfter = Duration.seconds(60)
    /// The time between two looks.
    static let interval = Duration.seconds(86_400)

    private let store: Store
    private let log: Logger
    private let small: Int
    private var last: HealthFinding?

    /// A watch that has not looked yet.
    ///
    /// - Parameter small: the most bytes of a file that is looked at on request, by default 8 MiB.
    init(_ store: Store, small: Int = 8 << 20, log: Logger) {
        self.store = store
        self.small = small
        self.log = log
    }

    /// Looks again and again until the task is cancelled.
    func run() async {
        var pause = IntegrityWatch.firstAfter
        // Sleeping fails only when the task is cancelled.
        while (try? await Task.sleep(for: pause, clock: .continuous)) != nil {
            pause = await look(at: RealTime.now) ? IntegrityWatch.interval : IntegrityWatch.firstAfter
        }
    }

    /// Looks at the file, and remembers the result. Returns `false` if the file could not be read.
    ///
    /// - Parameter now: real time, which the result shows.
    @discardableResult
    func look(at now: Instant) async -> Bool {
        var finding: HealthFinding
        do throws(StoreError) {
            finding = try await examine()
        } catch {
            if !Task.isCancelled {
                log.error("The database file could not be checked", metadata: ["error": "\(error)"])
            }
            return false
        }
        if finding.state != .ok { log.error("The database file is damaged", metadata: ["detail": "\(finding.detail)"]) }
        finding.detail += " Checked at \(now.rfc3339)."
        last = finding
        return true
    }

    /// The state of the file: of a small one now, of a larger one when it was looked at last.
    func finding() async -> HealthFinding {
        guard store.fileBytes <= small else {
            let waiting = "The file is too large to check on request. The first check begins a minute after the start."
            return last ?? .skipped("integrity", "\(waiting) `promisectl verify` checks it now.")
        }
        do throws(StoreError) {
            return try await examine()
        } catch {
            return .failed("integrity", "The database cannot be read: \(error).", advice: "The log has details.")
        }
    }

    private func examine() async throws(StoreError) -> HealthFinding {
        let damages = try await store.quickCheck()
        guard let first = damages.first else { return .ok("integrity", "The database file is intact.") }
        let advice = "Stop the server, keep the file, and restore the latest backup that passes `promised verify`."
        return .failed("integrity", "The database file is damaged: \(first)", advice: advice)
    }
}
