package import PromisedDomain
package import PromisedProtocol

/// How much a promise on the wire shows of its participants.
package enum ParticipantDetail: Hashable, Sendable {
    /// The members, without locations: for users who are invited and have not accepted.
    case membership
    /// Arrivals too, but no positions: for durable events, which are encoded once for all recipients and stored.
    case arrivals
    /// All of the view: arrivals, positions, presence, estimates and status: for accepted participants.
    case live
}

extension WireParticipant {
    /// A participant, without location.
    package init(_ participant: Participant, card: UserCard) {
        self.init()
        user = WireUserCard(card)
        membership = WireMembership.Value(participant.membership)
        sharing = participant.isSharing && participant.membership == .accepted
    }

    /// A member of a session: presence, estimate and status only in the detail ``ParticipantDetail/live``.
    package init(_ member: SessionView.Member, of view: SessionView, card: UserCard, detail: ParticipantDetail) {
        self.init(member.participant, card: card)
        if detail == .membership { return }
        if let arrival = member.arrival { self.arrival = WireArrival(arrival, of: view.promise) }
        guard detail == .live else { return }
        if let position = member.live.position { self.position = WirePosition(position) }
        if let presence = member.presence { self.presence = WirePresence(presence) }
        if let estimate = member.estimate { eta = WireEta(estimate) }
        // A deleted user shows nothing, even if a session still has it.
        statusText = card.isDeleted ? "" : member.participant.statusText.bounded(characters: 80)
        emoji = card.isDeleted ? "" : member.participant.emoji.bounded(characters: 1)
        linkSharing = member.participant.isShownToViewers
    }
}

extension WireMembership.Value {
    /// The wire's form.
    package init(_ membership: Participant.Membership) {
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
    package init?(_ wire: WireMembership.Value) {
        guard let value = Self.allCases.first(where: { WireMembership.Value($0) == wire }) else { return nil }
        self = value
    }
}

extension WirePresence {
    /// How fresh a participant's position is, and the cause.
    package init(_ presence: Presence) {
        self.init()
        userID = presence.userID.wireText
        freshness = WireFreshness.Value(presence.freshness)
        cause = WirePresenceCause.Value(presence.cause)
        if let lastSeenAt = presence.lastSeenAt { self.lastSeenAt = WireTimestamp(lastSeenAt) }
        if let lastMovedAt = presence.lastMovedAt { self.lastMovedAt = WireTimestamp(lastMovedAt) }
    }
}

extension WireFreshness.Value {
    /// The wire's form.
    package init(_ freshness: Freshness) {
        switch freshness {
        case .live: self = .live
        case .lagging: self = .lagging
        case .stale: self = .stale
        case .lost: self = .lost
        }
    }
}

extension WirePresenceCause.Value {
    /// The wire's form.
    package init(_ cause: PresenceCause) {
        switch cause {
        case .none: self = .none
        case .offline: self = .offline
        case .noFix: self = .noFix
        case .paused: self = .paused
        case .permission: self = .permission
        case .lowBattery: self = .lowBattery
        }
    }
}

extension PresenceCause {
    /// A cause that a phone may report; nil for one that only the server can know, and for an unspecified or unknown
    /// one.
    package init?(reported wire: WirePresenceCause.Value) {
        switch wire {
        case .none: self = .none
        case .noFix: self = .noFix
        case .permission: self = .permission
        case .lowBattery: self = .lowBattery
        case .offline, .paused, .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
