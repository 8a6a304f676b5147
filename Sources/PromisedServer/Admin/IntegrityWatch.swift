internal import Logging
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// Checks the structure of the database file for damage, and keeps the last result.
///
/// A check reads the whole file: 1.2 ms of processor time per megabyte. A small file is checked on request. A larger
/// one is checked once a day, a table at a time, and requests get the last result.
actor IntegrityWatch {
    /// The delay of the first check after the start, so that a restart is not slowed down.
    static let firstAfter = Duration.seconds(60)
    /// The time between two checks.
    static let interval = Duration.seconds(86_400)

    private let store: StoreUpkeep
    private let log: Logger
    private let small: Int
    private var last: HealthFinding?

    /// - Parameter small: the largest file that is checked on request, in bytes; by default 8 MiB.
    init(_ store: some HasUpkeep, small: Int = 8 << 20, log: Logger) {
        self.store = store.upkeep
        self.small = small
        self.log = log
    }

    /// Checks periodically until the task is cancelled.
    func run() async {
        var pause = IntegrityWatch.firstAfter
        // Sleeping throws only if the task is cancelled.
        while (try? await Task.sleep(for: pause, clock: .continuous)) != nil {
            pause = await look(at: RealTime.now) ? IntegrityWatch.interval : IntegrityWatch.firstAfter
        }
    }

    /// Checks the file, and stores the result. Returns `false` if the file could not be read.
    ///
    /// - Parameter now: real time, shown in the result.
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

    /// The state of the file: of a small one now, of a larger one at its last check.
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
