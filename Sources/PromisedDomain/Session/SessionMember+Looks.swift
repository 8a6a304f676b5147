// Questions about one member, which change nothing. Inlined, because each call would copy the whole member.
extension SessionMember {
    /// Whether others may learn where they are, as far as they share it.
    @inline(__always)
    func isTracked(at moment: SessionMoment) -> Bool { moment.isTracking && participant.membership == .accepted }

    /// Where they are, as far as others may see it.
    @inline(__always)
    func visiblePosition(at moment: SessionMoment) -> LivePosition? {
        isTracked(at: moment) && participant.isSharing ? live.position : nil
    }

    // MARK: - Presence

    /// The freshness of their position; nil outside the window, unless they take part, and once they were told to stop.
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

    /// Being offline explains only why somebody who was heard of is heard of no more.
    @inline(__always)
    private func cause(of freshness: Freshness) -> PresenceCause {
        if !participant.isSharing { return .paused }
        if live.trouble != .none { return live.trouble }
        if freshness == .live || isOnline || live.lastSeenAt == nil { return .none }
        return .offline
    }

    /// The next instant after `now` at which the clock alone makes them less fresh.
    @inline(__always)
    func nextPresenceChange(after now: Instant) -> Instant? {
        guard let dueAt = live.dueAt, participant.isSharing else { return nil }
        return Freshness.nextChange(dueAt: dueAt, after: now)
    }

    /// Whether a report of theirs is due that has not failed to come yet.
    @inline(__always)
    func isReportExpected(at now: Instant) -> Bool { live.dueAt != nil && live.freshness(at: now) == .live }

    /// The next instant at which the clock alone makes news that concerns no arrival.
    @inline(__always)
    func nextNews(after moment: SessionMoment, arrival: AnnouncedArrival?) -> Instant? {
        let presence = nextPresenceChange(after: moment.now)
        guard let approach = nextApproach(at: moment, arrival: arrival) else { return presence }
        return presence.map { min($0, approach) } ?? approach
    }

    // MARK: - Estimates

    /// When they are expected; nil outside the window, before their first fix, and while they do not share.
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

    /// When the clock alone brings them within the last minutes of their way, for the time left counts down while nothing
    /// is heard; nil once they have arrived, or without an estimate.
    @inline(__always)
    func nextApproach(at moment: SessionMoment, arrival: AnnouncedArrival?) -> Instant? {
        guard let estimate = estimate(at: moment, arrival: arrival), estimate.state != .approaching,
            estimate.state != .arrived
        else { return nil }
        return estimate.band.map { $0.medianAt - ArrivalEstimate.approachSpan }
    }

    /// Every how many slots they are to report; 0: not at all (domain §5).
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
