internal import Foundation
package import PromisedDomain

/// A user of an outside issuer, as found by a token.
package struct ExternalAccount: Hashable, Sendable {
    package var userID: UserID
    /// `true` if the user can sign in: neither disabled nor being deleted.
    package var isUsable: Bool
}

/// The account to create for a new subject of an outside issuer.
package struct NewExternalAccount: Hashable, Sendable {
    package var id: UserID
    /// The issuer's name for them.
    package var subject: String
    /// The keyed hash that marks this subject if it is deleted.
    package var subjectKey: [UInt8]
    /// When the token was issued, on the server's clock; nil if the token does not say.
    package var issuedAt: Instant?
    /// The nicknames to try, in this order.
    package var nicknames: [ChosenNickname]
    /// BCP 47, possibly empty.
    package var locale: String
    /// IANA, possibly empty.
    package var timeZone: String
    /// When the subject was first seen.
    package var createdAt: Instant

    package init(
        id: UserID,
        subject: String,
        subjectKey: [UInt8],
        issuedAt: Instant?,
        nicknames: [ChosenNickname],
        locale: String = "",
        timeZone: String = "",
        createdAt: Instant
    ) {
        self.id = id
        self.subject = subject
        self.subjectKey = subjectKey
        self.issuedAt = issuedAt
        self.nicknames = nicknames
        self.locale = locale
        self.timeZone = timeZone
        self.createdAt = createdAt
    }
}

/// The outcome for a new subject.
package enum ExternalSignUpOutcome: Hashable, Sendable {
    /// The account exists: created by this call or by another token shortly before.
    case found(ExternalAccount)
    /// The subject's account was deleted after the token was issued, or the token has no issue time.
    case deleted
    /// All the nicknames are taken; nothing was written.
    case nicknamesTaken
}

extension AccountStore {
    /// The user with an outside issuer's subject; nil if the subject is new. Index `user_by_subject`.
    package func externalAccount(subject: String) async throws(StoreError) -> ExternalAccount? {
        try await read { db in try ExternalAccountRecord.fetch(subject, from: db) }
    }

    /// Creates the user of an outside issuer's subject, once even for concurrent calls: looks up the subject, checks
    /// that it was not deleted, then takes the first free nickname. Indexes `user_by_subject`, `user_by_nickname`,
    /// `user_by_skeleton`.
    package func createExternalUser(_ account: NewExternalAccount) async throws(StoreError) -> ExternalSignUpOutcome {
        try await write { db in
            if let known = try ExternalAccountRecord.fetch(account.subject, from: db) { return .found(known) }
            guard try ExternalAccountRecord.mayReturn(account, in: db) else { return .deleted }
            for nickname in account.nicknames where try !AccountRecord.isTaken(nickname, in: db) {
                try ExternalAccountRecord.insert(account, as: nickname, into: db)
                return .found(ExternalAccount(userID: account.id, isUsable: true))
            }
            return .nicknamesTaken
        }
    }
}

/// A row of `user` with a subject, or of `forgotten_subject`.
enum ExternalAccountRecord {
    static func fetch(_ subject: String, from db: SQLConnection) throws -> ExternalAccount? {
        try db.row(
            """
            SELECT id, disabled_at IS NULL AND deleting_at IS NULL AS is_usable
            FROM user WHERE external_subject = ?
            """,
            [subject]
        ).map { row in
            ExternalAccount(userID: try row.value("id"), isUsable: try row.value("is_usable"))
        }
    }

    /// Records that a subject's account was deleted.
    static func forget(key: Data, at now: Instant, in db: SQLConnection) throws {
        try db.run("INSERT OR REPLACE INTO forgotten_subject (key, deleted_at) VALUES (?, ?)", [key, now])
    }

    /// `true` if the subject was never deleted, or if its token was issued after the deletion. Primary key.
    static func mayReturn(_ account: NewExternalAccount, in db: SQLConnection) throws -> Bool {
        let key = Data(account.subjectKey)
        guard let row = try db.row("SELECT deleted_at FROM forgotten_subject WHERE key = ?", [key]) else { return true }
        let deletedAt: Instant = try row.value("deleted_at")
        return account.issuedAt.map { $0 > deletedAt } ?? false
    }

    static func insert(_ account: NewExternalAccount, as nickname: ChosenNickname, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO user (
                id, nickname, nickname_key, nickname_skeleton, avatar, locale, time_zone, created_at, external_subject
            ) VALUES (?, ?, ?, ?, '', ?, ?, ?, ?)
            """,
            [
                account.id, nickname.text, nickname.key, NicknameSkeleton.skeleton(of: nickname.text),
                account.locale, account.timeZone, account.createdAt, account.subject,
            ]
        )
        try db.run("DELETE FROM forgotten_subject WHERE key = ?", [Data(account.subjectKey)])
    }
}
