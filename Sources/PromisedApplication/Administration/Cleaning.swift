package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Deletes expired data: raw positions after their retention, used keys and tokens, places that were removed long ago,
/// and unreferenced files.
package struct Cleaning: Sendable {
    /// The retention of a promise's durable events after its result, for clients that reconnect.
    private static let eventRetention = TimeSpan.hours(24)
    /// The interval of checks if deleted data must leave the log, in real time: it must happen within a minute, and a
    /// long read may block it twice.
    private static let emptyEvery = Duration.seconds(20)
    /// The number of these checks between deletions, which run once a minute.
    private static let checksPerCleaning = 3

    private let store: (accounts: AccountStore, fixes: FixStore, promises: PromiseStore, upkeep: StoreUpkeep)
    private let places: PlaceAdministration
    private let files: Files
    private let clock: any WallClock
    private let pauses: any Clock<Duration>
    private let retention: TimeSpan
    private let log: Logger

    /// - Parameters:
    ///   - pauses: measures the time between deletions; real time outside simulations.
    ///   - retention: how long raw positions are stored after a result is final.
    package init(
        store: some HasAccounts & HasFixes & HasPromises & HasUpkeep,
        places: PlaceAdministration,
        files: Files,
        clock: any WallClock,
        pauses: any Clock<Duration> = .continuous,
        retention: TimeSpan,
        log: Logger
    ) {
        self.store = (store.accounts, store.fixes, store.promises, store.upkeep)
        self.places = places
        self.files = files
        self.clock = clock
        self.pauses = pauses
        self.retention = retention
        self.log = log
    }

    /// Deletes once a minute until the task is cancelled.
    package func run() async {
        var checks = 0
        // Rows deleted before a crash may still be in the log.
        var emptiesLog = true
        repeat {
            if checks.isMultiple(of: Cleaning.checksPerCleaning) {
                emptiesLog = await !clean(emptiesLog: emptiesLog)
            } else {
                emptiesLog = await !emptyLog(ifAsked: emptiesLog)
            }
            checks += 1
            // Sleeping throws only if the task is cancelled.
        } while (try? await pauses.sleep(for: Cleaning.emptyEvery)) != nil
    }

    /// Removes deleted data from the log.
    ///
    /// - Parameter emptiesLog: `true` if the last run left deleted data in the log.
    /// - Returns: `true` if the log contains no deleted data.
    private func emptyLog(ifAsked emptiesLog: Bool) async -> Bool {
        guard store.upkeep.takeErasures() || emptiesLog else { return true }
        do throws(StoreError) {
            return try await store.upkeep.truncateLog()
        } catch {
            log.error("The log could not be emptied", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Deletes expired data.
    ///
    /// - Parameter emptiesLog: `true` if the last run left deleted data in the log.
    /// - Returns: `true` if the log contains no deleted data.
    @discardableResult
    package func clean(emptiesLog: Bool = true) async -> Bool {
        let now = clock.now
        let emptiesLog = store.upkeep.takeErasures() || emptiesLog
        var isLogEmpty = false
        do throws(StoreError) {
            let deleted = try await store.fixes.deleteFixes(
                ofPromisesFinalBefore: now - retention,
                emptiesLog: emptiesLog
            )
            isLogEmpty = deleted.isLogEmpty
            if deleted.promises > 0 { log.info("Raw positions deleted", metadata: ["promises": "\(deleted.promises)"]) }
            try await store.promises.deleteEvents(ofPromisesFinalBefore: now - Cleaning.eventRetention)
            try await store.promises.deleteKeys(at: now)
            try await store.accounts.deleteRefreshTokens(expiredBefore: now)
            try await store.accounts.deleteKnownCallers(seenBefore: KnownCallers.horizon(at: now, rate: clock.rate))
            try await places.sweep()
        } catch {
            log.error("Old rows could not be deleted", metadata: ["error": "\(error)"])
        }
        do {
            try await files.deletions.sweep()
        } catch {
            log.error("Unused files could not be deleted", metadata: ["error": "\(error)"])
        }
        return isLogEmpty
    }
}
