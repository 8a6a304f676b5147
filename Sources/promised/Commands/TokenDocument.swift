import PromisedApplication
import PromisedDomain

/// A token as `--json` shows it.
struct TokenDocument: Encodable {
    var tokenId: String
    var name: String
    var createdAt: String
    var expiresAt: String?
    var revokedAt: String?
    var lastUsedAt: String?

    init(_ token: OperatorToken) {
        tokenId = token.id
        name = token.name
        createdAt = token.createdAt.rfc3339
        expiresAt = token.expiresAt?.rfc3339
        revokedAt = token.revokedAt?.rfc3339
        lastUsedAt = token.lastUsedAt?.rfc3339
    }

    /// The same as a row of a table.
    var row: [String] {
        [tokenId, name, createdAt, expiresAt ?? "never", revokedAt ?? "-", lastUsedAt ?? "never"]
    }

    /// What stands above such rows.
    static let head = ["ID", "NAME", "MADE", "EXPIRES", "REVOKED", "LAST USED"]
}
