package import PromisedDomain
package import PromisedStore

/// Administrators' access to promises, with the rights of the owner.
///
/// An act through a promise's session is durable with its own events; its audit entry follows in a separate
/// transaction, before the act returns.
package struct PromiseAdministration: Sendable {
    /// How often an edit without a version is tried while others edit concurrently.
    private static let editAttempts = 3

    private let sessions: PromiseSessions
    private let promises: Promises
    private let results: Results

    package init(sessions: PromiseSessions, promises: Promises, results: Results) {
        self.sessions = sessions
        self.promises = promises
        self.results = results
    }

    /// A page of all promises, or of a user's.
    package func list(
        of userID: UserID?,
        with status: PromiseStatus?,
        after cursor: PromiseCursor?,
        limit: Int,
        at now: Instant
    ) async throws -> Page<CountedPromise, PromiseCursor> {
        try await sessions.store.administration.promises(of: userID, with: status, at: now, after: cursor, limit: limit)
    }

    /// A promise with everything that any participant may see. Throws `promiseNotFound`.
    package func show(_ id: PromiseID) async throws -> (view: SessionView, cards: ShownCards) {
        let view = try await sessions.knownView(of: id)
        return (view, try await sessions.cards(of: view))
    }

    /// Edits a promise on behalf of its owner.
    ///
    /// - Parameter edit: version 0 means the current version.
    package func edit(_ id: PromiseID, _ edit: PromiseEdit, audit: AuditEntry) async throws -> ShownPromise {
        let shown = try await self.edit(id, edit, attempts: Self.editAttempts)
        try await sessions.store.administration.record(audit)
        return shown
    }

    private func edit(_ id: PromiseID, _ edit: PromiseEdit, attempts: Int) async throws -> ShownPromise {
        let promise = try await sessions.knownView(of: id).promise
        var asked = edit
        if edit.version == 0 { asked.version = promise.version }
        do {
            return try await promises.edit(id, asked, by: promise.ownerID)
        } catch Refusal.promiseStaleVersion where edit.version == 0 && attempts > 1 {
            return try await self.edit(id, edit, attempts: attempts - 1)
        }
    }

    /// Cancels a promise on behalf of its owner.
    package func cancel(_ id: PromiseID, because reason: String, audit: AuditEntry) async throws -> ShownPromise {
        let owner = try await sessions.knownView(of: id).promise.ownerID
        let shown = try await promises.cancel(id, because: reason, by: owner)
        try await sessions.store.administration.record(audit)
        return shown
    }

    /// Excuses a participant on behalf of the owner. Throws `userNotFound` for a user who was never a participant.
    package func excuse(
        _ userID: UserID,
        in id: PromiseID,
        because reason: String,
        audit: AuditEntry
    ) async throws -> Results.Shown {
        let view = try await sessions.knownView(of: id)
        guard view.member(userID) != nil else { throw ApplicationError.refused(.userNotFound, field: "userId") }
        let result = try await results.excuse(userID, in: id, because: reason, by: view.promise.ownerID)
        try await sessions.store.administration.record(audit)
        return result
    }
}

/// The record of administrators' actions.
package struct Audit: Sendable {
    private let store: AdministrationStore

    package init(_ store: some HasAdministration) { self.store = store.administration }

    /// A page of the record, newest first.
    package func list(
        since: Instant?,
        after cursor: AuditCursor?,
        limit: Int
    ) async throws -> Page<AuditEntry, AuditCursor> {
        try await store.audit(since: since, after: cursor, limit: limit)
    }
}
