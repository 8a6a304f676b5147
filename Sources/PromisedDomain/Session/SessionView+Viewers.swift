extension SessionView {
    /// The promise as those see it who watch by a link: its place and times, and of its people only `shown`.
    ///
    /// The owner's note, the price of being late and the course are not in it; ranks are those among all.
    ///
    /// - Parameters:
    ///   - shown: the users who agreed.
    ///   - live: the session at this very moment, from which all is taken that changes without a number; this view may
    ///     be a little older, for everything in it must be durable.
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
    /// The member with the arrival that is durable; an estimate may know of one that is not yet.
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
    /// Whether those who watch by a link learn of them: they take part and agreed. Everybody else does not exist for
    /// viewers.
    package var isShownToViewers: Bool { membership == .accepted && isLinkSharing }
}
