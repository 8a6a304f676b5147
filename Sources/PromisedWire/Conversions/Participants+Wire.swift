package import PromisedDomain
package import PromisedProtocol

/// How much of its participants a promise in a frame shows.
package enum ParticipantDetail: Hashable, Sendable {
    /// The members, without locations: for invited users who have not accepted.
    case membership
    /// Also arrivals, but no positions: for durable events, which are encoded once for all recipients and stored.
    case arrivals
    /// Everything in the view: arrivals, positions, presence, estimates and status: for accepted participants.
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

    /// A member of a session: presence, estimate and status only with ``ParticipantDetail/live``.
    package init(_ member: SessionView.Member, of view: SessionView, card: UserCard, detail: ParticipantDetail) {
        self.init(member.participant, card: card)
        if detail == .membership { return }
        if let arrival = member.arrival { self.arrival = WireArrival(arrival, of: view.promise) }
        guard detail == .live else { return }
        if let position = member.live.position { self.position = WirePosition(position) }
        if let presence = member.presence { self.presence = WirePresence(presence) }
        if let estimate = member.estimate { eta = WireEta(estimate) }
        // A deleted user's status is hidden, even if a session still has it.
        statusText = card.isDeleted ? "" : member.participant.statusText.bounded(characters: 80)
        emoji = card.isDeleted ? "" : member.participant.emoji.bounded(characters: 1)
        linkSharing = member.participant.isShownToViewers
    }
}

extension WireMembership.Value {
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
    /// nil for an unspecified or unknown value.
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
    /// A cause that phones may report; nil for causes that only the server detects, and for an unspecified or unknown
    /// value.
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
