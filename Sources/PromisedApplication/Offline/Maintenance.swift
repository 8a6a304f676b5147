internal import Glibc
internal import PromisedAccess
package import PromisedDomain
internal import PromisedFormats
package import PromisedPlaces
internal import PromisedStore

/// An operator's offline work on a data directory, with the same acts as in a running server. Each call locks and
/// releases the directory.
package struct Maintenance: Sendable {
    package let directory: String
    /// The folder that must contain backups; nil allows any.
    package let backupDirectory: String?
    /// The actor's name in the audit.
    private static let actor = "promised"

    /// - Parameter backupDirectory: the folder that must contain backups, from the setting `backup.directory`.
    package init(directory: String, backupDirectory: String? = nil) {
        self.directory = directory
        self.backupDirectory = backupDirectory
    }

    // MARK: - Tokens

    /// Creates an administrator's token.
    ///
    /// - Parameters:
    ///   - name: its holder or purpose, 1–64 characters.
    ///   - valid: how long, in real time; nil for until it is revoked.
    /// - Returns: the secret, which is not stored, and the token.
    /// - Throws: ``MaintenanceError``.
    package func createToken(
        for name: String,
        valid: TimeSpan?
    ) async throws(MaintenanceError) -> (secret: String, token: OperatorToken) {
        let order = try await attempt {
            try AdminTokenOrder(name: name, validMs: valid.map { Double($0.milliseconds) })
        }
        let (secret, token) = try await opened { application in
            try await application.administration.tokens.create(order, by: Self.actor, at: RealTime.now)
        }
        return (secret.text, OperatorToken(token))
    }

    /// All administrators' tokens, newest first, including revoked and expired ones. Throws ``MaintenanceError``.
    package func tokens() async throws(MaintenanceError) -> [OperatorToken] {
        try await opened { application in try await application.administration.tokens.list() }
            .map { OperatorToken($0) }
    }

    /// Revokes a token, by its id, or by its name if exactly one unrevoked token has it.
    ///
    /// - Returns: the token as it was before, and `true` if this call revoked it.
    /// - Throws: ``MaintenanceError``.
    package func revokeToken(_ name: String) async throws(MaintenanceError) -> (token: OperatorToken, isNew: Bool) {
        let known = try await tokens()
        let named = known.filter { $0.name == name && $0.revokedAt == nil }
        guard let token = known.first(where: { $0.id == name.lowercased() }) ?? named.first else {
            throw .impossible("No token has the id or name \(name).")
        }
        guard token.id == name.lowercased() || named.count == 1 else {
            throw .impossible("\(named.count) tokens have the name \(name): use an id.")
        }
        guard let id = AdminTokenID(token.id) else { throw .impossible("\(token.id) is not an id.") }
        let outcome = try await opened { application in
            try await application.administration.tokens.revoke(id, by: Self.actor, at: RealTime.now)
        }
        return (token, outcome == true)
    }

    // MARK: - The database

    /// Checks the invariants, and finds missing, damaged and stray files.
    ///
    /// - Parameter categories: the valid categories of places; others are violations.
    /// - Returns: the violations; empty for an intact directory.
    /// - Throws: ``MaintenanceError``.
    package func verify(categories: CategoryTable = .builtIn) async throws(MaintenanceError) -> [Breach] {
        try await opened(categories) { application in try await application.administration.backups.verify().violations }
            .map { Breach(check: $0.check, detail: $0.detail) }
    }

    /// A line for each deleted account and folder that a server still has to erase, oldest first. Throws
    /// ``MaintenanceError``.
    package func erasing() async throws(MaintenanceError) -> [String] {
        try await opened { application in
            try await application.core.store.deletions.erasingReports(limit: Backups.mostErasings)
        }.map { "\($0)" }
    }

    /// Migrates the schema, after backing up the database.
    ///
    /// - Parameter dryRun: `true` to report the change without making it.
    /// - Returns: the migrations, and the path of the backup; nil if there is none.
    /// - Throws: ``MaintenanceError``.
    package func migrate(dryRun: Bool) async throws(MaintenanceError) -> (migrations: [String], backupPath: String?) {
        let directory = directory
        let change = try await attempt {
            let pending = try await Store.pendingChange(directory: directory)
            guard !dryRun, !pending.migrations.isEmpty else { return pending }
            let store = try await Store.open(directory: directory)
            try await store.close()
            return store.upkeep.schemaChange
        }
        return (change.migrations, change.backupPath)
    }

    /// Copies the database into a new file (mode 0600), under the rules of a running server's backups.
    ///
    /// - Parameter path: an unused absolute path.
    /// - Returns: its size in bytes.
    /// - Throws: ``MaintenanceError``.
    package func backUp(to path: String) async throws(MaintenanceError) -> Int {
        let checked = try checkedPath(path)
        return try await opened { application in try await application.core.store.upkeep.backUp(to: checked) }
    }

    /// Copies the database into a new file, and then its files into a new folder.
    ///
    /// - Parameters:
    ///   - path: an unused absolute path.
    ///   - folder: an unused absolute path.
    /// - Returns: the size of the database in bytes, and the files.
    /// - Throws: ``MaintenanceError``. If the files cannot be copied, the copy of the database stays.
    package func backUp(
        to path: String,
        files folder: String
    ) async throws(MaintenanceError) -> (bytes: Int, files: FileCopyReport) {
        _ = try checkedPath(folder)
        let bytes = try await backUp(to: path)
        return (bytes, try await backUpFiles(of: path, to: folder))
    }

    /// Copies the files of a backup into a new folder (mode 0700), also while a server runs.
    ///
    /// - Parameters:
    ///   - backup: a backup of this directory's database.
    ///   - folder: an unused absolute path, under the rules of ``backUp(to:)``.
    /// - Returns: the files; files deleted since the backup are missing.
    /// - Throws: ``MaintenanceError``.
    package func backUpFiles(
        of backup: String,
        to folder: String
    ) async throws(MaintenanceError) -> FileCopyReport {
        let checked = try checkedPath(folder)
        let directory = directory
        return try await attempt(from: backup) { try await FileBackups(directory).copy(of: backup, to: checked) }
    }

    private func checkedPath(_ path: String) throws(MaintenanceError) -> String {
        do {
            return try BackupPath(path, below: backupDirectory).path
        } catch ApplicationError.refused(_, _, let message?) {
            throw .impossible("\(path): \(message)")
        } catch {
            throw .impossible("\(path): \(error)")
        }
    }

    /// Restores a backup into the directory, which must have no database.
    ///
    /// - Returns: the size of the database in bytes.
    /// - Throws: ``MaintenanceError``.
    package func restore(from path: String) async throws(MaintenanceError) -> Int {
        let directory = directory
        return try await attempt(from: path) { try await Store.restore(path, into: directory) }
    }

    /// Restores a backup and its files into the directory, which must have no database and no files.
    ///
    /// - Parameters:
    ///   - path: the copy of the database.
    ///   - folder: the copies of its files; each is compared with its row.
    ///   - skippingMissing: `true` to restore even if files are missing in the folder.
    /// - Returns: the size of the database in bytes, and the files.
    /// - Throws: ``MaintenanceError``.
    package func restore(
        from path: String,
        files folder: String,
        skippingMissing: Bool = false
    ) async throws(MaintenanceError) -> (bytes: Int, files: FileCopyReport) {
        let directory = directory
        return try await attempt(from: path) {
            try await FileBackups(directory).restore(path, from: folder, skippingMissing: skippingMissing)
        }
    }

    // MARK: - Places

    /// Imports places with the same acts as a running server.
    ///
    /// - Parameters:
    ///   - categories: the valid categories of places.
    ///   - next: returns the next rows, at most 1,000; nil at the end. An error ends the import: the rows so far stay,
    ///     and nothing is removed.
    ///   - refused: called with the refused rows of each call of `next`, ascending, possibly empty.
    ///   - mayFinish: called after the last rows; on `false` the rows stay, and nothing is removed.
    /// - Throws: ``MaintenanceError``.
    package func importPlaces(
        _ order: PlaceImportOrder,
        categories: CategoryTable,
        next: @Sendable () async throws -> [ImportedPlace]?,
        refused: @Sendable ([RefusedPlaceRow]) async -> Void,
        mayFinish: @Sendable () async -> Bool = { true }
    ) async throws(MaintenanceError) -> PlaceImportReport {
        try await opened(categories) { application in
            let imports = application.places.imports
            let id = try await imports.begin(order, audit: Self.audit("beginImport", of: order))
            var report = PlaceImportReport()
            while let rows = try await next() {
                let taken = try await imports.put(rows, into: id)
                report = taken.report
                await refused(taken.refused)
            }
            guard await mayFinish() else {
                try await imports.cancel(id)
                return report
            }
            return try await imports.finish(id, audit: Self.audit("finishImport", of: order))
        }
    }

    private static func audit(_ action: String, of order: PlaceImportOrder) -> AuditEntry {
        AuditEntry(at: RealTime.now, actor: actor, action: action, subject: order.source.name)
    }

    // MARK: - Parts

    /// Runs `work` with the use cases over the directory, which it locks until then.
    ///
    /// - Parameter categories: the valid categories of places.
    private func opened<Value: Sendable>(
        _ categories: CategoryTable = .builtIn,
        _ work: @Sendable (Application) async throws -> Value
    ) async throws(MaintenanceError) -> Value {
        let directory = directory
        let store = try await attempt { try await Store.openExisting(directory: directory) }
        let application = await Application(
            offline: store,
            in: directory,
            backups: backupDirectory,
            categories: categories
        )
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await work(application))
        } catch {
            outcome = .failure(error)
        }
        try await attempt { try await store.close() }
        return try await attempt { try outcome.get() }
    }

    /// Runs work on the backup at a path; its errors name that path.
    private func attempt<Value: Sendable>(
        from backup: String,
        _ work: () async throws -> Value
    ) async throws(MaintenanceError) -> Value {
        do throws(FormatError) {
            let start = try FileChunks.bytes(ofFileAt: backup, most: FoundFormat.startLength)
            guard !start.isEmpty else { throw .unsuitable(reason: "the file is empty") }
            if let found = FoundFormat(sniffing: start), found != .sqlite {
                let reason = found.sentence(insteadOf: "a backup of promised", advice: "name another file")
                throw .unsuitable(reason: reason)
            }
        } catch {
            throw .impossible("\(backup): \(error)")
        }
        return try await attempt {
            do {
                return try await work()
            } catch StoreError.notABackup {
                throw MaintenanceError.impossible("\(backup): \(StoreError.notABackup)")
            } catch StoreError.newerSchema {
                throw MaintenanceError.impossible(
                    "\(backup): the backup belongs to a later version: use that version, or an earlier backup"
                )
            }
        }
    }

    private func attempt<Value: Sendable>(_ work: () async throws -> Value) async throws(MaintenanceError) -> Value {
        do {
            return try await work()
        } catch {
            throw MaintenanceError(error, directory: directory)
        }
    }
}

