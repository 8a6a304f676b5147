internal import GRDB
internal import PromisedDomain

/// A row of `nudge`: the last reminder of a pair.
enum NudgeRecord {
    /// The reminders of a promise that are kept. Primary key.
    static func fetchAll(of promise: PromiseID, from db: Database) throws -> [Nudge] {
        try db.rows("SELECT sender_id, receiver_id, at FROM nudge WHERE promise_id = ?", [promise]).map { row in
            Nudge(from: try row.value("sender_id"), to: try row.value("receiver_id"), at: try row.value("at"))
        }
    }

    /// Keeps reminders, and forgets those that no longer count when they were made. Primary key.
    static func save(_ nudges: [Nudge], of promise: PromiseID, in db: Database) throws {
        guard let last = nudges.last else { return }
        try db.run(
            "DELETE FROM nudge WHERE promise_id = ? AND at <= ?",
            [promise, last.at - NudgeRule.interval]
        )
        for nudge in nudges {
            try db.run(
                "INSERT OR REPLACE INTO nudge (promise_id, sender_id, receiver_id, at) VALUES (?, ?, ?, ?)",
                [promise, nudge.from, nudge.to, nudge.at]
            )
        }
    }

    /// Forgets all reminders of a promise, which is over. Primary key.
    static func delete(of promise: PromiseID, from db: Database) throws {
        try db.run("DELETE FROM nudge WHERE promise_id = ?", [promise])
    }
}
