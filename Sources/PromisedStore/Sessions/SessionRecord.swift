internal import PromisedDomain
internal import PromisedJournal

/// The columns of `promise` that belong to its session: its progress, and the epoch that may write.
struct SessionRecord {
    /// The activation that may write.
    var ownerEpoch: Int
    /// The number of the last durable event; 0 before the first.
    var lastSeq: Int
    /// The last clock event that was processed.
    var mark: ClockMark

    /// The session's columns; primary key. Throws ``StoreError/unknownPromise``.
    init(of promise: PromiseID, from db: SQLConnection) throws {
        let row = try db.row("SELECT owner_epoch, last_seq, mark FROM promise WHERE id = ?", [promise])
        guard let row else { throw StoreError.unknownPromise }
        ownerEpoch = try row.value("owner_epoch")
        lastSeq = try row.value("last_seq")
        mark = try row.raw("mark")
    }

    /// Applies a whole commit, or throws so that it is rolled back. Returns the visits created by a result. Throws
    /// ``StoreError/unknownPromise``, ``StoreError/fenced``, ``StoreError/broken(_:)``.
    static func apply(
        _ commit: SessionCommit,
        chunks: [FixChunk],
        ownerEpoch: Int,
        to db: SQLConnection
    ) throws -> PromiseResult? {
        let current = try SessionRecord(of: commit.promiseID, from: db)
        guard current.ownerEpoch == ownerEpoch else { throw StoreError.fenced }
        if let promise = commit.promise {
            guard promise.id == commit.promiseID else { throw StoreError.broken("A commit that concerns two promises") }
            try PromiseRecord.update(promise, in: db)
        }
        try applyPeople(commit, to: db)
        try NudgeRecord.save(commit.nudges, of: commit.promiseID, in: db)
        if commit.mark == .final || commit.promise?.cancelledAt != nil {
            try NudgeRecord.delete(of: commit.promiseID, from: db)
        }
        if let change = commit.viewLink { try ViewLinkRecord.apply(change, to: commit.promiseID, in: db) }
        try append(commit.events, to: commit.promiseID, after: current.lastSeq, in: db)
        try audit(commit, in: db)
        let newResult = try applyResult(commit, in: db)
        if let mark = commit.mark { try current.advance(to: mark, of: commit.promiseID, in: db) }
        for chunk in chunks { try FixRecord.insert(chunk, of: commit.promiseID, into: db) }
        return newResult
    }

    /// Appends events that follow number `seq` without gaps, and stores the last number.
    static func append(_ events: [NumberedEvent], to promise: PromiseID, after seq: Int, in db: SQLConnection) throws {
        guard let last = events.last else { return }
        for (index, event) in events.enumerated() {
            guard event.seq == seq + index + 1 else {
                throw StoreError.broken("Event \(event.seq) after event \(seq + index)")
            }
            try EventRecord.insert(event, of: promise, into: db)
        }
        try db.run("UPDATE promise SET last_seq = ? WHERE id = ?", [last.seq, promise])
    }

    private static func applyPeople(_ commit: SessionCommit, to db: SQLConnection) throws {
        for participant in commit.participants { try ParticipantRecord.save(participant, of: commit.promiseID, in: db) }
        guard commit.retracted.isDisjoint(with: commit.arrivals.keys) else {
            throw StoreError.broken("An arrival that is both written and retracted")
        }
        for user in commit.retracted { try ArrivalRecord.delete(of: user, in: commit.promiseID, from: db) }
        for (user, arrival) in commit.arrivals {
            try ArrivalRecord.save(arrival, of: user, in: commit.promiseID, to: db)
        }
        try CameTogetherRecord.apply(commit.together, to: commit.promiseID, in: db)
    }

    /// Writes the result of a commit; returns it if it is the first one.
    private static func applyResult(_ commit: SessionCommit, in db: SQLConnection) throws -> PromiseResult? {
        guard let result = commit.result else { return nil }
        guard result.promiseID == commit.promiseID else { throw StoreError.broken("A result of another promise") }
        if let known = try ResultRecord.fetch(of: commit.promiseID, from: db) {
            guard commit.mark == nil else { throw StoreError.broken("A second result") }
            try ResultRecord.update(known, to: result, in: db)
            return nil
        }
        guard commit.mark == .final else { throw StoreError.broken("A result without the final mark") }
        try ResultRecord.insert(result, into: db)
        return result
    }

    /// An excuse changes a debt, so its author and reason are stored beside the result (domain §8).
    private static func audit(_ commit: SessionCommit, in db: SQLConnection) throws {
        for event in commit.events {
            guard case .excused(let userID) = event.event else { continue }
            let owner = try db.row("SELECT owner_id FROM promise WHERE id = ?", [commit.promiseID])
            let ownerID: UserID? = try owner?.value("owner_id")
            let reason = commit.participants.last { $0.userID == userID }?.excusedReason
            let entry = AuditEntry(
                at: event.at,
                actor: ownerID.map { "user:\($0)" } ?? "",
                action: "excuse",
                subject: "promise:\(commit.promiseID) user:\(userID)",
                detail: reason ?? ""
            )
            try AuditRecord.insert(entry, isAdmin: false, into: db)
        }
    }

    private func advance(to mark: ClockMark, of promise: PromiseID, in db: SQLConnection) throws {
        guard mark >= self.mark else { throw StoreError.broken("A clock mark that moves backwards") }
        try db.run("UPDATE promise SET mark = ? WHERE id = ?", [mark.rawValue, promise])
    }
}

/// A row of `nudge`: the last reminder of a pair.
enum NudgeRecord {
    /// The stored reminders of a promise. Primary key.
    static func fetchAll(of promise: PromiseID, from db: SQLConnection) throws -> [Nudge] {
        try db.rows("SELECT sender_id, receiver_id, at FROM nudge WHERE promise_id = ?", [promise]).map { row in
            Nudge(from: try row.value("sender_id"), to: try row.value("receiver_id"), at: try row.value("at"))
        }
    }

    /// Stores reminders, and deletes those that had expired by then. Primary key.
    static func save(_ nudges: [Nudge], of promise: PromiseID, in db: SQLConnection) throws {
        guard let last = nudges.last else { return }
        try db.run("DELETE FROM nudge WHERE promise_id = ? AND at <= ?", [promise, last.at - NudgeRule.interval])
        for nudge in nudges {
            try db.run(
                "INSERT OR REPLACE INTO nudge (promise_id, sender_id, receiver_id, at) VALUES (?, ?, ?, ?)",
                [promise, nudge.from, nudge.to, nudge.at]
            )
        }
    }

    /// Deletes all reminders of a finished promise. Primary key.
    static func delete(of promise: PromiseID, from db: SQLConnection) throws {
        try db.run("DELETE FROM nudge WHERE promise_id = ?", [promise])
    }
}
