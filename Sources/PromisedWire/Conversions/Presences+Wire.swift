public import PromisedDomain
public import PromisedProtocol

extension WirePresence {
    /// How fresh a participant's position is, and why it is not fresher.
    public init(_ presence: Presence) {
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
    public init(_ freshness: Freshness) {
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
    public init(_ cause: PresenceCause) {
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
    /// What a phone may say keeps its positions away; nil for what only the server can know, and for an unspecified or
    /// unknown one.
    public init?(reported wire: WirePresenceCause.Value) {
        switch wire {
        case .none: self = .none
        case .noFix: self = .noFix
        case .permission: self = .permission
        case .lowBattery: self = .lowBattery
        case .offline, .paused, .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
