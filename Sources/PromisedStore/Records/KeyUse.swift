internal import Foundation
internal import PromisedDomain

/// The use of a client's key for a request; a repetition returns the result of the first request.
struct KeyUse {
    /// Kinds of requests with keys. A key belongs to one request, whatever its result.
    enum Kind: String {
        case promise
        case favourite
        case file
        case visit
        case folder
        case course
        case recording
    }

    private let kind: Kind
    private let owner: UserID
    private let key: String
    private let contentHash: Data
    private let at: Instant

    init(_ kind: Kind, owner: UserID, key: String, contentHash: [UInt8], at now: Instant) {
        self.kind = kind
        self.owner = owner
        self.key = key
        self.contentHash = Data(contentHash)
        at = now
    }

    /// The use for one of several items that a request creates, by its number from 0. Clients' keys contain no control
    /// characters.
    func part(_ index: Int) -> KeyUse {
        guard index > 0 else { return self }
        return KeyUse(kind, owner: owner, key: "\(key)\u{1F}\(index)", contentHash: [UInt8](contentHash), at: at)
    }

    /// The effect of an earlier, unexpired use on this one; nil if there is none. Primary key.
    func earlier<Subject>(in db: SQLConnection) throws -> EarlierUse<Subject>? {
        let row = try db.row(
            """
            SELECT kind, subject_id, content_hash FROM idempotency_key
            WHERE owner_id = ? AND key = ? AND created_at > ?
            """,
            [owner, key, at - PromiseLimits.keyMemory]
        )
        guard let row else { return nil }
        let isSame = try row.value("kind") == kind.rawValue && row.value("content_hash") == contentHash
        return isSame ? .same(try row.value("subject_id")) : .other
    }

    /// Stores the id of the item that this use created.
    func remember<Subject>(_ subject: ID<Subject>, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO idempotency_key (owner_id, key, kind, subject_id, content_hash, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [owner, key, kind.rawValue, subject, contentHash, at]
        )
    }
}

/// An earlier use of a key in the last 24 hours.
enum EarlierUse<Subject> {
    /// The same content, which created this item.
    case same(ID<Subject>)
    /// Other content, or a request of another kind.
    case other
}
