internal import PromisedApplication
internal import PromisedDomain

/// Decides, from committed rows and acknowledged requests alone, whether a user may receive something now.
struct AudienceCheck: Sendable {
    let ledger: Ledger
    let now: Instant
    /// Blocks whose request was answered, and whose end was not requested since.
    let separated: Set<UserPair>
    /// Users whose pause was acknowledged.
    let paused: Set<UserID>

    /// - Throws: a position that is hidden from the user.
    func check(_ positions: [LivePosition], of id: PromiseID, to userID: UserID) throws(Breach) {
        try requireAccepted(userID, in: id, for: "a position")
        guard let promise = ledger.promises[id], promise.opensAt <= now, now < promise.closesAt else {
            throw Breach(.privacy, "a position outside the window")
        }
        for position in positions {
            try requireAccepted(position.userID, in: id, for: "the position of")
            if paused.contains(position.userID) { throw Breach(.privacy, "a position of somebody who pauses") }
            try requireTogether(position.userID, userID, "a position")
        }
    }

    /// - Throws: a live event that is hidden from the user.
    func check(_ event: PassingEvent, of id: PromiseID, to userID: UserID) throws(Breach) {
        try requireAccepted(userID, in: id, for: "\(event.name)")
        for subject in event.subjects { try requireTogether(subject, userID, event.name) }
    }

    /// - Throws: a notice caused by a user separated from the recipient.
    func check(_ notice: NewsItem, to userID: UserID) throws(Breach) {
        switch notice {
        case .friendRequested(let card), .friendAdded(let card): try requireTogether(card.id, userID, "a notice")
        case .notification(_, _, let card?): try requireTogether(card.id, userID, "a notification")
        case .friendRemoved, .notification(_, _, nil), .statisticsChanged, .outlookReady, .weatherChanged, .visitMade,
            .courseShared, .recordingInterrupted, .exportReady:
            break
        }
    }

    /// - Throws: a durable event for a user who never had a part.
    func check(_ event: NumberedEvent, of id: PromiseID, to userID: UserID) throws(Breach) {
        guard ledger.parts[id]?[userID] != nil else {
            throw Breach(.privacy, "event \(event.event.traits.label) to somebody without a part")
        }
    }

    private func requireAccepted(_ userID: UserID, in id: PromiseID, for what: String) throws(Breach) {
        guard ledger.parts[id]?[userID]?.membership != "accepted" else { return }
        throw Breach(.privacy, "\(what) \(userID.low & 0xFF), who does not take part")
    }

    private func requireTogether(_ subject: UserID, _ userID: UserID, _ what: String) throws(Breach) {
        guard subject != userID, separated.contains(UserPair(subject, userID)) else { return }
        throw Breach(.separation, "\(what) of \(subject.low & 0xFF) to \(userID.low & 0xFF) across a block")
    }
}

extension PassingEvent {
    /// The users whose position or activity it reveals.
    fileprivate var subjects: [UserID] {
        switch self {
        case .presence(let presences): presences.map(\.userID)
        case .estimate(let userID, _), .sharing(let userID, _), .status(let userID, _, _): [userID]
        case .nudged(let from, let to): [from, to]
        case .pace, .cannotCount, .viewers, .linkSharing: []
        }
    }

    /// Its name, without its content.
    var name: String {
        switch self {
        case .presence: "presence"
        case .estimate: "estimate"
        case .sharing: "sharing"
        case .status: "status"
        case .nudged: "nudge"
        case .pace: "pace"
        case .cannotCount: "cannot count"
        case .viewers: "viewers"
        case .linkSharing: "link sharing"
        }
    }
}
