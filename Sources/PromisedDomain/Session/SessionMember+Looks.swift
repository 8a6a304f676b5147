// Queries about one member. Inlined, because each call would copy the whole member.
extension SessionMember {
    /// `true` if others may see the member's position, provided that it is shared.
    @inline(__always)
    func isTracked(at moment: SessionMoment) -> Bool { moment.isTracking && participant.membership == .accepted }

    /// The member's position, if others may see it.
    @inline(__always)
    func visiblePosition(at moment: SessionMoment) -> LivePosition? {
        isTracked(at: moment) && participant.isSharing ? live.position : nil
    }

    // MARK: - Presence

    /// The presence of the member; nil outside the window, for others than accepted participants, and once they may
    /// stop reporting.
    @inline(__always)
    func presence(at moment: SessionMoment, arrival: AnnouncedArrival?) -> Presence? {
        guard isTracked(at: moment), arrival?.stage != .confirmed else { return nil }
        let freshness = participant.isSharing ? live.freshness(at: moment.now) : .lost
        return Presence(
            userID: participant.userID,
            freshness: freshness,
            cause: cause(of: freshness),
            lastSeenAt: live.lastSeenAt,
            lastMovedAt: live.lastMovedAt
        )
    }

    /// `offline` only explains why a member who has reported before is no longer live.
    @inline(__always)
    private func cause(of freshness: Freshness) -> PresenceCause {
        if !participant.isSharing { return .paused }
        if live.trouble != .none { return live.trouble }
        if freshness == .live || isOnline || live.lastSeenAt == nil { return .none }
        return .offline
    }

    /// The next instant after `now` at which the clock alone makes the member less fresh.
    @inline(__always)
    func nextPresenceChange(after now: Instant) -> Instant? {
        guard let dueAt = live.dueAt, participant.isSharing else { return nil }
        return Freshness.nextChange(dueAt: dueAt, after: now)
    }

    /// `true` while the member's next report is not overdue.
    @inline(__always)
    func isReportExpected(at now: Instant) -> Bool { live.dueAt != nil && live.freshness(at: now) == .live }

    /// The next instant at which the clock alone changes presence or estimate.
    @inline(__always)
    func nextNews(after moment: SessionMoment, arrival: AnnouncedArrival?) -> Instant? {
        let presence = nextPresenceChange(after: moment.now)
        guard let approach = nextApproach(at: moment, arrival: arrival) else { return presence }
        return presence.map { min($0, approach) } ?? approach
    }

    // MARK: - Estimates

    /// The member's estimate; nil outside the window, before the first fix, and while sharing is off.
    @inline(__always)
    func estimate(at moment: SessionMoment, arrival: AnnouncedArrival?) -> ArrivalEstimate? {
        guard isTracked(at: moment), participant.isSharing else { return nil }
        if let arrival { return ArrivalEstimate(arrivedAt: arrival.creditedAt) }
        guard let position = live.position else { return nil }
        return ArrivalEstimate(
            distanceMetres: position.distanceMetres,
            progressMps: live.approach.progressMps,
            fixTime: position.fixTime,
            at: moment
        )
    }

    /// When the clock alone brings the member within the last minutes of the way, because the time left counts down
    /// between reports; nil once arrived, or without an estimate.
    @inline(__always)
    func nextApproach(at moment: SessionMoment, arrival: AnnouncedArrival?) -> Instant? {
        guard let estimate = estimate(at: moment, arrival: arrival), estimate.state != .approaching,
            estimate.state != .arrived
        else { return nil }
        return estimate.band.map { $0.medianAt - ArrivalEstimate.approachSpan }
    }

    /// The number of slots from one report to the next; 0: do not report (domain §5).
    @inline(__always)
    func pace(at moment: SessionMoment, estimate: ArrivalEstimate?, arrival: AnnouncedArrival?) -> Int64 {
        if arrival?.stage == .confirmed { return 0 }
        guard let distance = live.position?.distanceMetres else { return 1 }
        return ReportingPace.slots(
            distanceMetres: distance,
            estimate: estimate,
            interval: moment.interval,
            at: moment.now
        )
    }
}
