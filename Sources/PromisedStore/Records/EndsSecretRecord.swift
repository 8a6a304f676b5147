internal import PromisedDomain
internal import PromisedJournal

/// The row of `meta` with the server's secret, from which the users' secrets are derived.
///
/// Created once and never changed: another secret would move the circles around the hidden ends, and comparing the ways
/// seen before and after would reveal the ends.
enum EndsSecretRecord {
    /// The secret of a user; nil means the operator, whose courses hide no ends. Primary key.
    static func fetch(of user: UserID?, from db: SQLConnection) throws -> EndsSecret {
        guard let row = try db.row("SELECT value FROM meta WHERE key = 'ends-secret'") else {
            throw StoreError.damaged("No secret for hidden ends")
        }
        let words = (try row.value("value") as String).split(separator: " ").compactMap { UInt64($0) }
        guard words.count == 2 else { throw StoreError.damaged("The secret for hidden ends is malformed") }
        return EndsSecret(first: words[0], second: words[1]).derived(for: user ?? UserID(high: 0, low: 0))
    }

    /// Creates the server's secret unless it exists.
    static func make(in db: SQLConnection) throws {
        var generator = SystemRandomNumberGenerator()
        let secret = EndsSecret(first: generator.next(), second: generator.next())
        try db.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('ends-secret', ?)", [text(of: secret)])
    }

    /// Replaces the server's secret, before there are courses.
    static func replace(by secret: EndsSecret, in db: SQLConnection) throws {
        try db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('ends-secret', ?)", [text(of: secret)])
    }

    private static func text(of secret: EndsSecret) -> String { "\(secret.first) \(secret.second)" }
}
