internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A row of `view_link`.
enum ViewLinkRecord {
    /// The link of a promise, also one that has ended by the clock; nil without one. Primary key.
    static func fetch(of promise: PromiseID, from db: Database) throws -> ViewLink? {
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

    /// Makes a link the one of its promise, or leaves the promise without.
    static func apply(_ change: ViewLinkChange, to promise: PromiseID, in db: Database) throws {
        try delete(of: promise, from: db)
        guard case .made(let link) = change else { return }
        try db.run(
            "INSERT INTO view_link (promise_id, code_hash, created_at, expires_at) VALUES (?, ?, ?, ?)",
            [promise, Data(link.codeHash), link.createdAt, link.expiresAt]
        )
    }

    /// Leaves a promise without a link. Primary key.
    static func delete(of promise: PromiseID, from db: Database) throws {
        try db.run("DELETE FROM view_link WHERE promise_id = ?", [promise])
    }
}
