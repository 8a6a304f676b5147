extension SessionView {
    /// The promise as viewers by a link see it: its place and times, and of its people only `shown`.
    ///
    /// Excludes the owner's note, the penalty and the course; ranks are those among all participants.
    ///
    /// - Parameters:
    ///   - shown: the users who agreed.
    ///   - live: the current session, for the data that changes without numbered events. This view may be slightly
    ///     older, because all its data must be durable.
    package func seenByViewers(of shown: Set<UserID>, live: SessionView) -> SessionView {
        let arrivals = Dictionary(uniqueKeysWithValues: members.map { ($0.participant.userID, $0.arrival) })
        var view = self
        view.promise.note = ""
        view.promise.penalty = nil
        view.promise.cancelReason = ""
        view.promise.courseID = nil
        view.result = nil
        view.lastSeq = 0
        view.viewLinkEndsAt = nil
        view.viewerCount = 0
        view.members = live.members.filter { shown.contains($0.participant.userID) }.map { member in
            member.seen(with: arrivals[member.participant.userID] ?? nil)
        }
        return view
    }
}

extension SessionView.Member {
    /// The member with the durable arrival; the estimate may already reflect a newer one.
    fileprivate func seen(with arrival: RankedArrival?) -> SessionView.Member {
        var member = self
        member.arrival = arrival
        if arrival == nil, member.estimate?.state == .arrived {
            member.estimate = nil
            member.live.position?.estimate = nil
        }
        member.participant.excusedReason = nil
        return member
    }
}

extension Participant {
    /// `true` if viewers by a link see the participant: accepted, and agreed to be shown. Other participants do not
    /// exist for viewers.
    package var isShownToViewers: Bool { membership == .accepted && isLinkSharing }
}
