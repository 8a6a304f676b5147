// The view link for people without an account, and the participants who agreed to be shown.
extension SessionMachine {
    /// The owner creates a link; it replaces the previous one. Throws `promiseNotFound` (a stranger),
    /// `promiseNotOwner`, `promiseClosed` (cancelled, or the window is over).
    mutating func makeViewLink(_ link: ViewLink, by userID: UserID, at now: Instant) throws(Refusal) {
        try standing(of: userID).requireOwner()
        guard !isOver, now < promise.closesAt else { throw .promiseClosed }
        viewing.link = link
        pending.viewLink = .made(link)
        record(.viewLinkCreated(until: link.end(in: promise)), at: now)
    }

    /// The owner revokes the link; no effect without one. Throws `promiseNotFound` (a stranger), `promiseNotOwner`.
    mutating func revokeViewLink(by userID: UserID, at now: Instant) throws(Refusal) {
        try standing(of: userID).requireOwner()
        guard viewLink != nil, !isOver else { return }
        viewing.link = nil
        pending.viewLink = .revoked
        record(.viewLinkRevoked, at: now)
    }

    /// A participant switches their visibility to people who view by the link. Throws `promiseNotFound`,
    /// `promiseNotAccepted`, `promiseClosed`.
    mutating func setLinkSharing(_ userID: UserID, on: Bool, effects: inout [SessionEffect]) throws(Refusal) {
        let index = try acceptedIndex(of: userID)
        guard !isOver else { throw .promiseClosed }
        guard members[index].participant.isLinkSharing != on else { return }
        members[index].participant.isLinkSharing = on
        keep(index)
        effects.append(.tell(.linkSharing(userID, on: on)))
    }

    /// Why viewing by the link with this hash has ended at `now`; nil while it is valid.
    package func endOfViewLink(_ codeHash: [UInt8], at now: Instant) -> ViewLinkEnd? {
        if promise.cancelledAt != nil { return .cancelled }
        guard let viewLink else { return .revoked }
        guard viewLink.codeHash == codeHash else { return .replaced }
        return now < viewLink.end(in: promise) ? nil : .expired
    }

    /// When the link ends; nil without one, or if it has ended by `now`.
    package func viewLinkEnd(at now: Instant) -> Instant? {
        guard promise.cancelledAt == nil, let end = viewLink?.end(in: promise), now < end else { return nil }
        return end
    }

    /// The users that are shown to people who view by the link.
    package var shownToViewers: Set<UserID> {
        Set(members.lazy.map(\.participant).filter(\.isShownToViewers).map(\.userID))
    }

    /// The link, even if it has expired.
    package var viewLink: ViewLink? { viewing.link }

    /// Sends the number of viewers to the participants, if it has changed and the minimum interval has passed.
    mutating func tellViewerCount(at now: Instant, effects: inout [SessionEffect]) {
        if let count = viewing.takeNews(at: now) { effects.append(.tell(.viewers(count))) }
    }
}
