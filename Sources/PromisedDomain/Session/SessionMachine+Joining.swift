extension SessionMachine {
    /// A user joins as accepted, by a valid code (domain §4). Throws `codeInvalid` (the window is over, or the owner
    /// has removed them), `promiseLimit` (they have no room; participants, people over the life of the promise, or
    /// events).
    mutating func join(_ userID: UserID, hasRoom: Bool, at now: Instant) throws(Refusal) {
        guard !isOver, now < promise.closesAt else { throw .codeInvalid }
        switch participant(userID)?.membership {
        case .accepted: return
        case .removed: throw .codeInvalid
        case .invited: break
        case .declined, .left, nil:
            guard countIn < PromiseLimits.participants else { throw .promiseLimit }
        }
        guard hasRoom else { throw .promiseLimit }
        try requireRoomForEvents()
        if memberIndex[userID] == nil {
            guard members.count < PromiseLimits.people else { throw .promiseLimit }
            add(Participant(userID: userID, membership: .invited, invitedAt: now))
        }
        guard let index = memberIndex[userID] else { return }
        accept(index, at: now)
    }

    /// Makes a member an accepted participant from now on.
    mutating func accept(_ index: Int, at now: Instant) {
        members[index].participant.membership = .accepted
        members[index].participant.acceptedAt = now
        if members[index].devices.isEmpty { members[index].countsFrom = now }
        members[index].participant.endedAt = nil
        keep(index)
        record(.joined(members[index].participant.userID), at: now)
    }

    /// The owner hands the promise over to another participant. Throws `promiseNotFound`, `promiseNotOwner`,
    /// `promiseClosed`, `userNotFound` (no participant), `promiseNotAccepted` (they have not accepted), `promiseLimit`
    /// (events).
    mutating func handOver(to other: UserID, by userID: UserID, at now: Instant) throws(Refusal) {
        try standing(of: userID).requireOwner()
        guard !isOver, now < promise.settlesAt else { throw .promiseClosed }
        guard let heir = participant(other) else { throw .userNotFound }
        guard heir.membership == .accepted else { throw .promiseNotAccepted }
        guard other != userID else { return }
        try requireRoomForEvents()
        own(other, at: now)
    }

    private mutating func own(_ userID: UserID, at now: Instant) {
        promise.ownerID = userID
        // A promise carries only a course of its current owner.
        promise.courseID = nil
        promise.version += 1
        pending.promise = promise
        record(.handedOver(userID), at: now)
    }

    /// Prepares for the deletion of a participant's account: an owned promise passes to the participant who accepted
    /// first, or is cancelled without one; then the user leaves, or declines an invitation (domain §2).
    mutating func part(_ userID: UserID, at now: Instant) {
        guard !isOver, now < promise.settlesAt, let index = memberIndex[userID] else { return }
        switch members[index].participant.membership {
        case .declined, .left, .removed: return
        case .invited: decline(index, at: now)
        case .accepted:
            if userID == promise.ownerID {
                guard let heir = earliestAccepted(besides: userID) else { return callOff(reason: "", at: now) }
                own(heir, at: now)
            }
            end(index, as: .left, at: now)
        }
    }

    /// Clears all texts, so that no later commit stores them again.
    mutating func empty() {
        promise.empty()
        for index in members.indices where members[index].participant.excusedReason != nil {
            members[index].participant.excusedReason = ""
        }
        guard var table = result else { return }
        for row in table.rows.indices { table.rows[row].excusedReason = "" }
        result = table
    }

    private func earliestAccepted(besides userID: UserID) -> UserID? {
        members.lazy.map(\.participant)
            .filter { $0.membership == .accepted && $0.userID != userID }
            .min { ($0.acceptedAt ?? $0.invitedAt, $0.userID) < ($1.acceptedAt ?? $1.invitedAt, $1.userID) }?
            .userID
    }

    /// An invited member declines.
    mutating func decline(_ index: Int, at now: Instant) {
        members[index].participant.membership = .declined
        members[index].participant.endedAt = now
        keep(index)
        record(.declined(members[index].participant.userID), at: now)
    }
}
