package import PromisedDomain

/// A part of clearing a deleted account's traces from promises.
package struct ClearedTraces: Hashable, Sendable {
    /// The promises whose texts and place were deleted: live sessions must drop them.
    package var emptied: [PromiseID] = []
    /// The end of the part; nil if nothing is left to clear.
    package var next: PromiseCursor?
}

extension DeletionStore {
    /// Clears, in one transaction, the next part of the traces in promises of an account that is being deleted; the
    /// caller repeats it from the end of the previous part.
    ///
    /// Removes device and boot names from the evidence of the user's arrivals. Deletes texts, place, events and codes
    /// of promises that no user can read any more, and keeps their times, people and results. Call this after the user
    /// has left all unfinished promises. Index `participant_by_meeting`, primary keys.
    ///
    /// - Parameter cursor: the end of the previous part; nil for the first.
    package func clearTraces(
        of user: UserID,
        after cursor: PromiseCursor? = nil
    ) async throws(StoreError) -> ClearedTraces {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            var (cleared, room) = (ClearedTraces(), ErasureRoom(in: db))
            var end =
                cursor ?? PromiseCursor(meetsAt: Instant(milliseconds: .min), promiseID: PromiseID(high: 0, low: 0))
            let rows = try db.rows(
                PromiseListQuery.parts,
                named: ["user": user, "limit": ErasureRoom.promises, "time": end.meetsAt, "id": end.promiseID]
            )
            for part in try rows.map(PromiseListQuery.part) {
                try TraceRecord.forgetDevices(of: user, in: part.promiseID, db)
                if try TraceRecord.isAbandoned(part.promiseID, db) {
                    if try TraceRecord.empty(part.promiseID, db) { cleared.emptied.append(part.promiseID) }
                    try TraceRecord.deleteEvents(of: part.promiseID, atMost: max(room.left, 1), db)
                }
                // Continues with the same promise, because it may have more events.
                guard !room.isUsedUp else {
                    cleared.next = end
                    return cleared
                }
                room.look(at: 1)
                end = part
            }
            cleared.next = rows.count < ErasureRoom.promises ? nil : end
            return cleared
        }
    }
}

/// Users' traces in promises.
enum TraceRecord {
    /// The participants in a row of `promise` who may still read it: ``Standing/mayRead``, with an existing account.
    static let readers = """
        SELECT 1 FROM participant JOIN user ON user.id = participant.user_id
        WHERE participant.promise_id = promise.id AND user.deleted_at IS NULL AND user.deleting_at IS NULL
            AND (membership IN ('invited', 'accepted') OR membership IN ('left', 'removed')
                AND accepted_at IS NOT NULL AND ended_at >= promise.opens_at)
        """

    /// Primary key.
    static func forgetDevices(of user: UserID, in promise: PromiseID, _ db: SQLConnection) throws {
        try db.run(
            """
            UPDATE arrival SET evidence = json_set(evidence, \(ArrivalRecord.deviceNames)) WHERE promise_id = ? AND user_id = ?
                AND (json_extract(evidence, '$.device.deviceID') <> '' OR json_extract(evidence, '$.device.bootID') <> '')
            """,
            [promise, user]
        )
    }

    /// `true` if no user can read the promise any more. Primary keys.
    static func isAbandoned(_ promise: PromiseID, _ db: SQLConnection) throws -> Bool {
        try db.number(
            "SELECT count(*) FROM promise WHERE id = :promise AND NOT EXISTS (\(readers))",
            named: ["promise": promise]
        ) == 1
    }

    /// Deletes all texts that users wrote in a promise, and its place. Primary keys.
    ///
    /// - Returns: `false` if they were already deleted.
    static func empty(_ promise: PromiseID, _ db: SQLConnection) throws -> Bool {
        try db.run(
            "UPDATE participant SET excused_reason = '' WHERE promise_id = ? AND excused_reason <> ''",
            [promise]
        )
        try db.run("UPDATE result_row SET excused_reason = '' WHERE promise_id = ? AND excused_reason <> ''", [promise])
        try db.run(
            """
            UPDATE promise SET title = '', note = '', place_id = NULL, place_name = '', place_address = '', latitude = 0,
                longitude = 0, cancel_reason = '', course_id = NULL
            WHERE id = ? AND (title <> '' OR note <> '' OR place_name <> '' OR place_address <> '' OR cancel_reason <> '')
            """,
            [promise]
        )
        let isNew = db.changesCount > 0
        try NudgeRecord.delete(of: promise, from: db)
        try db.run("DELETE FROM invite WHERE promise_id = ?", [promise])
        try ViewLinkRecord.delete(of: promise, from: db)
        return isNew
    }

    /// Deletes the first events of a promise. Primary key.
    static func deleteEvents(of promise: PromiseID, atMost most: Int, _ db: SQLConnection) throws {
        try db.run(
            """
            DELETE FROM promise_event WHERE (promise_id, seq) IN (
                SELECT promise_id, seq FROM promise_event WHERE promise_id = ? ORDER BY seq LIMIT ?)
            """,
            [promise, most]
        )
    }
}
