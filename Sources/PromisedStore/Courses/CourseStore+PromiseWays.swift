package import PromisedDomain
package import PromisedJournal

/// A participant's own way of a promise.
package struct PromiseWay: Hashable, Sendable {
    package let promise: Promise
    /// The way as recorded; empty if the participant sent no positions.
    package let track: Track
}

extension CourseStore {
    /// A participant's own way of a promise, by ``Track/init(of:arrival:in:)``, without the fixes in a ``FixBuffer``.
    /// Primary keys, index `fix_by_promise`.
    ///
    /// - Returns: the way; or the first refusal of `promiseNotFound` if the user was never in the promise,
    ///   `promiseNotAccepted` if they never accepted, `courseTooEarly` before the promise settles, `courseGone` if the
    ///   promise was cancelled or its positions have been deleted.
    package func ownWay(
        of user: UserID,
        in promise: PromiseID,
        at now: Instant
    ) async throws(StoreError) -> Result<PromiseWay, Refusal> {
        try await readAtLength { db in
            let participants = try ParticipantRecord.fetchAll(of: promise, from: db)
            guard let found = try PromiseRecord.fetch(promise, from: db),
                let participant = participants.first(where: { $0.userID == user })
            else { return .failure(.promiseNotFound) }
            guard participant.acceptedAt != nil else { return .failure(.promiseNotAccepted) }
            switch found.status(at: now) {
            case .scheduled, .tracking: return .failure(.courseTooEarly)
            case .cancelled: return .failure(.courseGone)
            case .final where try FixRecord.count(of: promise, from: db) == 0: return .failure(.courseGone)
            case .settling, .final: break
            }
            let fixes = try FixRecord.fetchAll(of: promise, where: { id, _ in id == user }, from: db)
            let arrival = try ArrivalRecord.fetchAll(of: promise, from: db)[user]
            return .success(PromiseWay(promise: found, track: Track(of: fixes, arrival: arrival, in: found)))
        }
    }
}
