extension SessionMachine {
    /// The least time between two announcements of somebody's estimate (domain §7).
    static let estimateInterval = TimeSpan.seconds(15)

    /// When a member is expected; nil outside the window, before their first fix, and for who does not share.
    @inline(__always)
    func estimate(of member: SessionMember, at now: Instant) -> ArrivalEstimate? {
        guard isTracking(member, at: now), member.participant.isSharing else { return nil }
        if let arrival = announcedArrival(of: member) { return ArrivalEstimate(arrivedAt: arrival.creditedAt) }
        guard let position = member.live.position else { return nil }
        return ArrivalEstimate(
            distanceMetres: position.distanceMetres,
            progressMps: member.live.approach.progressMps,
            fixTime: position.fixTime,
            of: promise,
            at: now
        )
    }

    /// Tells of estimates that are news, at most every 15 s of each, and of another pace that follows from them.
    mutating func tellEstimates(of indices: some Sequence<Int>, at now: Instant, effects: inout [SessionEffect]) {
        for index in indices {
            let estimate = estimate(of: members[index], at: now)
            tellPace(of: index, estimate: estimate, at: now, effects: &effects)
            guard let estimate, estimate.isNews(after: members[index].told.estimate, at: now) else {
                delayedEstimates.remove(index)
                continue
            }
            if let before = members[index].told.estimateAt, now - before < SessionMachine.estimateInterval {
                delayedEstimates.insert(index)
                continue
            }
            delayedEstimates.remove(index)
            members[index].told.estimate = estimate
            members[index].told.estimateAt = now
            effects.append(.tell(.estimate(members[index].participant.userID, estimate)))
        }
    }

    /// A member's estimate when it is news against the one that went out with a position before; it counts as sent.
    mutating func newsOfEstimate(of index: Int, at now: Instant) -> ArrivalEstimate? {
        guard let estimate = estimate(of: members[index], at: now),
            members[index].told.sentEstimate.map({ estimate.isNews(after: $0, at: now) }) ?? true
        else { return nil }
        members[index].told.sentEstimate = estimate
        return estimate
    }

    /// When an estimate that came too soon after another may be told; nil when none waits. Those of people of whom a report
    /// is expected are told with it, or when it fails to come: a wake for each would cost more than all the rest.
    var nextDelayedEstimate: Instant? {
        var earliest: Instant?
        for index in delayedEstimates where !isReportExpected(of: members[index]) {
            guard let told = members[index].told.estimateAt else { continue }
            earliest = min(earliest ?? told, told)
        }
        return earliest.map { $0 + SessionMachine.estimateInterval }
    }

    /// Whether a report is due that has not failed to come yet.
    private func isReportExpected(of member: SessionMember) -> Bool {
        member.live.dueAt != nil && member.live.freshness(at: workedUpTo) == .live
    }

    /// When the clock alone brings a member within the last minutes of their way, for the time left counts down while
    /// nothing is heard; nil for who is there already, or is not expected.
    @inline(__always)
    func nextApproach(of member: SessionMember, at now: Instant) -> Instant? {
        guard let estimate = estimate(of: member, at: now), estimate.state != .approaching, estimate.state != .arrived
        else { return nil }
        return estimate.band.map { $0.medianAt - ArrivalEstimate.approachSpan }
    }

    // MARK: - Pace

    /// Every how many slots a member is to report; 0: not at all (domain §5).
    @inline(__always)
    func pace(of member: SessionMember, estimate: ArrivalEstimate?, at now: Instant) -> Int64 {
        if announcedArrival(of: member)?.stage == .confirmed { return 0 }
        guard let distance = member.live.position?.distanceMetres else { return 1 }
        return ReportingPace.slots(distanceMetres: distance, estimate: estimate, interval: slot.interval, at: now)
    }

    /// The pace that a participant was told and that a new subscription of theirs must hear of; nil for that of all.
    public func paceReminder(for userID: UserID, at now: Instant) -> PassingEvent? {
        guard let index = memberIndex[userID], isTracking(members[index], at: now), members[index].told.pace != 1 else {
            return nil
        }
        return .pace(userID, nextReport: nextReport(for: userID, at: now))
    }

    private mutating func tellPace(
        of index: Int,
        estimate: ArrivalEstimate?,
        at now: Instant,
        effects: inout [SessionEffect]
    ) {
        guard isTracking(members[index], at: now), members[index].participant.isSharing else { return }
        let pace = pace(of: members[index], estimate: estimate, at: now)
        guard pace != members[index].told.pace else { return }
        members[index].told.pace = pace
        if pace == 0 { members[index].live.dueAt = nil }
        let userID = members[index].participant.userID
        effects.append(.tell(.pace(userID, nextReport: nextReport(for: userID, at: now))))
    }
}
