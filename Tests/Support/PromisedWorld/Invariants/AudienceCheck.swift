internal import PromisedDomain
internal import PromisedProtocol

/// Decides, from committed rows and acknowledged requests alone, whether a user may receive something now.
struct AudienceCheck: Sendable {
    let committed: CommittedRows
    let now: Instant
    /// Blocks whose request was answered, and whose end was not requested since.
    let separated: Set<UserPair>
    /// Users whose pause was acknowledged.
    let paused: Set<UserID>

    /// - Throws: a position that is hidden from the user.
    func check(positionsOf subjects: [UserID], in id: PromiseID, to userID: UserID) throws(Violation) {
        try requireAccepted(userID, in: id, for: "a position")
        guard let promise = committed.promises[id], promise.opensAt <= now, now < promise.closesAt else {
            throw Violation(.privacy, "a position outside the window")
        }
        for subject in subjects {
            try requireAccepted(subject, in: id, for: "the position of")
            if paused.contains(subject) { throw Violation(.privacy, "a position of somebody who pauses") }
            try requireTogether(subject, userID, "a position")
        }
    }

    /// - Throws: an event that is hidden from the user: a live one, or one of others caused by a separated user.
    func check(_ event: WireEvent.OneOf_What, in id: PromiseID, to userID: UserID) throws(Violation) {
        switch event {
        case .positions(let positions):
            try check(positionsOf: positions.positions.map { $0.userID.id() }, in: id, to: userID)
        case .presence(let presences):
            try requireLive(presences.presences.map(\.userID), in: id, to: userID, "presence")
        case .eta(let estimate): try requireLive([estimate.userID], in: id, to: userID, "an estimate")
        case .sharingChanged(let sharing): try requireLive([sharing.userID], in: id, to: userID, "sharing")
        case .statusChanged(let status): try requireLive([status.userID], in: id, to: userID, "a status")
        case .nudged(let nudge): try requireLive([nudge.from, nudge.userID], in: id, to: userID, "a nudge")
        case .pace, .cannotCount, .viewersChanged, .linkSharingChanged:
            try requireLive([], in: id, to: userID, "a live event")
        case .friendRequested(let request): try requireTogether(request.user.userID.id(), userID, "a request")
        case .friendAdded(let friend): try requireTogether(friend.user.userID.id(), userID, "a friendship")
        case .notification(let arisen):
            guard arisen.notification.hasUser else { return }
            try requireTogether(arisen.notification.user.userID.id(), userID, "a notification")
        default: return
        }
    }

    /// - Throws: a durable event for a user who never had a part.
    func check(durableEventOf id: PromiseID, to userID: UserID) throws(Violation) {
        guard committed.parts[id]?[userID] != nil else {
            throw Violation(.privacy, "a durable event to somebody without a part")
        }
    }

    private func requireLive(
        _ subjects: [String],
        in id: PromiseID,
        to userID: UserID,
        _ what: String
    ) throws(Violation) {
        try requireAccepted(userID, in: id, for: what)
        for subject in subjects { try requireTogether(subject.id(), userID, what) }
    }

    private func requireAccepted(_ userID: UserID, in id: PromiseID, for what: String) throws(Violation) {
        guard committed.parts[id]?[userID]?.membership != "accepted" else { return }
        throw Violation(.privacy, "\(what) \(userID.low & 0xFF), who does not take part")
    }

    private func requireTogether(_ subject: UserID, _ userID: UserID, _ what: String) throws(Violation) {
        guard subject != userID, separated.contains(UserPair(subject, userID)) else { return }
        throw Violation(.separation, "\(what) of \(subject.low & 0xFF) to \(userID.low & 0xFF) across a block")
    }
}
