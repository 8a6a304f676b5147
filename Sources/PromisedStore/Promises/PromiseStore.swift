package import PromisedDomain

/// The outcome of a request to create a promise.
package enum PromiseCreation: Hashable, Sendable {
    /// The promise was created, with its participants and events.
    case created
    /// The same owner used the same key for the same content less than 24 h ago, which created this promise.
    case existing(PromiseID)
    /// The same owner used the same key for other content less than 24 h ago; nothing was written.
    case keyReused
    /// The owner has, or takes part in, the most unfinished promises allowed; nothing was written.
    case limitReached
    /// An invited user, the first in order, is not a friend of the owner; nothing was written.
    case notFriend(UserID)

    /// The outcome of an earlier use of the key.
    fileprivate init(_ earlier: EarlierUse<Promise>) {
        switch earlier {
        case .same(let id): self = .existing(id)
        case .other: self = .keyReused
        }
    }
}

/// Promises, their lists, invites and events.
package struct PromiseStore: StorePart {
    let driver: any StoreDriver

    /// Creates a promise with its participants and first events, once per key.
    ///
    /// - Parameters:
    ///   - promise: the promise; its owner must be among the participants.
    ///   - participants: all initial participants, in order.
    ///   - events: the events so far, numbered from 1 without gaps.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    ///   - now: the instant of the request.
    ///   - openLimit: how many open promises (neither final nor cancelled) an owner may have.
    ///   - amongFriends: `true` if all other participants must be friends of the owner.
    ///   - audit: written in the same transaction if an administrator creates it, with the promise as its subject.
    /// - Returns: the outcome; checks the key, then the limit, then the friendships.
    /// - Throws: ``StoreError/broken(_:)`` if the events are misnumbered, the owner is missing, a user is unknown, or
    ///   the place refers to an unknown one of the directory.
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

    /// The use of an owner's key in the last 24 hours: `existing` for the same content, `keyReused` for other content;
    /// nil if unused. Primary key.
    package func earlierCreation(
        by owner: UserID,
        key: String,
        contentHash: [UInt8],
        now: Instant
    ) async throws(StoreError) -> PromiseCreation? {
        let use = KeyUse(.promise, owner: owner, key: key, contentHash: contentHash, at: now)
        return try await read { db in try use.earlier(in: db).map(PromiseCreation.init) }
    }

    /// Deletes expired request keys. Index `idempotency_key_by_age`.
    package func deleteKeys(at now: Instant) async throws(StoreError) {
        try await write { db in
            try db.run("DELETE FROM idempotency_key WHERE created_at <= ?", [now - PromiseLimits.keyMemory])
        }
    }

    /// `true` if the promise exists. Primary key.
    package func knows(_ promise: PromiseID) async throws(StoreError) -> Bool {
        try await read { db in try db.row("SELECT 1 FROM promise WHERE id = ?", [promise]) != nil }
    }

    /// A user's membership in a promise; nil if they have none or the promise does not exist. Primary key.
    package func membership(of user: UserID, in promise: PromiseID) async throws(StoreError) -> Participant.Membership?
    {
        try await read { db in try ParticipantRecord.membership(of: user, in: promise, from: db) }
    }

    /// How many unfinished promises a user has accepted, including their own. Index `participant_open`.
    package func participations(of user: UserID, at now: Instant) async throws(StoreError) -> Int {
        try await read { db in try ParticipantRecord.participations(of: user, at: now, in: db) }
    }

    /// The final table of a promise; nil before it is final. Primary key.
    package func result(of promise: PromiseID) async throws(StoreError) -> PromiseResult? {
        try await read { db in try ResultRecord.fetch(of: promise, from: db) }
    }

    /// Deletes the durable events of promises whose result became final, or which were cancelled, before an instant,
    /// and invite codes of finished promises. Each transaction covers few promises. Returns the number of promises.
    @discardableResult
    package func deleteEvents(ofPromisesFinalBefore instant: Instant) async throws(StoreError) -> Int {
        let over = try await read { db in try FinishedPromiseRecord.fetch(finalBefore: instant, with: .events, from: db)
        }
        try await write(forEach: over) { promise, db in try EventRecord.delete(of: promise, from: db) }
        return over.count
    }

    /// The durable events of a promise numbered above `seq`, ascending, at most `limit`; fewer if they are large. Empty
    /// only if none follow. Primary key.
    ///
    /// Each event is decoded separately, so hundreds take several milliseconds: more than a few count as a long read.
    package func events(of promise: PromiseID, after seq: Int, limit: Int) async throws(StoreError) -> [NumberedEvent] {
        guard limit <= PromiseStore.fewEvents else {
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
    /// The first participant, in order, who is neither the owner nor a friend of the owner. Primary key.
    fileprivate static func firstStranger(
        to promise: Promise,
        _ participants: [Participant],
        in db: SQLConnection
    ) throws -> UserID? {
        try participants.map(\.userID).first { userID in
            try userID != promise.ownerID && !areFriends(promise.ownerID, userID, in: db)
        }
    }
}

extension ParticipantRecord {
    fileprivate static func participations(of user: UserID, at now: Instant, in db: SQLConnection) throws -> Int {
        try db.number(PromiseListQuery.participations, named: ["user": user, "now": now])
    }
}

extension PromiseRecord {
    /// How many promises of an owner are neither final nor cancelled. Index `promise_by_owner`.
    static func openCount(of owner: UserID, at now: Instant, in db: SQLConnection) throws -> Int {
        try db.number(
            "SELECT count(*) FROM promise WHERE owner_id = :owner AND settles_at > :now AND cancelled_at IS NULL",
            named: ["owner": owner, "now": now]
        )
    }
}

package protocol HasPromises: Sendable {
    var promises: PromiseStore { get }
}
