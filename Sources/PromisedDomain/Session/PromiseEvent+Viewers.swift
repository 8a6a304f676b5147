extension PromiseEvent {
    /// What people who watch by a link and see only `shown` learn of it; nil for nothing.
    ///
    /// Who is in, and what the promise says, they learn from the promise as they see it, which is sent to them anew when
    /// it changed.
    public func seenByViewers(of shown: Set<UserID>) -> PromiseEvent? {
        switch traits.viewersSee {
        case .nothing, .promise: nil
        case .event: self
        case .eventAbout(let userID): shown.contains(userID) ? self : nil
        case .part(let part): part(shown)
        }
    }

    /// Whether the promise says something else to viewers after it.
    public var changesPromiseForViewers: Bool {
        if case .promise = traits.viewersSee { true } else { false }
    }
}

extension PassingEvent {
    /// What those learn of it who watch by a link and see only `shown`; nil for nothing.
    public func seenByViewers(of shown: Set<UserID>) -> PassingEvent? {
        switch self {
        case .presence(let presences):
            let visible = presences.filter { shown.contains($0.userID) }
            return visible.isEmpty ? nil : .presence(visible)
        case .estimate(let userID, _), .sharing(let userID, _), .status(let userID, _, _):
            return shown.contains(userID) ? self : nil
        case .nudged, .pace, .viewers, .linkSharing: return nil
        }
    }
}
