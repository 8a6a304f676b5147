package import PromisedDomain

extension AccountStore {
    /// Applies a user's changes to their account, in one transaction. Index `user_by_nickname`.
    package func changeAccount(
        _ user: UserID,
        _ changes: AccountChanges
    ) async throws(StoreError) -> AccountChangeOutcome {
        try await write { db in
            guard try AccountRecord.isAlive(user, in: db) else { return .gone }
            if let nickname = changes.nickname, try AccountRecord.isTaken(nickname, forOthersThan: user, in: db) {
                return .nicknameTaken
            }
            if let picture = changes.picture, try !AccountRecord.change(picture, of: user, in: db) {
                return .pictureUnknown
            }
            try AccountRecord.apply(changes, to: user, in: db)
            return try AccountRecord.fetch(user, from: db).map { .changed($0) } ?? .gone
        }
    }

    /// `true` if no other user than `user` has this nickname, or one that looks like it. Indexes `user_by_nickname`,
    /// `user_by_skeleton`.
    package func isFree(_ nickname: ChosenNickname, for user: UserID?) async throws(StoreError) -> Bool {
        try await read { db in try !AccountRecord.isTaken(nickname, forOthersThan: user, in: db) }
    }

    /// The user with exactly this folded nickname, if `viewer` may find them: nil if they block the viewer or are being
    /// deleted. Index `user_by_nickname`, primary key.
    package func findUser(nicknameKey: String, seenBy viewer: UserID) async throws(StoreError) -> UserCard? {
        try await read { db in
            try db.rows(ProfileQuery.find, named: ["key": nicknameKey, "viewer": viewer]).first
                .map { try AccountRecord.account($0).card }
        }
    }

    /// The card of a user whose profile `viewer` may see: the viewer's own, a friend's, or that of any past or present
    /// participant, deleted or not, of a promise in which the viewer is an accepted participant; except users who never
    /// accepted or who block the viewer. Nil for all other users, known or unknown. Primary keys, index
    /// `participant_by_meeting`.
    package func profile(of user: UserID, seenBy viewer: UserID) async throws(StoreError) -> UserCard? {
        try await read { db in
            try db.rows(ProfileQuery.profile, named: ["user": user, "viewer": viewer]).first
                .map { try AccountRecord.account($0).card }
        }
    }

    /// The sums of a user's final results; zeros if there is no such user. Index `result_row_by_user`.
    package func statistics(of user: UserID) async throws(StoreError) -> Statistics {
        try await read { db in
            let sums = try db.rows(ProfileQuery.results, named: ["user": user]).map { row in
                OutcomeSums(
                    outcome: try row.raw("outcome"),
                    rows: try row.value("results"),
                    bestRank: try row.value("best_rank"),
                    credited: try row.value("credited"),
                    latenessSeconds: try row.value("lateness")
                )
            }
            return Statistics(of: user, sums: sums)
        }
    }
}

enum ProfileQuery {
    /// `true` if the row's user blocks the viewer.
    static let blocksViewer = """
        EXISTS (SELECT 1 FROM friendship WHERE first = min(user.id, :viewer) AND second = max(user.id, :viewer)
            AND CASE WHEN first = user.id THEN first_blocks ELSE second_blocks END)
        """

    static let find = """
        SELECT * FROM user WHERE nickname_key = :key AND deleting_at IS NULL AND NOT \(blocksViewer)
        """

    // Starts with the viewer's promises because there are few.
    static let profile = """
        SELECT * FROM user WHERE id = :user AND (id = :viewer OR NOT \(blocksViewer) AND (
            EXISTS (SELECT 1 FROM friendship WHERE first = min(user.id, :viewer) AND second = max(user.id, :viewer)
                AND state = 'friends' AND \(ErasingRecord.isKept("user.id")))
            OR EXISTS (SELECT 1 FROM participant AS mine INDEXED BY participant_by_meeting
                CROSS JOIN participant AS theirs ON theirs.promise_id = mine.promise_id
                WHERE mine.user_id = :viewer AND mine.membership = 'accepted'
                    AND theirs.user_id = user.id AND theirs.membership IN ('accepted', 'left', 'removed')
                    AND theirs.accepted_at IS NOT NULL)))
        """

