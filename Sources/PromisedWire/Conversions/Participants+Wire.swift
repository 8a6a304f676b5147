public import PromisedDomain

extension WireParticipant {
    /// Somebody's part in a promise, without anything of where they are.
    public init(_ participant: Participant, card: UserCard) {
        self.init()
        user = WireUserCard(card)
        membership = WireMembership.Value(participant.membership)
        sharing = participant.isSharing
    }

    /// A member of a session.
    ///
    /// Presence is shown to the detail ``ParticipantDetail/live(interval:at:)`` while the promise is tracking, of those
    /// who accepted and are not confirmed to be there.
    public init(_ member: SessionView.Member, of view: SessionView, card: UserCard, detail: ParticipantDetail) {
        self.init(member.participant, card: card)
        if detail == .membership { return }
        if let arrival = member.arrival { self.arrival = WireArrival(arrival, of: view.promise) }
        guard case .live(let interval, let now) = detail else { return }
        if let position = member.live.position { self.position = WirePosition(position) }
        if view.status == .tracking, member.hasPresence {
            presence = WirePresence(
                of: member.participant.userID,
                freshness: member.live.freshness(interval: interval, at: now),
                cause: member.participant.isSharing ? .none : .paused,
                lastSeenAt: member.live.lastSeenAt,
                lastMovedAt: member.live.lastMovedAt
            )
        }
    }
}

extension SessionView.Member {
    /// Whether anybody waits for their reports.
    fileprivate var hasPresence: Bool {
        participant.membership == .accepted && arrival?.arrival.stage != .confirmed
    }
}

extension WireMembership.Value {
    /// The wire's form.
    public init(_ membership: Participant.Membership) {
        switch membership {
        case .invited: self = .invited
        case .accepted: self = .accepted
        case .declined: self = .declined
        case .left: self = .left
        case .removed: self = .removed
        }
    }
}

extension Participant.Membership {
    /// From the wire's form; nil for an unspecified or unknown one.
    public init?(_ wire: WireMembership.Value) {
        switch wire {
        case .invited: self = .invited
        case .accepted: self = .accepted
        case .declined: self = .declined
        case .left: self = .left
        case .removed: self = .removed
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }

    /// Whether somebody who stands like this counts as in the promise.
    var isIn: Bool {
        switch self {
        case .invited, .accepted: true
        case .declined, .left, .removed: false
        }
    }
}
