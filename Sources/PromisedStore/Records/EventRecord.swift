internal import Foundation
internal import PromisedDomain

/// A row of `promise_event`: the kind, for people and queries, and the event as JSON.
///
/// A golden file of the tests holds the stored form of every event: events already written must stay readable.
enum EventRecord {
    /// The most bytes of events in one read, which returns at least one event.
    static let readBytes = 1 << 20

    /// The events numbered above `seq`, ascending, at most `limit`; fewer if they are large. Empty only if none follow.
    /// Primary key.
    static func fetch(
        of promise: PromiseID,
        after seq: Int,
        limit: Int,
        from db: SQLConnection
    ) throws -> [NumberedEvent] {
        var events: [NumberedEvent] = []
        var bytes = 0
        let rows = try db.cursor(
            "SELECT seq, at, body FROM promise_event WHERE promise_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            [promise, seq, limit]
        )
        while bytes < readBytes, let row = try rows.next() {
            let body: String = try row.value("body")
            bytes += body.utf8.count
            events.append(
                NumberedEvent(seq: try row.value("seq"), at: try row.value("at"), event: try StoredJSON.decode(body))
            )
        }
        return events
    }

    /// Deletes all events of a finished promise, its invite codes and its view link.
    static func delete(of promise: PromiseID, from db: SQLConnection) throws {
        try db.run("DELETE FROM promise_event WHERE promise_id = ?", [promise])
        try db.run("DELETE FROM invite WHERE promise_id = ?", [promise])
        try ViewLinkRecord.delete(of: promise, from: db)
    }

    /// Appends an event, without device names; the caller has checked its number.
    static func insert(_ event: NumberedEvent, of promise: PromiseID, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO promise_event (promise_id, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)",
            [promise, event.seq, event.at, event.event.traits.label, try StoredJSON.encode(event.event.withoutDevices)]
        )
    }
}

enum ViewLinkRecord {
    /// The link of a promise, including an expired one; nil if there is none. Primary key.
    static func fetch(of promise: PromiseID, from db: SQLConnection) throws -> ViewLink? {
        try db.row("SELECT code_hash, created_at, expires_at FROM view_link WHERE promise_id = ?", [promise])
            .map { row in
                let hash: Data = try row.value("code_hash")
                return ViewLink(
                    codeHash: [UInt8](hash),
                    createdAt: try row.value("created_at"),
                    expiresAt: try row.value("expires_at")
                )
            }
    }

    static func apply(_ change: ViewLinkChange, to promise: PromiseID, in db: SQLConnection) throws {
        try delete(of: promise, from: db)
        guard case .made(let link) = change else { return }
        try db.run(
            "INSERT INTO view_link (promise_id, code_hash, created_at, expires_at) VALUES (?, ?, ?, ?)",
            [promise, Data(link.codeHash), link.createdAt, link.expiresAt]
        )
    }

    /// Deletes the link of a promise. Primary key.
    static func delete(of promise: PromiseID, from db: SQLConnection) throws {
        try db.run("DELETE FROM view_link WHERE promise_id = ?", [promise])
    }
}
