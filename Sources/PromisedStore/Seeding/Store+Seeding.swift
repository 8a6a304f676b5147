internal import Foundation
package import PromisedDomain

/// The content of one transaction of ``Store/seed(_:)``.
package struct SeedBatch: Hashable, Sendable {
    /// A promise with all its participants.
    package struct Meetup: Hashable, Sendable {
        package var promise: Promise
        /// In order, including the owner.
        package var participants: [Participant]
        /// The events so far, numbered from 1 without gaps.
        package var events: [NumberedEvent]

        package init(promise: Promise, participants: [Participant], events: [NumberedEvent]) {
            self.promise = promise
            self.participants = participants
            self.events = events
        }
    }

    /// The timestamp of all rows.
    package var at: Instant
    /// When the sign-ins expire.
    package var signInsExpireAt: Instant
    package var users: [SeedUser]
    /// Pairs of users of this batch or earlier ones.
    package var friendships: [Friendship]
    /// Promises among users of this batch or earlier ones.
    package var meetups: [Meetup]

    package init(
        at: Instant,
        signInsExpireAt: Instant,
        users: [SeedUser],
        friendships: [Friendship],
        meetups: [Meetup]
    ) {
        self.at = at
        self.signInsExpireAt = signInsExpireAt
        self.users = users
        self.friendships = friendships
        self.meetups = meetups
    }
}

/// A user of ``Store/seed(_:)``: without an address and a password, so the only way to sign in is a token made outside
/// the store.
package struct SeedUser: Hashable, Sendable {
    package var id: UserID
    /// The nickname as displayed.
    package var nickname: String
    /// The nickname folded; unique.
    package var nicknameKey: String
    /// The sign-in named by the user's token.
    package var signIn: SignInID
    /// The stored form of the refresh token that keeps the sign-in alive.
    package var refreshHash: RefreshHash

    package init(id: UserID, nickname: String, nicknameKey: String, signIn: SignInID, refreshHash: RefreshHash) {
        self.id = id
        self.nickname = nickname
        self.nicknameKey = nicknameKey
        self.signIn = signIn
        self.refreshHash = refreshHash
    }
}

extension Store {
    /// Writes users with one sign-in each, friendships and promises directly into the tables, all or nothing, without
    /// the checks of requests: for load tests, on a store not in use by a server. Throws ``StoreError/broken(_:)``,
    /// with nothing written, if an id or nickname is taken, a user is unknown, or events are not numbered from 1.
    package func seed(_ batch: SeedBatch) async throws(StoreError) {
        try await write { db in
            for user in batch.users { try SeedRecord.insert(user, of: batch, into: db) }
            for friendship in batch.friendships { try FriendshipRecord.save(friendship, in: db) }
            for meetup in batch.meetups { try SeedRecord.insert(meetup, into: db) }
        }
    }
}

private enum SeedRecord {
    static func insert(_ user: SeedUser, of batch: SeedBatch, into db: SQLConnection) throws {
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

    static func insert(_ meetup: SeedBatch.Meetup, into db: SQLConnection) throws {
        let promise = meetup.promise
        try PromiseRecord.insert(promise, into: db)
        for participant in meetup.participants { try ParticipantRecord.save(participant, of: promise.id, in: db) }
        try SessionRecord.append(meetup.events, to: promise.id, after: 0, in: db)
    }
}
