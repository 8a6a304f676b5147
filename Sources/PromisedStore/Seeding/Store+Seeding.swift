internal import Foundation
internal import GRDB
internal import PromisedDomain

extension Store {
    /// Writes users with one sign-in each, friendships and promises straight into the tables, all or nothing, without
    /// the checks that requests go through: for load tests, on a store that no server has open.
    ///
    /// - Throws: ``StoreError/broken(_:)`` when an id or a nickname is taken, a user unknown or events are not numbered
    ///   from 1; nothing is written then.
    public func seed(_ batch: SeedBatch) async throws(StoreError) {
        try await write { db in
            for user in batch.users { try SeedRecord.insert(user, of: batch, into: db) }
            for friendship in batch.friendships { try FriendshipRecord.save(friendship, in: db) }
            for meetup in batch.meetups { try SeedRecord.insert(meetup, into: db) }
        }
    }
}

/// The rows of what is seeded.
private enum SeedRecord {
    static func insert(_ user: SeedUser, of batch: SeedBatch, into db: Database) throws {
        try db.run(
            """
            INSERT INTO user (id, nickname, nickname_key, nickname_skeleton, avatar, locale, time_zone, created_at)
            VALUES (?, ?, ?, ?, '', '', '', ?)
            """,
            [user.id, user.nickname, user.nicknameKey, NicknameSkeleton.skeleton(of: user.nickname), batch.at]
        )
        try db.run(
            "INSERT INTO auth_session (id, user_id, device_label, created_at) VALUES (?, ?, 'seed', ?)",
            [user.signIn, user.id, batch.at]
        )
        try RefreshTokenRecord.insert(
            user.refreshHash,
            session: user.signIn,
            expiresAt: batch.signInsExpireAt,
            into: db
        )
    }

    static func insert(_ meetup: SeedBatch.Meetup, into db: Database) throws {
        let promise = meetup.promise
        try PromiseRecord.insert(promise, into: db)
        for participant in meetup.participants { try ParticipantRecord.save(participant, of: promise.id, in: db) }
        try SessionRecord.append(meetup.events, to: promise.id, after: 0, in: db)
    }
}