/// Why an operator's command failed; the description is a sentence for people.
package enum MaintenanceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request is invalid.
    case usage(String)
    /// The request is valid, but failed.
    case impossible(String)

    init(_ error: any Error, directory: String) {
        switch error {
        case let error as MaintenanceError: self = error
        case let problem as TextProblem: self = .usage("\(problem)")
        case Refusal.invalid(let field): self = .usage("\(field) is invalid")
        case ApplicationError.refused(_, _, let message?): self = .impossible(message)
        case let error as StoreError: self.init(error, directory: directory)
        // The fault is in the imported file, not in the directory.
        case let error as FormatError: self = .usage("\(error)")
        default: self = .impossible("\(directory): \(error)")
        }
    }

    private init(_ error: StoreError, directory: String) {
        switch error {
        case .locked: self = .impossible("A server is using \(directory): use promisectl, or stop the server first.")
        case .missing: self = .impossible("\(directory) has no database.")
        case .occupied: self = .impossible("\(directory) already has a database: nothing was changed.")
        case .outdatedSchema:
            self = .impossible(
                "The database in \(directory) belongs to an earlier version: run promised migrate first."
            )
        case .newerSchema:
            self = .impossible(
                "The database belongs to a later version: use that version, or restore an earlier backup."
            )
        case .notABackup, .openToOthers: self = .impossible("\(directory): \(error).")
        case .fileSystem(let code):
            self = .impossible("\(directory): \(String(cString: strerror(code))) (errno \(code))")
        case .closed, .unavailable, .fenced, .unknownPromise, .broken, .damaged:
            self = .impossible("The database in \(directory) is unusable: \(error).")
        }
    }

    /// A sentence for people.
    package var description: String {
        switch self {
        case .usage(let what), .impossible(let what): what
        }
    }
}

/// An administrator's token for an operator, without its secret. Instants are real ones.
package struct OperatorToken: Hashable, Sendable {
    package var id: String
    package var name: String
    package var createdAt: Instant
    /// When it expires; nil for never.
    package var expiresAt: Instant?
    /// When it was revoked; nil if it was not.
    package var revokedAt: Instant?
    /// When it was last used; nil if never.
    package var lastUsedAt: Instant?

    init(_ token: AdminToken) {
        id = "\(token.id)"
        name = token.name
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        revokedAt = token.revokedAt
        lastUsedAt = token.lastUsedAt
    }
}

/// A broken invariant of the database.
package struct Breach: Hashable, Sendable {
    /// The check that found it: a short stable name.
    package var check: String
    /// The location, with ids in hexadecimal; contains no name and no position.
    package var detail: String
}
