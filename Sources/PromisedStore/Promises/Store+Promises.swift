internal import GRDB
package import PromisedDomain

/// The outcome of a request to create a promise.
package enum PromiseCreation: Hashable, Sendable {
    /// It was created, with its participants and events.
    case created
    /// The same owner used the same key for the same content less than 24 h ago: this is the promise created then.
    case existing(PromiseID)
    /// The same owner used the same key for another content less than 24 h ago; nothing was written.
    case keyReused
    /// The owner has, or takes part in, as many unfinished promises as allowed; nothing was written.
    case limitReached
    /// An invited user is not a friend of the owner; the first such in order. Nothing was written.
    case notFriend(UserID)

    /// The outcome that an earlier use of the key leads to.
    fileprivate init(_ earlier: EarlierUse<Promise>) {
        switch earlier {
        case .same(let id): self = .existing(id)
        case .other: self = .keyReused
        }
    }
}

extension Store {
    /// Creates a promise with its participants and first events, once for each key.
    ///
    /// - Parameters:
    ///   - promise: the promise; its owner must be among the participants.
    ///   - participants: all initial participants, in order.
    ///   - events: the events so far, numbered from 1 without a gap.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to tell a repetition from a reuse.
    ///   - now: the instant of the request.
    ///   - openLimit: how many promises of one owner may be open, neither final nor cancelled.
    ///   - amongFriends: `true` if all other participants must be friends of the owner.
    ///   - audit: written with it if an administrator does it, with the promise as its subject.
    /// - Returns: the outcome; the key is checked before the limit, and that before the friendships.
    /// - Throws: ``StoreError/broken(_:)`` when the events are not numbered so, the owner is missing, a user unknown, or
    ///   the place names one of the directory that has no row.
    package func createPromise(
        _ promise: Promise,
        participants: [Participant],
        events: [NumberedEvent],
        key: String,
        contentHash: [UInt8],
        now: Instant,
        openLimit: Int = PromiseLimits.openPromises,
        amongFriends: Bool = false,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> PromiseCreation {
        let use = KeyUse(.promise, owner: promise.ownerID, key: key, contentHash: contentHash, at: now)
        return try await write { db in
            if let earlier = try use.earlier(in: db).map(PromiseCreation.init) { return earlier }
            guard try PromiseRecord.openCount(of: promise.ownerID, at: now, in: db) < openLimit,
                try ParticipantRecord.participations(of: promise.ownerID, at: now, in: db)
                    < PromiseLimits.participations
            else { return .limitReached }
            guard participants.contains(where: { $0.userID == promise.ownerID }) else {
                throw StoreError.broken("A promise whose owner is not a participant")
            }
            if amongFriends, let stranger = try FriendshipRecord.firstStranger(to: promise, participants, in: db) {
                return .notFriend(stranger)
            }
            try PromiseRecord.insert(promise, into: db)
            for participant in participants { try ParticipantRecord.save(participant, of: promise.id, in: db) }
            try SessionRecord.append(events, to: promise.id, after: 0, in: db)
            try use.remember(promise.id, in: db)
            try AuditRecord.insert(audit?.about("\(promise.id)"), into: db)
            return .created
        }
    }

    /// The use of an owner's key in the last 24 hours: `existing` with the same content, `keyReused` with another; nil
    /// if unused. Primary key.
    package func earlierCreation(
        by owner: UserID,
        key: String,
        contentHash: [UInt8],
        now: Instant
    ) async throws(StoreError) -> PromiseCreation? {
        let use = KeyUse(.promise, owner: owner, key: key, contentHash: contentHash, at: now)
        return try await read { db in try use.earlier(in: db).map(PromiseCreation.init) }
    }

    /// Deletes keys of requests that have expired. Index `idempotency_key_by_age`.
    package func deleteKeys(at now: Instant) async throws(StoreError) {
        try await write { db in
            try db.run("DELETE FROM idempotency_key WHERE created_at <= ?", [now - PromiseLimits.keyMemory])
        }
    }

    /// A user's membership in a promise; nil if they have none or there is no such promise. Primary key.
    package func membership(of user: UserID, in promise: PromiseID) async throws(StoreError) -> Participant.Membership?
    {
        try await read { db in try ParticipantRecord.membership(of: user, in: promise, from: db) }
    }

    /// How many promises that are not over a user has accepted, their own included. Index `participant_open`.
    package func participations(of user: UserID, at now: Instant) async throws(StoreError) -> Int {
        try await read { db in try ParticipantRecord.participations(of: user, at: now, in: db) }
    }

    /// The final table of a promise; nil before. Primary key.
    package func result(of promise: PromiseID) async throws(StoreError) -> PromiseResult? {
        try await read { db in try ResultRecord.fetch(of: promise, from: db) }
    }

    /// Deletes the durable events of promises whose result became final, or which were cancelled, before an instant,
    /// and invite codes of promises that are over. Each transaction deletes few promises. Returns the number of
    /// promises.
    @discardableResult
    package func deleteEvents(ofPromisesFinalBefore instant: Instant) async throws(StoreError) -> Int {
        let over = try await read { db in try FinishedPromiseRecord.fetch(finalBefore: instant, with: .events, from: db)
        }
        try await delete(over) { promise, db in try EventRecord.delete(of: promise, from: db) }
        return over.count
    }

    /// The durable events of a promise numbered above `seq`, ascending, at most `limit`, and fewer if they are large;
    /// none only if none follows. Primary key.
    ///
    /// Each is decoded by itself, so hundreds take some milliseconds: more than a few count as a long read.
    package func events(of promise: PromiseID, after seq: Int, limit: Int) async throws(StoreError) -> [NumberedEvent] {
        guard limit <= Store.fewEvents else {
            return try await readAtLength { db in
                try EventRecord.fetch(of: promise, after: seq, limit: limit, from: db)
            }
        }
        return try await read { db in try EventRecord.fetch(of: promise, after: seq, limit: limit, from: db) }
    }

    /// The largest number of events that counts as a short read.
    private static let fewEvents = 50
}

extension FriendshipRecord {
    /// The first participant, in order, other than the owner and their friends. Primary key.
    fileprivate static func firstStranger(
        to promise: Promise,
        _ participants: [Participant],
        in db: Database
    ) throws -> UserID? {
        try participants.map(\.userID).first { userID in
            try userID != promise.ownerID && !areFriends(promise.ownerID, userID, in: db)
        }
    }
}

extension ParticipantRecord {
    fileprivate static func participations(of user: UserID, at now: Instant, in db: Database) throws -> Int {
        try db.number(PromiseListQuery.participations, named: ["user": user, "now": now])
    }
}

extension PromiseRecord {
    /// How many promises of an owner are neither final nor cancelled. Index `promise_by_owner`.
    static func openCount(of owner: UserID, at now: Instant, in db: Database) throws -> Int {
        try db.number(
            "SELECT count(*) FROM promise WHERE owner_id = :owner AND settles_at > :now AND cancelled_at IS NULL",
            named: ["owner": owner, "now": now]
        )
    }
}
