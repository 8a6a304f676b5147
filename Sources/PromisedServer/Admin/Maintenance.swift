internal import PromisedAccess
package import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// What an operator does to a data directory while no server runs. Each call takes the directory's lock and gives it back.
package struct Maintenance: Sendable {
    /// The data directory.
    package let directory: String
    /// The folder that backups must be below; nil for anywhere.
    package let backupDirectory: String?
    /// Who the audit says did it.
    private static let actor = "promised"

    /// The maintenance of a data directory.
    ///
    /// - Parameter backupDirectory: the folder that backups must be below, as the setting `backup.directory` has it.
    package init(directory: String, backupDirectory: String? = nil) {
        self.directory = directory
        self.backupDirectory = backupDirectory
    }

    // MARK: - Tokens

    /// Makes an administrator's token.
    ///
    /// - Parameters:
    ///   - name: for whom or what, 1–64 characters.
    ///   - valid: how long, in real time; nil: until it is revoked.
    /// - Returns: the secret, which is kept nowhere, and the token.
    /// - Throws: ``MaintenanceError``.
    package func createToken(
        for name: String,
        valid: TimeSpan?
    ) async throws(MaintenanceError) -> (secret: String, token: OperatorToken) {
        let order: AdminTokenOrder
        do throws(TextProblem) {
            order = try AdminTokenOrder(name: name, validMs: valid.map { Double($0.milliseconds) })
        } catch {
            throw .usage("\(error)")
        }
        let now = RealTime.now
        let (secret, token) = order.issue(at: now)
        let audit = AuditEntry(
            at: now,
            actor: Self.actor,
            action: "createToken",
            subject: "\(token.id)",
            detail: token.name
        )
        try await opened { store throws(StoreError) in
            try await store.createAdminToken(token, hash: secret.hash, audit: audit)
        }
        return (secret.text, OperatorToken(token))
    }

    /// All administrators' tokens, newest first, the revoked and expired ones as well.
    ///
    /// - Throws: ``MaintenanceError``.
    package func tokens() async throws(MaintenanceError) -> [OperatorToken] {
        try await opened { store throws(StoreError) in try await store.adminTokens() }.map { OperatorToken($0) }
    }

    /// Revokes a token, by its id or by its name where only one token that is not revoked has it.
    ///
    /// - Returns: the token as it was, and whether it was not revoked until now.
    /// - Throws: ``MaintenanceError``.
    package func revokeToken(_ name: String) async throws(MaintenanceError) -> (token: OperatorToken, isNew: Bool) {
        let known = try await tokens()
        let named = known.filter { $0.name == name && $0.revokedAt == nil }
        guard let token = known.first(where: { $0.id == name.lowercased() }) ?? named.first else {
            throw .impossible("No token has the id or name \(name).")
        }
        guard token.id == name.lowercased() || named.count == 1 else {
            throw .impossible("\(named.count) tokens are called \(name): revoke by id.")
        }
        guard let id = AdminTokenID(token.id) else { throw .impossible("\(token.id) is no id.") }
        let now = RealTime.now
        let audit = AuditEntry(at: now, actor: Self.actor, action: "revokeToken", subject: token.id)
        let outcome = try await opened { store throws(StoreError) in
            try await store.revokeAdminToken(id, at: now, audit: audit)
        }
        return (token, outcome == true)
    }

    // MARK: - The database

    /// Looks for breaches of what must always hold.
    ///
    /// - Returns: a line for each, beginning with the check's name; empty for a sound database.
    /// - Throws: ``MaintenanceError``.
    package func verify() async throws(MaintenanceError) -> [Breach] {
        try await opened { store throws(StoreError) in try await store.verify() }.map {
            Breach(check: $0.check, detail: $0.detail)
        }
    }

    /// Brings the schema up to date, after a copy of the database.
    ///
    /// - Parameter dryRun: only tells what there is to do.
    /// - Returns: the migrations, and the path of the copy; nil when nothing was done.
    /// - Throws: ``MaintenanceError``.
    package func migrate(dryRun: Bool) async throws(MaintenanceError) -> (migrations: [String], backupPath: String?) {
        let directory = directory
        let change = try await attempt { () async throws(StoreError) in
            let pending = try await Store.pendingChange(directory: directory)
            guard !dryRun, !pending.migrations.isEmpty else { return pending }
            let store = try await Store.open(directory: directory)
            try await store.close()
            return store.schemaChange
        }
        return (change.migrations, change.backupPath)
    }

    /// Copies the database into a new file (mode 0600), under the rules of a running server's backups.
    ///
    /// - Parameter path: absolute; at it nothing may be yet.
    /// - Returns: its size in bytes.
    /// - Throws: ``MaintenanceError``.
    package func backUp(to path: String) async throws(MaintenanceError) -> Int {
        let checked: String
        do throws(RequestError) {
            checked = try BackupPath(path, below: backupDirectory).path
        } catch {
            throw .impossible("\(path): \(error.message ?? error.code.rawValue)")
        }
        return try await opened { store throws(StoreError) in try await store.backUp(to: checked) }
    }

    /// Puts a backup into the directory, which must have no database.
    ///
    /// - Returns: the size of the database in bytes.
    /// - Throws: ``MaintenanceError``.
    package func restore(from path: String) async throws(MaintenanceError) -> Int {
        let directory = directory
        return try await attempt { () async throws(StoreError) in try await Store.restore(path, into: directory) }
    }

    // MARK: - Parts

    private func opened<Value: Sendable>(
        _ work: @Sendable (Store) async throws(StoreError) -> Value
    ) async throws(MaintenanceError) -> Value {
        let directory = directory
        let store = try await attempt { () async throws(StoreError) in
            try await Store.openExisting(directory: directory)
        }
        let outcome = await Self.result { () async throws(StoreError) in try await work(store) }
        try await attempt { () async throws(StoreError) in try await store.close() }
        return try await attempt { () async throws(StoreError) in try outcome.get() }
    }

    private func attempt<Value: Sendable>(
        _ work: () async throws(StoreError) -> Value
    ) async throws(MaintenanceError) -> Value {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw MaintenanceError(error, directory: directory)
        }
    }

    private static func result<Value: Sendable>(
        _ work: () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        do throws(StoreError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}
