extension SessionMachine {
    /// The owner changes the promise, invites or removes people (domain §4).
    ///
    /// The caller has checked that the invited users are friends. Inviting current participants has no effect. Throws
    /// `promiseNotFound`, `promiseNotOwner`, `promiseClosed` (over, or not possible once the window is open),
    /// `promiseStaleVersion`, `promiseTooSoon`, `promiseTooFar`, `userNotFound` (to be removed, but not in), `invalid`
    /// (the owner among the invited or removed), `promiseLimit` (participants, people over the life of the promise,
    /// events, or no room at the new meeting time).
    mutating func edit(_ edit: PromiseEdit, by userID: UserID, hasRoom: Bool, at now: Instant) throws(Refusal) {
        try standing(of: userID).requireOwner()
        guard !isOver, now < promise.settlesAt else { throw .promiseClosed }
        guard edit.version == promise.version else { throw .promiseStaleVersion }
        try requireRoomForEvents()
        if now >= promise.opensAt, edit.fieldClosedByOpening != nil { throw .promiseClosed }
        if let meetsAt = edit.meetsAt {
            try PromiseLimits.check(meetsAt: meetsAt, spans: promise.spans, at: now)
            guard hasRoom || meetsAt == promise.meetsAt else { throw .promiseLimit }
        }
        let removed = try removable(edit.remove)
        let invited = try invitable(edit.invite, withRoomOf: removed.count)
        let isChanged = promise.apply(edit)
        guard isChanged || !removed.isEmpty || !invited.isEmpty else { return }
        promise.version += 1
        pending.promise = promise
        if isChanged { adoptPromise() }
        for index in removed { end(index, as: .removed, at: now) }
        for userID in invited { invite(userID, at: now) }
        if isChanged { record(.edited, at: now) }
    }

    /// Applies a changed promise to the rules.
    private mutating func adoptPromise() {
        reporting.criteria = ArrivalCriteria(promise)
        for index in members.indices { members[index].devices.removeAll { $0.track.latest == nil } }
    }

    private func removable(_ userIDs: [UserID]) throws(Refusal) -> [Int] {
        var found: [Int] = []
        for userID in userIDs {
            guard userID != promise.ownerID else { throw .invalid(field: "remove") }
            guard let index = memberIndex[userID], members[index].participant.membership.isIn else {
                throw .userNotFound
            }
            found.append(index)
        }
        return found
    }

    /// The given users who are not in the promise yet.
    private func invitable(_ userIDs: [UserID], withRoomOf removed: Int) throws(Refusal) -> [UserID] {
        guard !userIDs.contains(promise.ownerID) else { throw .invalid(field: "invite") }
        let invited = userIDs.filter { participant($0).map { !$0.membership.isIn } ?? true }
        guard countIn - removed + invited.count <= PromiseLimits.participants else { throw .promiseLimit }
        let new = invited.count { memberIndex[$0] == nil }
        guard new == 0 || members.count + new <= PromiseLimits.people else { throw .promiseLimit }
        return invited
    }

    /// The number of invited and accepted participants.
    var countIn: Int { members.count { $0.participant.membership.isIn } }

    private mutating func invite(_ userID: UserID, at now: Instant) {
        if memberIndex[userID] == nil { add(Participant(userID: userID, membership: .invited, invitedAt: now)) }
        guard let index = memberIndex[userID] else { return }
        members[index].participant.membership = .invited
        members[index].participant.invitedAt = now
        members[index].participant.acceptedAt = nil
        members[index].participant.endedAt = nil
        keep(index)
        record(.invited(userID), at: now)
    }

    /// Ends a membership, by the participant or the owner. An arrival remains (domain §8).
    mutating func end(_ index: Int, as membership: Participant.Membership, at now: Instant) {
        let userID = members[index].participant.userID
        members[index].participant.membership = membership
        members[index].participant.endedAt = now
        members[index].participant.isLinkSharing = false
        if !board.contains(where: { $0.userID == userID }) { members[index].devices.removeAll() }
        members[index].forgetWhereabouts()
        members[index].hasMoved = false
        reporting.forget(index)
        keep(index)
        record(membership == .removed ? .removed(userID) : .left(userID), at: now)
    }
}