    // SQL sums the rows of years: reading each of 10,000 rows takes twice as long.
    static let results = """
        SELECT outcome, count(*) AS results, coalesce(min(nullif(rank, 0)), 0) AS best_rank,
            count(credited_at) AS credited,
            sum(CASE WHEN credited_at IS NULL THEN 0 ELSE max(0, seconds_from_meeting) END) AS lateness
        FROM result_row WHERE user_id = :user GROUP BY outcome
        """
}

extension AccountRecord {
    /// `true` if another user has this nickname, or one that looks like it. A name that looks like one's own current
    /// one is allowed, even if an older account has it. Indexes `user_by_nickname`, `user_by_skeleton`.
    static func isTaken(
        _ nickname: ChosenNickname,
        forOthersThan user: UserID? = nil,
        in db: SQLConnection
    ) throws -> Bool {
        let taken = "SELECT 1 FROM user WHERE nickname_key = ? AND id IS NOT ?"
        if try db.row(taken, [nickname.key, user]) != nil { return true }
        let skeleton = NicknameSkeleton.skeleton(of: nickname.text)
        if try user.flatMap({ try ownSkeleton(of: $0, in: db) }) == skeleton { return false }
        return try db.row("SELECT 1 FROM user WHERE nickname_skeleton = ? AND id IS NOT ?", [skeleton, user]) != nil
    }

    /// The skeleton of a user's nickname, whether or not it is stored. Primary key.
    private static func ownSkeleton(of user: UserID, in db: SQLConnection) throws -> String? {
        guard let row = try db.row("SELECT nickname FROM user WHERE id = ?", [user]) else { return nil }
        let nickname: String? = try row.value("nickname")
        return nickname.map(NicknameSkeleton.skeleton(of:))
    }

    /// Changes a user's profile picture. The former one becomes a file that nothing uses. Primary keys.
    ///
    /// - Returns: `false`, with nothing written, if the user has no unused picture with this id.
    fileprivate static func change(_ change: PictureChange, of user: UserID, in db: SQLConnection) throws -> Bool {
        let before: PictureID? = try db.row("SELECT picture_id FROM user WHERE id = ?", [user])?.value("picture_id")
        var picture: PictureID?
        if case .chosen(let chosen) = change { picture = chosen }
        guard picture != before else { return true }
        if let picture {
            try db.run(
                """
                UPDATE file SET used_at = created_at
                WHERE id = ? AND user_id = ? AND kind = 'picture' AND used_at IS NULL
                """,
                [picture, user]
            )
            guard db.changesCount == 1 else { return false }
        }
        if let before { try db.run("UPDATE file SET used_at = NULL WHERE id = ?", [before]) }
        try db.run("UPDATE user SET picture_id = ? WHERE id = ?", [picture, user])
        return true
    }

    fileprivate static func apply(_ changes: AccountChanges, to user: UserID, in db: SQLConnection) throws {
        var skeleton = changes.nickname.map { NicknameSkeleton.skeleton(of: $0.text) }
        if let new = skeleton, try ownSkeleton(of: user, in: db) == new { skeleton = nil }
        try db.run(
            """
            UPDATE user SET nickname = coalesce(:nickname, nickname), nickname_key = coalesce(:key, nickname_key),
                nickname_skeleton = coalesce(:skeleton, nickname_skeleton),
                avatar = coalesce(:avatar, avatar), locale = coalesce(:locale, locale),
                time_zone = coalesce(:timeZone, time_zone),
                visits_from_arrivals = coalesce(:visits, visits_from_arrivals)
            WHERE id = :user
            """,
            named: [
                "user": user, "nickname": changes.nickname?.text, "key": changes.nickname?.key,
                "skeleton": skeleton,
                "avatar": changes.avatar, "locale": changes.locale, "timeZone": changes.timeZone,
                "visits": changes.visitsFromArrivals,
            ]
        )
    }
}
