package import PromisedJournal

/// All data of the server, in one database.
///
/// Every write returns after its transaction is synced to disk, and concurrent writes share a transaction. Callable
/// from any task: calls never block a thread of the cooperative pool, and are not cancelled with their task.
///
/// Takes and returns domain values; an expected refusal is a result, a ``StoreError`` is a fault.
package final class Store: StorePart {
    let driver: any StoreDriver
    package let deletions: DeletionStore

    init(_ driver: any StoreDriver) {
        self.driver = driver
        deletions = DeletionStore(driver: driver)
    }

    /// A store that exists in memory only.
    package convenience init(_ memory: MemoryDriver) { self.init(memory.driver) }

    /// Opens the store in `directory`, which is created (mode 0700) if missing, and migrates its schema, after backing
    /// up a database that has data: see ``StoreUpkeep/schemaChange``.
    ///
    /// - Parameter onCommit: called for every transaction of the group commit; must return at once.
    /// - Throws: ``StoreError/locked`` while another process has it open, ``StoreError/newerSchema``,
    ///   ``StoreError/fileSystem(errno:)``, ``StoreError/unavailable(code:)``.
    package static func open(
        directory: String,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) async throws(StoreError) -> Store {
        Store(
            try await SQLiteDriver.offPool {
                try StoreOpening.open(directory: directory, migrating: true, onCommit: onCommit)
            }.get()
        )
    }

    /// Opens the store in `directory`, whose schema must be current: creates and migrates nothing. Throws
    /// ``StoreError/missing``, ``StoreError/outdatedSchema(_:)``, and the errors of ``open(directory:onCommit:)``.
    package static func openExisting(directory: String) async throws(StoreError) -> Store {
        Store(
            try await SQLiteDriver.offPool { try StoreOpening.open(directory: directory, migrating: false) }.get()
        )
    }

    /// Finishes the queued writes, moves the log into the database file, closes, and releases the directory's lock;
    /// later calls throw ``StoreError/closed``. A second call does nothing.
    ///
    /// A store that was not closed loses no data: the next opening recovers the log.
    package func close() async throws(StoreError) { try await driver.close() }
}

// MARK: - A data directory without a store

extension Store {
    /// Puts a backup into a data directory without a database, as the state from which a server starts.
    ///
    /// Every promise's event numbering gets a new epoch: clients that have seen later events than the backup holds must
    /// not resume from them. Everything else is unchanged, including data revoked or deleted since.
    ///
    /// - Parameters:
    ///   - path: a file that ``StoreUpkeep/backUp(to:draft:)`` wrote, of this version or an earlier one; it is not changed.
    ///   - directory: created (mode 0700) if missing.
    /// - Returns: the size of the database in bytes.
    /// - Throws: ``StoreError/occupied``, ``StoreError/locked``, ``StoreError/notABackup``, ``StoreError/newerSchema``,
    ///   ``StoreError/fileSystem(errno:)``, ``StoreError/unavailable(code:)``.
    package static func restore(_ path: String, into directory: String) async throws(StoreError) -> Int {
        try await SQLiteDriver.offPool { try StoreRestoration.restore(path, into: directory) }.get()
    }

    /// The files that the database of a backup names, in the order of their ids; empty if its version had none.
    ///
    /// - Parameter path: a file that ``StoreUpkeep/backUp(to:draft:)`` wrote, of this version or an earlier one; it is not changed.
    /// - Throws: ``StoreError/notABackup``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    ///   ``StoreError/unavailable(code:)``.
    package static func files(ofBackup path: String) async throws(StoreError) -> [StoredFile] {
        try await SQLiteDriver.offPool {
            try StoreRestoration.read(path, with: "file") { db in
                try db.rows("SELECT * FROM file ORDER BY id").map(FileRecord.file)
            } ?? []
        }.get()
    }

    /// The schema change that opening a data directory would make; changes nothing. Throws ``StoreError/missing``,
    /// ``StoreError/locked``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    /// ``StoreError/unavailable(code:)``.
    package static func pendingChange(directory: String) async throws(StoreError) -> SchemaChange {
        try await SQLiteDriver.offPool { try StoreRestoration.pendingChange(directory: directory) }.get()
    }
}

extension Store: HasAccounts, HasAdministration, HasCourses, HasDeletions, HasFiles, HasFixes, HasFriendships,
    HasNotifications, HasPlaces, HasPromises, HasRecordings, HasSessions, HasUpkeep, HasVisits, HasWeather
{
    package var accounts: AccountStore { AccountStore(driver: driver) }
    package var administration: AdministrationStore { AdministrationStore(driver: driver) }
    package var courses: CourseStore { CourseStore(driver: driver) }
    package var files: FileStore { FileStore(driver: driver) }
    package var fixes: FixStore { FixStore(driver: driver) }
    package var friendships: FriendshipStore { FriendshipStore(driver: driver) }
    package var notifications: NotificationStore { NotificationStore(driver: driver) }
    package var places: PlaceStore { PlaceStore(driver: driver) }
    package var promises: PromiseStore { PromiseStore(driver: driver) }
    package var recordings: RecordingStore { RecordingStore(driver: driver) }
    package var sessions: SessionStore { SessionStore(driver: driver) }
    package var upkeep: StoreUpkeep { StoreUpkeep(driver: driver) }
    package var visits: VisitStore { VisitStore(driver: driver) }
    package var weather: WeatherStore { WeatherStore(driver: driver) }
}
