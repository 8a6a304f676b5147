extension SessionMachine {
    /// Sends changed estimates, at most every 15 s per participant, and a changed pace that follows from them.
    mutating func tellEstimates(
        of indices: some Sequence<Int>,
        at moment: SessionMoment,
        effects: inout [SessionEffect]
    ) {
        for index in indices {
            let arrival = announcedArrival(of: index)
            let estimate = members.inPlace(index) { $0.estimate(at: moment, arrival: arrival) }
            tellPace(of: index, estimate: estimate, arrival: arrival, at: moment, effects: &effects)
            guard let estimate, estimate.isNews(after: members[index].told.estimate, at: moment.now) else {
                reporting.forget(index)
                continue
            }
            guard reporting.mayTell(index, after: members[index].told.estimateAt, at: moment.now) else { continue }
            members[index].told.estimate = estimate
            members[index].told.estimateAt = moment.now
            effects.append(.tell(.estimate(members[index].participant.userID, estimate)))
        }
    }

    /// `true` if an estimate may still be sent at `now`, some time after it was found; it then counts as sent. `false`
    /// outside the window and for members who have paused, left or arrived since.
    package mutating func mayTell(_ estimate: ArrivalEstimate, of userID: UserID, at now: Instant) -> Bool {
        guard let index = memberIndex[userID], members[index].isTracked(at: moment(at: now)),
            members[index].participant.isSharing, members[index].live.position != nil,
            estimate.state == .arrived || announcedArrival(of: index) == nil
        else { return false }
        members[index].told.estimateAt = now
        return true
    }

    /// When an estimate that was delayed by the minimum interval may be sent; nil without one. The estimate of a member
    /// whose report is due is sent with the report, or when the report is overdue: a separate wake for each would
    /// dominate the cost.
    @inline(__always)
    var nextDelayedEstimate: Instant? { reporting.isDelaying ? firstDelayedEstimate : nil }

    private var firstDelayedEstimate: Instant? {
        reporting.nextDelayed { index in
            members[index].isReportExpected(at: wakes.workedUpTo) ? nil : members[index].told.estimateAt
        }
    }

    // MARK: - Pace

    /// The pace that a new subscription of a participant must receive; nil if it is the default one.
    package func paceReminder(for userID: UserID, at now: Instant) -> PassingEvent? {
        guard let index = memberIndex[userID], members[index].isTracked(at: moment(at: now)),
            members[index].told.pace != 1
        else { return nil }
        return .pace(userID, nextReport: nextReport(for: userID, at: now))
    }

    private mutating func tellPace(
        of index: Int,
        estimate: ArrivalEstimate?,
        arrival: AnnouncedArrival?,
        at moment: SessionMoment,
        effects: inout [SessionEffect]
    ) {
        guard members[index].follow(estimate, at: moment, arrival: arrival) else { return }
        let userID = members[index].participant.userID
        effects.append(.tell(.pace(userID, nextReport: nextReport(for: userID, at: moment.now))))
    }
}
