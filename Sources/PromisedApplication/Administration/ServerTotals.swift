package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// The totals of a server: of its store, its sessions and its files.
package struct ServerTotals: Sendable {
    package struct Reading: Sendable {
        /// Accounts that are not deleted.
        package let users: Int
        /// Promises by status; every status has an entry.
        package let promises: [PromiseStatus: Int]
        package let liveSessions: Int
        /// The durations of recent transactions; nil before the first.
        package let commitTimes: (median: Duration, p99: Duration)?
        package let files: FileStatistics
        package let databaseBytes: Int
    }

    private let store: (administration: AdministrationStore, upkeep: StoreUpkeep)
    private let files: Files
    private let registry: SessionRegistry

    package init(store: some HasAdministration & HasUpkeep, files: Files, registry: SessionRegistry) {
        self.store = (store.administration, store.upkeep)
        self.files = files
        self.registry = registry
    }

    package func read(at now: Instant) async throws -> Reading {
        let counts = try await store.administration.counts(at: now)
        let times = await store.upkeep.commitTimes.sorted()
        return Reading(
            users: counts.users,
            promises: counts.promises,
            liveSessions: await registry.count,
            commitTimes: times.last.map { longest in
                (times[times.count / 2], times.count < 100 ? longest : times[times.count * 99 / 100])
            },
            files: try await files.statistics(),
            databaseBytes: store.upkeep.fileBytes
        )
    }
}
