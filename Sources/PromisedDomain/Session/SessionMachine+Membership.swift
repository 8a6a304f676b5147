extension SessionMachine {
    /// An invited user accepts or declines, until the window ends. An accepted one who declines leaves. Throws
    /// `promiseNotFound` (not invited), `promiseClosed`, `promiseLimit` (they accept, and have no room), and the errors
    /// of ``leave(_:at:)``.
    mutating func respond(_ userID: UserID, accept: Bool, hasRoom: Bool, at now: Instant) throws(Refusal) {
        guard let index = memberIndex[userID] else { throw .promiseNotFound }
        switch members[index].participant.membership {
        case .accepted:
            guard accept else { return try leave(userID, at: now) }
        case .declined, .left, .removed: throw .promiseNotFound
        case .invited:
            guard promise.cancelledAt == nil, now < promise.closesAt else { throw .promiseClosed }
            guard accept else { return decline(index, at: now) }
            guard hasRoom else { throw .promiseLimit }
            self.accept(index, at: now)
        }
    }

    /// A participant leaves before the promise is final; an arrival remains (domain §8). Throws `promiseNotFound` (not
    /// a participant), `promiseNotAccepted` (only invited), `forbidden` (the owner), `promiseClosed`.
    mutating func leave(_ userID: UserID, at now: Instant) throws(Refusal) {
        let standing = self.standing(of: userID)
        try standing.requireIn()
        let index = try acceptedIndex(of: userID)
        guard standing.part != .owner else { throw .forbidden }
        guard !isOver, now < promise.settlesAt else { throw .promiseClosed }
        end(index, as: .left, at: now)
    }

    /// The owner cancels the promise, any time before the result is final. Throws `promiseNotFound` (a stranger),
    /// `promiseNotOwner`, `promiseClosed`.
    mutating func cancel(by userID: UserID, reason: String, at now: Instant) throws(Refusal) {
        try standing(of: userID).requireOwner()
        guard !isOver, now < promise.settlesAt else { throw .promiseClosed }
        callOff(reason: reason, at: now)
    }

    mutating func callOff(reason: String, at now: Instant) {
        promise.cancelledAt = now
        promise.cancelReason = reason
        pending.promise = promise
        record(.cancelled(reason: reason), at: now)
        releaseTracks()
    }

    /// A participant switches sharing; off hides their position from others at once. Throws `promiseNotFound`,
    /// `promiseNotAccepted`, `promiseClosed`.
    mutating func setSharing(
        _ userID: UserID,
        on: Bool,
        at now: Instant,
        effects: inout [SessionEffect]
    ) throws(Refusal) {
        let index = try acceptedIndex(of: userID)
        guard !isOver else { throw .promiseClosed }
        guard members[index].participant.isSharing != on else { return }
        members[index].participant.isSharing = on
        if on {
            members[index].participant.sharesFrom = now
        } else {
            members[index].forgetWhereabouts()
            members[index].hasMoved = false
            reporting.forget(index)
        }
        keep(index)
        tellLive(.sharing(userID, on: on), at: now, effects: &effects)
    }

    /// A participant checks in (domain §6.7). Throws `promiseNotFound`, `promiseNotAccepted`, `positionOutsideWindow`
    /// (not tracking), `checkInNoFix`, `checkInTooFar`.
    mutating func checkIn(_ userID: UserID, source: Arrival.Source, at now: Instant) throws(Refusal) {
        let index = try acceptedIndex(of: userID)
        guard promise.status(at: now) == .tracking else { throw .positionOutsideWindow }
        var isMock = false
        if source == .myself {
            guard let latest = members[index].latest, now - latest.time <= CheckInRule.freshness else {
                throw .checkInNoFix
            }
            let error = min(latest.errorMetres, ArrivalCriteria.errorCapMetres)
            let distance = latest.coordinate.distanceMetres(to: promise.place.coordinate)
            guard distance - error <= Double(promise.radiusMetres) else { throw .checkInTooFar }
            isMock = latest.isMock
        }
        guard members[index].checkIn == nil else { return }
        members[index].checkIn = Arrival.CheckIn(at: now, source: source, isMock: isMock)
        reconcileArrivals(at: now, cause: .checkIn, retraction: .backfill)
    }

    /// The owner excuses another participant, before the result is final or within 7 days after (domain §8). Throws
    /// `promiseNotFound`, `promiseNotOwner`, `forbidden` (themself), `userNotFound` (no row), `promiseClosed`,
    /// `promiseLimit` (events).
    mutating func excuse(_ userID: UserID, by owner: UserID, reason: String, at now: Instant) throws(Refusal) {
        try standing(of: owner).requireOwner()
        guard owner != userID else { throw .forbidden }
        guard let index = memberIndex[userID], members[index].participant.tookPart(from: promise.opensAt) else {
            throw .userNotFound
        }
        guard promise.cancelledAt == nil, now < promise.settlesAt + ExcuseRule.possibleFor else { throw .promiseClosed }
        guard members[index].participant.excusedReason != reason else { return }
        try requireRoomForEvents()
        members[index].participant.excusedReason = reason
        keep(index)
        if var table = result, let row = table.rows.firstIndex(where: { $0.userID == userID }) {
            table.rows[row] = table.rows[row].excused(because: reason)
            result = table
            pending.result = table
        }
        record(.excused(userID), at: now)
    }

    /// A user's standing in the promise, with the participants hidden from them.
    package func standing(of userID: UserID) -> Standing {
        Standing(of: participant(userID), in: promise, hidden: hidden(from: userID))
    }

    func acceptedIndex(of userID: UserID) throws(Refusal) -> Int {
        try standing(of: userID).requireAccepted()
        guard let index = memberIndex[userID] else { throw .promiseNotFound }
        return index
    }

    mutating func keep(_ index: Int) { pending.participants.append(members[index].participant) }
}

/// The parameters of the check-in by hand (domain §6.7).
package enum CheckInRule {
    /// The latest fix may be this old.
    package static let freshness = TimeSpan.seconds(60)
}

/// The parameters of the excuse (domain §8).
package enum ExcuseRule {
    /// How long after the result an owner may still excuse a participant.
    package static let possibleFor = TimeSpan.days(7)
}
