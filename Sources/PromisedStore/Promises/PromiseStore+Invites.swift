internal import Foundation
package import PromisedDomain

extension PromiseStore {
    /// Sets the invite code of a promise; deletes the previous one, so a promise has at most one.
    ///
    /// - Parameters:
    ///   - code: as stored, without separators.
    ///   - expiresAt: the first instant at which it is invalid; nil if it is valid as long as the promise.
    /// - Throws: ``StoreError/broken(_:)`` if the code is taken or the promise unknown.
    package func createInvite(
        _ code: String,
        to promise: PromiseID,
        expiresAt: Instant?,
        now: Instant
    ) async throws(StoreError) {
        try await write { db in
            try InviteRecord.delete(of: promise, in: db)
            try db.run(
                "INSERT INTO invite (code, promise_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
                [code, promise, now, expiresAt]
            )
        }
    }

    /// Deletes the code of a promise, if it has one. Index `invite_in_use`.
    package func revokeInvite(to promise: PromiseID) async throws(StoreError) {
        try await write { db in try InviteRecord.delete(of: promise, in: db) }
    }

    /// The promise that a code invites to at an instant; nil for an unknown, revoked or expired code. Primary key.
    package func promise(invitedTo code: String, at now: Instant) async throws(StoreError) -> PromiseID? {
        try await read { db in
            try db.row(
                """
                SELECT promise_id FROM invite
                WHERE code = ? AND (expires_at IS NULL OR expires_at > ?)
                """,
                [code, now]
            ).map { try $0.value("promise_id") }
        }
    }

    /// How many promises a user owns that are neither final nor cancelled. Index `promise_by_owner`.
    package func openPromiseCount(of owner: UserID, at now: Instant) async throws(StoreError) -> Int {
        try await read { db in try PromiseRecord.openCount(of: owner, at: now, in: db) }
    }

    /// The promise that may be watched at an instant by the code with this hash; nil if the code is unknown, revoked,
    /// replaced or expired, or if the promise is cancelled or its window has closed. Index `view_link_by_code`.
    /// `codeHash` is the SHA-256 of the code.
    package func promise(watchedBy codeHash: [UInt8], at now: Instant) async throws(StoreError) -> PromiseID? {
        try await read { db in
            try db.row(
                """
                SELECT view_link.promise_id FROM view_link INDEXED BY view_link_by_code
                JOIN promise ON promise.id = view_link.promise_id
                WHERE view_link.code_hash = ? AND promise.cancelled_at IS NULL AND promise.closes_at > ?
                    AND (view_link.expires_at IS NULL OR view_link.expires_at > ?)
                """,
                [Data(codeHash), now, now]
            ).map { try $0.value("promise_id") }
        }
    }
}

private enum InviteRecord {
    static func delete(of promise: PromiseID, in db: SQLConnection) throws {
        try db.run("DELETE FROM invite WHERE promise_id = ?", [promise])
    }
}
