package import PromisedDomain
internal import PromisedJournal

/// The data of the live sessions of promises.
package struct SessionStore: StorePart {
    let driver: any StoreDriver

    /// Makes the caller the owner of a promise: increments its owner epoch. From then on, commits of earlier owners are
    /// rejected.
    ///
    /// - Returns: the epoch for commits, 1 or more.
    /// - Throws: ``StoreError/unknownPromise``.
    package func activate(_ promise: PromiseID) async throws(StoreError) -> Int {
        try await write { db in
            let row = try db.row(
                "UPDATE promise SET owner_epoch = owner_epoch + 1 WHERE id = ? RETURNING owner_epoch",
                [promise]
            )
            guard let row else { throw StoreError.unknownPromise }
            return try row.value("owner_epoch")
        }
    }

    /// Makes one step of a session durable, all or nothing.
    ///
    /// Its fixes must no longer be in a ``FixBuffer``: remove waiting ones with ``FixBuffer/take(_:)``.
    ///
    /// - Parameters:
    ///   - ownerEpoch: the result of ``activate(_:)``.
    ///   - passengers: write further rows in the same transaction.
    /// - Throws: ``StoreError/fenced`` if the promise has been activated since, ``StoreError/unknownPromise``,
    ///   ``StoreError/broken(_:)`` for events that do not follow the last one, a second result, a result without the
    ///   final mark, a mark earlier than the stored one, an arrival of a user who is not a participant.
    package func commit(
        _ commit: SessionCommit,
        ownerEpoch: Int,
        with passengers: [CommitPassenger] = [.visits(.inUTC)]
    ) async throws(StoreError) {
        let chunks = FixChunk.chunks(encoding: commit.fixes)
        let notices = try await write { db in
            let result = try SessionRecord.apply(commit, chunks: chunks, ownerEpoch: ownerEpoch, to: db)
            return try passengers.compactMap { try $0.write(commit, result, db) }
        }
        for notice in notices { notice() }
    }

    /// All data of one promise, as of one moment; nil if it does not exist. Primary keys, and index `fix_by_promise`.
    ///
    /// - Parameter withFixes: `true` to read the stored fixes; otherwise they are empty.
    package func snapshot(of promise: PromiseID, withFixes: Bool) async throws(StoreError) -> SessionSnapshot? {
        try await read { db in
            guard let row = try db.row("SELECT * FROM promise WHERE id = ?", [promise]) else { return nil }
            let participants = try ParticipantRecord.fetchAll(of: promise, from: db)
            return SessionSnapshot(
                promise: try PromiseRecord.promise(row),
                participants: participants,
                arrivals: try ArrivalRecord.fetchAll(of: promise, from: db),
                together: try CameTogetherRecord.fetchAll(of: promise, from: db),
                mark: try row.raw("mark"),
                lastSeq: try row.value("last_seq"),
                result: try ResultRecord.fetch(of: promise, from: db),
                fixes: withFixes ? try FixRecord.fetchAll(of: promise, from: db) : [],
                blocks: try BlockQuery.pairs(among: Set(participants.map(\.userID)), from: db),
                viewLink: try ViewLinkRecord.fetch(of: promise, from: db),
                nudges: try NudgeRecord.fetchAll(of: promise, from: db)
            )
        }
    }

    /// The stored fixes of a promise, folded as they are read. Index `fix_by_promise`.
    ///
    /// - Parameters:
    ///   - snapshot: the promise without its fixes.
    ///   - limits: how many fixes to keep.
    package func keptFixes(of snapshot: SessionSnapshot, limits: FixLimits) async throws(StoreError) -> KeptFixes {
        let id = snapshot.promise.id
        let fold = { @Sendable (db: SQLConnection) throws in
            var kept = KeptFixes(of: snapshot, limits: limits)
            try FixRecord.forEachChunk(of: id, from: db) { kept.fold($0) }
            for users in kept.lateGroups(ofAtMost: SessionStore.fixesAtOnce) {
                let late = Set(users)
                let fixes = try FixRecord.fetchAll(of: id, where: { user, _ in late.contains(user) }, from: db)
                for (user, own) in Dictionary(grouping: fixes, by: \.userID) { kept.refold(user, from: own) }
            }
            return kept
        }
        // Few fixes are read in one short read; many must not delay short reads.
        let count = try await read { db in try FixRecord.count(of: id, from: db) }
        return try await count <= SessionStore.fewFixes ? read(fold) : readAtLength(fold)
    }

    /// The most fixes folded in a short read, which takes a few milliseconds.
    private static let fewFixes = 5_000
    /// The most fixes in one read for participants that must be judged again; a single participant may have more.
    private static let fixesAtOnce = 100_000

    // MARK: - For the scheduler

    /// The promises that need a live session at an instant: their window has opened by then, they are not cancelled and
    /// have no result. Earliest opening first. Index `promise_by_opening`.
    ///
    /// - Parameter instant: usually slightly ahead of the clock.
    package func dueSessions(before instant: Instant) async throws(StoreError) -> [PromiseID] {
        try await read { db in
            try db.rows(SchedulerQuery.due, [instant]).map { try $0.value("id") }
        }
    }

    /// When the next window opens after an instant; nil if there is none. Index `promise_by_opening`.
    package func nextOpening(after instant: Instant) async throws(StoreError) -> Instant? {
        try await read { db in
            try db.row(SchedulerQuery.next, [instant]).map { try $0.value("opens_at") }
        }
    }
}

/// The queries of the scheduler; both read only the partial index `promise_by_opening`.
enum SchedulerQuery {
    /// Ids of promises that open at or before an instant.
    static let due = """
        SELECT id FROM promise INDEXED BY promise_by_opening
        WHERE cancelled_at IS NULL AND mark < 5 AND opens_at <= ? ORDER BY opens_at, id
        """

    /// The first opening after an instant.
    static let next = """
        SELECT opens_at FROM promise INDEXED BY promise_by_opening
        WHERE cancelled_at IS NULL AND mark < 5 AND opens_at > ? ORDER BY opens_at LIMIT 1
        """
}

package protocol HasSessions: Sendable {
    var sessions: SessionStore { get }
}
