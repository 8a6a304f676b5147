internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore
internal import PromisedTransport

/// Periodic work: deletes raw positions after their retention, used keys and tokens, places that were removed long ago,
/// and unreferenced files; interrupts and ends recordings without points; returns free memory to the system; and tests
/// the storage for `/readyz`.
struct PeriodicMaintenance: Sendable {
    let store: Store
    let clock: any WallClock
    let readiness: Readiness
    let places: PlaceAdministration
    let imports: PlaceImports
    let files: Files
    let recordings: Recordings
    let retention: TimeSpan
    let log: Logger

    /// The retention of a promise's durable events after its result, for clients that reconnect.
    static let eventRetention = TimeSpan.hours(24)
    /// The interval of the storage test, in real time.
    static let checkEvery = Duration.seconds(10)
    /// The number of storage tests between deletions of old rows, which run once a minute.
    static let checksPerCleaning = 6
    /// The number of storage tests between checks if deleted data must leave the log, which must happen within a
    /// minute: every 20 s, so that a long read may block it twice.
    static let checksPerEmptying = 2

    /// Works until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.runRecordings() }
            group.addTask { await self.runCleaning() }
        }
    }

    /// The interval for recordings: a minute of the server's clock, but at least a second and at most a minute of real
    /// time.
    static func recordingInterval(atRate rate: Double) -> Duration {
        .milliseconds(Int64(min(max(60_000 / rate, 1_000), 60_000)))
    }

    private func runRecordings() async {
        let interval = PeriodicMaintenance.recordingInterval(atRate: clock.rate)
        repeat {
            await endRecordings()
            // Sleeping throws only if the task is cancelled.
        } while (try? await Task.sleep(for: interval, clock: .continuous)) != nil
    }

    /// Interrupts and ends recordings without points.
    func endRecordings() async {
        do {
            try await recordings.wakeDue()
        } catch {
            log.error("Recordings could not be ended", metadata: ["error": "\(error)"])
        }
    }

    private func runCleaning() async {
        var checks = 0
        // Rows deleted before a crash may still be in the log.
        var emptiesLog = true
        repeat {
            await check()
            if checks.isMultiple(of: PeriodicMaintenance.checksPerCleaning) {
                emptiesLog = await !clean(emptiesLog: emptiesLog)
                ProcessMemory.giveBack()
            } else if checks.isMultiple(of: PeriodicMaintenance.checksPerEmptying) {
                emptiesLog = await !emptyLog(ifAsked: emptiesLog)
            }
            checks += 1
            // Sleeping throws only if the task is cancelled.
        } while (try? await Task.sleep(for: PeriodicMaintenance.checkEvery, clock: .continuous)) != nil
    }

    private func check() async {
        do throws(StoreError) {
            try await store.upkeep.checkWritable()
            readiness.note(isWritable: true)
        } catch {
            readiness.note(isWritable: false)
            log.error("Storage is not writable", metadata: ["error": "\(error)"])
        }
    }

    /// Removes deleted data from the log.
    ///
    /// - Parameter emptiesLog: `true` if the last run left deleted data in the log.
    /// - Returns: `true` if the log contains no deleted data.
    func emptyLog(ifAsked emptiesLog: Bool = false) async -> Bool {
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
    func clean(emptiesLog: Bool = true) async -> Bool {
        let now = clock.now
        let emptiesLog = store.upkeep.takeErasures() || emptiesLog
        await imports.forgetIdle()
        var isLogEmpty = false
        do throws(StoreError) {
            let deleted = try await store.fixes.deleteFixes(
                ofPromisesFinalBefore: now - retention,
                emptiesLog: emptiesLog
            )
            isLogEmpty = deleted.isLogEmpty
            if deleted.promises > 0 { log.info("Raw positions deleted", metadata: ["promises": "\(deleted.promises)"]) }
            try await store.promises.deleteEvents(ofPromisesFinalBefore: now - PeriodicMaintenance.eventRetention)
            try await store.promises.deleteKeys(at: now)
            try await store.accounts.deleteRefreshTokens(expiredBefore: now)
            try await store.accounts.deleteKnownCallers(seenBefore: KnownCallers.horizon(at: now, rate: clock.rate))
            try await places.sweep()
        } catch {
            log.error("Old rows could not be deleted", metadata: ["error": "\(error)"])
        }
        do {
            try await files.sweep()
        } catch {
            log.error("Unused files could not be deleted", metadata: ["error": "\(error)"])
        }
        return isLogEmpty
    }
}
