public import PromisedDomain
public import PromisedProtocol

extension WireParticipant {
    /// Somebody's part in a promise, without anything of where they are.
    public init(_ participant: Participant, card: UserCard) {
        self.init()
        user = WireUserCard(card)
        membership = WireMembership.Value(participant.membership)
        sharing = participant.isSharing && participant.membership == .accepted
    }

    /// A member of a session: presence, estimate and status only in the detail ``ParticipantDetail/live``.
    public init(_ member: SessionView.Member, of view: SessionView, card: UserCard, detail: ParticipantDetail) {
        self.init(member.participant, card: card)
        if detail == .membership { return }
        if let arrival = member.arrival { self.arrival = WireArrival(arrival, of: view.promise) }
        guard detail == .live else { return }
        if let position = member.live.position { self.position = WirePosition(position) }
        if let presence = member.presence { self.presence = WirePresence(presence) }
        if let estimate = member.estimate { eta = WireEta(estimate) }
        // Of a deleted user nothing is left to show, also where a session still knows it.
        statusText = card.isDeleted ? "" : member.participant.statusText.bounded(characters: 80)
        emoji = card.isDeleted ? "" : member.participant.emoji.bounded(characters: 1)
        linkSharing = member.participant.isShownToViewers
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
}
