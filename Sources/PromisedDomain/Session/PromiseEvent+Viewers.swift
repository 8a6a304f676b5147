extension PromiseEvent {
    /// What those learn of it who watch by a link and see only `shown`; nil for nothing.
    ///
    /// Who is in, and what the promise says, they learn from the promise as they see it, which is sent to them anew when
    /// it changed. A reason to call it off is in the owner's words, and not for strangers.
    public func seenByViewers(of shown: Set<UserID>) -> PromiseEvent? {
        switch self {
        case .trackingStarted, .meetingTime: self
        case .cancelled: .cancelled(reason: "")
        case .late(let userIDs): .late(userIDs.filter(shown.contains))
        case .arrived(let ranked), .arrivalConfirmed(let ranked): shown.contains(ranked.userID) ? self : nil
        case .arrivalRetracted(let userID, _): shown.contains(userID) ? self : nil
        case .rankingRevised(let arrivals, let cause):
            PromiseEvent.revised(arrivals.filter { shown.contains($0.userID) }, cause: cause)
        // The link ends with the window at the latest, and whoever watched is told that.
        case .trackingEnded, .resultFinal: nil
        case .invited, .joined, .declined, .left, .removed, .handedOver, .edited, .excused, .viewLinkCreated,
            .viewLinkRevoked:
            nil
        }
    }

    private static func revised(_ arrivals: [RankedArrival], cause: RevisionCause) -> PromiseEvent? {
        arrivals.isEmpty ? nil : .rankingRevised(arrivals, cause: cause)
    }

    /// Whether the promise says something else to viewers after it.
    public var changesPromiseForViewers: Bool {
        switch self {
        case .edited, .handedOver: true
        case .invited, .joined, .declined, .left, .removed, .cancelled, .trackingStarted, .meetingTime, .late,
            .trackingEnded, .arrived, .arrivalConfirmed, .arrivalRetracted, .rankingRevised, .resultFinal, .excused,
            .viewLinkCreated, .viewLinkRevoked:
            false
        }
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
