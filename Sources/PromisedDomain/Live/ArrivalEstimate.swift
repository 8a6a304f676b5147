/// A participant's expected arrival, and its state (domain §7).
package struct ArrivalEstimate: Hashable, Sendable {
    /// The participant's prospects of being in time.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// No estimate: the participant does not come nearer.
        case unknown
        /// Even the late end of the band is in time.
        case onTime
        /// The late end of the band is late.
        case atRisk
        /// The likeliest instant is late.
        case late
        /// At most 500 m or 3 minutes away: nearly there, in time or not.
        case approaching
        case arrived
    }

    /// The instants between which the participant is expected.
    package struct Band: Hashable, Sendable {
        /// The likeliest instant.
        package var medianAt: Instant
        /// The early end.
        package var lowAt: Instant
        /// The late end.
        package var highAt: Instant

        package init(medianAt: Instant, lowAt: Instant, highAt: Instant) {
            self.medianAt = medianAt
            self.lowAt = lowAt
            self.highAt = highAt
        }
    }

    /// The expected instants; nil without a usable speed.
    package var band: Band?
    package var state: State

    package init(band: Band?, state: State) {
        self.band = band
        self.state = state
    }

    /// The estimate of a participant who has arrived.
    init(arrivedAt instant: Instant) {
        self.init(band: Band(medianAt: instant, lowAt: instant, highAt: instant), state: .arrived)
    }
}

extension ArrivalEstimate {
    /// There is no estimate below this progress, in metres per second.
    static let usableProgressMps = 0.3
    /// Up to this progress a participant counts as walking, in metres per second.
    static let walkingMps = 2.5
    /// The ratio of a walk's length to the straight line.
    static let walkingDetour = 1.3
    /// The ratio of a ride's length to the straight line.
    static let ridingDetour = 1.2
    /// Half the band, at least.
    static let smallestMargin = TimeSpan.seconds(60)
    /// Half the band as a share of the time left.
    static let marginShare = 0.25
    static let approachMetres = 500.0
    static let approachSpan = TimeSpan.minutes(3)

    /// The estimate for a participant on the way.
    ///
    /// - Parameters:
    ///   - distanceMetres: to the place, at `fixTime`.
    ///   - progressMps: how fast that distance shrinks; nil if unknown.
    ///   - fixTime: the time of the fix behind the distance.
    ///   - moment: its clock counts the time left down between fixes.
    init(distanceMetres: Double, progressMps: Double?, fixTime: Instant, at moment: SessionMoment) {
        let isNear = distanceMetres <= ArrivalEstimate.approachMetres
        guard let progressMps, progressMps >= ArrivalEstimate.usableProgressMps else {
            self.init(band: nil, state: isNear ? .approaching : .unknown)
            return
        }
        let detour =
            progressMps <= ArrivalEstimate.walkingMps ? ArrivalEstimate.walkingDetour : ArrivalEstimate.ridingDetour
        let pathMetres = max(0, distanceMetres - moment.radiusMetres) * detour
        let left = TimeSpan.seconds(pathMetres / progressMps)
        let margin = max(ArrivalEstimate.smallestMargin, .seconds(left.seconds * ArrivalEstimate.marginShare))
        let median = fixTime + left
        let band = Band(medianAt: median, lowAt: median - margin, highAt: median + margin)
        self.init(band: band, state: .unknown)
        state = isNear ? .approaching : ArrivalEstimate.state(of: band, at: moment)
    }

    private static func state(of band: Band, at moment: SessionMoment) -> State {
        if band.medianAt - moment.now <= approachSpan { return .approaching }
        if band.medianAt > moment.lateFrom { return .late }
        return band.highAt > moment.lateFrom ? .atRisk : .onTime
    }

    /// `true` if it differs enough from the announced estimate to be announced: another state, or a median that moved
    /// by more than 30 s or a tenth of the time left.
    func isNews(after former: ArrivalEstimate?, at now: Instant) -> Bool {
        guard let former else { return state != .unknown }
        guard state == former.state else { return true }
        guard let band, let old = former.band else { return (band == nil) != (former.band == nil) }
        let moved = max(band.medianAt - old.medianAt, old.medianAt - band.medianAt)
        if moved > .seconds(30) { return true }
        let left = max(.zero, old.medianAt - now)
        return moved.seconds > left.seconds / 10 && moved >= .seconds(1)
    }
}

/// The values that all members share at one instant: computed once, so that evaluating a member copies nothing else.
struct SessionMoment {
    /// The server's clock.
    let now: Instant
    /// `true` while positions are shown.
    let isTracking: Bool
    /// The radius of the place, in metres.
    let radiusMetres: Double
    let lateFrom: Instant
    /// The time between two reports.
    let interval: TimeSpan
}

/// The announced part of an arrival that others depend on.
struct AnnouncedArrival {
    /// The certainty of the arrival.
    let stage: Arrival.Stage
    let creditedAt: Instant
}

/// How often a participant is asked to report (domain §5): in every slot, or less often while far away.
package enum ReportingPace {
    /// Nearer than this, participants report in every slot; in metres.
    static let farMetres = 2_000.0
    /// With less time left than this, participants report in every slot.
    static let farSpan = TimeSpan.minutes(10)
    /// The slower paces with the time left from which each applies, longest first.
    private static let steps: [(left: TimeSpan, every: TimeSpan)] = [
        (.minutes(40), .seconds(60)), (.minutes(20), .seconds(30)), (.minutes(10), .seconds(15)),
    ]

    /// The number of slots from one report to the next: 1 near the place or if the time left is unknown, up to 60 s
    /// apart.
    static func slots(
        distanceMetres: Double,
        estimate: ArrivalEstimate?,
        interval: TimeSpan,
        at now: Instant
    ) -> Int64 {
        guard distanceMetres > farMetres, let band = estimate?.band else { return 1 }
        let left = band.medianAt - now
        guard left > farSpan, let step = steps.first(where: { left > $0.left }) else { return 1 }
        return max(1, step.every.milliseconds / interval.milliseconds)
    }
}
