/// The arrival rule over one device's accepted fixes in order of time (domain §6.1–§6.3, §6.8).
///
/// ```
///                  usable fix inside             a, b or c             not held: fix > 120 s on, clock 210 s on
///  outside ───────────────────────▶ running ───────────────▶ provisional ───────────────▶ confirmed
///     ▲  ▲    usable fix farther out    │                        │  ▲     held 300 s on, perhaps inside
///     │  └──────────────────────────────┘      last usable fix   │  │ inside
///     │                                                 outside  ▼  │
///     │                                                        held
///     └── two usable fixes in a row clearly outside; held 300 s on ┘
/// ```
/// The state follows from the fixes alone. The effect of the clock (clause c, confirmation and retraction without a
/// fix) is a view of it, ``arrival(at:)``, so a late fix with an earlier date just yields another state.
package struct ArrivalDetector: Hashable, Sendable {
    /// An arrival as derived from the fixes and the clock.
    package struct Detection: Hashable, Sendable {
        /// The part of the rule that fired.
        package var clause: ArrivalEvidence.Clause
        /// The instant at which it fired.
        package var provisionalAt: Instant
        /// The instant of confirmation, nil while provisional.
        package var confirmedAt: Instant?
        /// The credited time.
        package var creditedAt: Instant
        /// The first fix inside.
        package var firstInside: ArrivalEvidence.Sample
        /// The last fix outside before it.
        package var lastOutside: ArrivalEvidence.Sample?
        /// Fixes in the run when the rule fired.
        package var fixCount: Int
        /// Strong ones among them.
        package var strongCount: Int
        /// `true` if a fix of the run, of the crossing, or of those up to the confirmation is simulated.
        package var isMock = false
    }

    /// A retracted arrival.
    package struct Retraction: Hashable, Sendable {
        package enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
            /// Two usable fixes in a row clearly outside.
            case passed
            /// Still held 300 s after it had become provisional, and outside by more than the error.
            case held
        }

        package var creditedAt: Instant
        /// When it was retracted.
        package var at: Instant
        package var cause: Cause
    }

    /// Blocks the confirmation of a provisional arrival while the last usable fix lies outside.
    package struct Hold: Hashable, Sendable {
        /// The time of the first fix in the current series of usable fixes outside.
        package var since: Instant
        /// The last fix of that series.
        package var last: ArrivalEvidence.Sample
        /// The error of ``last``.
        package var errorMetres: Double
    }

    private struct Run: Hashable, Sendable {
        var first: ArrivalEvidence.Sample
        var lastOutside: ArrivalEvidence.Sample?
        var fixCount = 0
        var strongCount = 0
        var isMock = false
        var speeds = LastThree()
    }

    private let criteria: ArrivalCriteria
    private var previous: Waypoint?
    private var lastOutside: ArrivalEvidence.Sample?
    @BoxedOptional private var run: Run? = nil
    /// The time of the newest fix if it is strong and slow: 30 s of silence after it make an arrival.
    private var silentSince: Instant?
    @BoxedOptional private var detection: Detection? = nil
    /// Nil unless provisional and held.
    @BoxedOptional private var hold: Hold? = nil
    /// `true` if the last usable fix since the provisional instant was clearly outside.
    private var previousWasClearlyOutside = false
    @BoxedOptional private var lastRetraction: Retraction? = nil

    package init(criteria: ArrivalCriteria) { self.criteria = criteria }

    /// Processes the next accepted fix, which must not be earlier than the previous one. Returns its class.
    package mutating func accept(_ fix: SettledFix) -> FixClass {
        let placement = criteria.placement(of: fix)
        let speed = fix.speed(after: previous)
        previous = Waypoint(fix)
        switch criteria.rule {
        case .robust: acceptRobust(fix, placement: placement, speed: speed)
        case .firstFix: acceptFirst(fix, placement: placement)
        }
        return FixClass(placement, criteria: criteria)
    }

    /// The arrival as of `now`: from the fixes, and from the clock if they have fallen silent. Constant from the end of
    /// settling on.
    package func arrival(at now: Instant) -> Detection? {
        let now = min(now, criteria.settlesAt)
        var current = detection
        if current == nil, let silentSince, let run, now >= silentSince + ArrivalCriteria.silence {
            current = fired(.silent, at: silentSince + ArrivalCriteria.silence, run: run)
        }
        guard let provisional = current, provisional.confirmedAt == nil else { return current }
        let due = decision(of: provisional.provisionalAt)
        guard now >= due else { return provisional }
        guard !isRetractedByClock else { return nil }
        current?.confirmedAt = due
        return current
    }

    /// `true` if ``arrival(at:)`` is not nil; for callers that need only that.
    package func hasArrival(at now: Instant) -> Bool {
        let now = min(now, criteria.settlesAt)
        if let detection {
            guard isRetractedByClock, detection.confirmedAt == nil else { return true }
            return now < decision(of: detection.provisionalAt)
        }
        guard let silentSince, run != nil else { return false }
        return now >= silentSince + ArrivalCriteria.silence
    }

    /// The last arrival retracted by fixes or by the clock as of `now`; nil if none.
    package func retraction(at now: Instant) -> Retraction? {
        guard let detection, detection.confirmedAt == nil, isRetractedByClock else { return lastRetraction }
        let due = decision(of: detection.provisionalAt)
        guard now >= due else { return lastRetraction }
        return Retraction(creditedAt: detection.creditedAt, at: due, cause: .held)
    }

    /// The hold that blocks the confirmation of the arrival as of `now`; nil without one.
    package func hold(at now: Instant) -> Hold? {
        guard let detection, detection.confirmedAt == nil, now < decision(of: detection.provisionalAt) else {
            return nil
        }
        return hold
    }

    /// The next instant after `now` at which the clock alone changes ``arrival(at:)``, nil if never.
    package func nextChange(after now: Instant) -> Instant? {
        let provisional = detection?.provisionalAt ?? silentSince.map { $0 + ArrivalCriteria.silence }
        guard let provisional, detection?.confirmedAt == nil else { return nil }
        if detection == nil, provisional > now { return provisional <= criteria.settlesAt ? provisional : nil }
        let decided = decision(of: provisional)
        return decided > now ? decided : nil
    }

    // MARK: - The robust rule

    private mutating func acceptRobust(_ fix: SettledFix, placement: FixPlacement, speed: Double) {
        fireAfterSilence(before: fix.time)
        silentSince = nil
        decideByClock(before: fix.time)
        guard let arrived = detection else { return extendRun(with: fix, placement: placement, speed: speed) }
        guard arrived.confirmedAt == nil else { return }
        if fix.isMock { detection?.isMock = true }
        if placement.isUsable { noteHold(by: fix, placement: placement) }
        if hold == nil, fix.time - arrived.provisionalAt > ArrivalCriteria.confirmedByFix {
            detection?.confirmedAt = fix.time
        } else if placement.isClearlyOutside, previousWasClearlyOutside {
            retract(.passed, at: fix.time)
        } else if placement.isUsable {
            previousWasClearlyOutside = placement.isClearlyOutside
        }
    }

    private mutating func noteHold(by fix: SettledFix, placement: FixPlacement) {
        guard placement.distanceMetres > criteria.radiusMetres else {
            hold = nil
            return
        }
        let sample = ArrivalEvidence.Sample(fix, at: placement.distanceMetres)
        hold = Hold(since: hold?.since ?? fix.time, last: sample, errorMetres: fix.errorMetres)
    }

    // MARK: - The clock

    /// Applies the clock's decision if it falls before the next fix.
    private mutating func decideByClock(before next: Instant) {
        guard let provisional = detection, provisional.confirmedAt == nil else { return }
        let due = decision(of: provisional.provisionalAt)
        guard next > due else { return }
        if isRetractedByClock { retract(.held, at: due) } else { detection?.confirmedAt = due }
    }

    /// When the clock alone decides about an arrival that became provisional at an instant; later if the arrival is
    /// held.
    private func decision(of provisionalAt: Instant) -> Instant {
        let span = hold == nil ? ArrivalCriteria.confirmedByClock : ArrivalCriteria.decidedByClock
        return min(provisionalAt + span, criteria.settlesAt)
    }

    /// `true` if the clock retracts the arrival instead of confirming it: a fix outside by more than its error holds
    /// it.
    private var isRetractedByClock: Bool {
        guard let hold else { return false }
        return criteria.isOutside(hold.last.distanceMetres, errorMetres: hold.errorMetres)
    }

    // MARK: - The run

    /// Applies clause c to the previous fix if 30 s of silence followed it.
    private mutating func fireAfterSilence(before next: Instant) {
        guard detection == nil, let silentSince, let run,
            next - silentSince >= ArrivalCriteria.silence - ArrivalCriteria.tolerance
        else { return }
        fire(.silent, at: silentSince + ArrivalCriteria.silence, run: run)
    }

    private mutating func extendRun(with fix: SettledFix, placement: FixPlacement, speed: Double) {
        guard placement.isUsable else { return }
        let sample = ArrivalEvidence.Sample(fix, at: placement.distanceMetres)
        guard placement.distanceMetres <= criteria.radiusMetres else {
            lastOutside = sample
            if placement.distanceMetres > criteria.nearMetres { run = nil }
            return
        }
        var current = run ?? Run(first: sample, lastOutside: lastOutside)
        current.fixCount += 1
        if placement.isStrong { current.strongCount += 1 }
        if fix.isMock { current.isMock = true }
        current.speeds.append(speed)
        run = current
        if let clause = clause(of: current, at: fix.time) {
            fire(clause, at: fix.time, run: current)
        } else if placement.isStrong, speed <= ArrivalCriteria.silentSpeedMps {
            silentSince = fix.time
        }
    }

    private func clause(of run: Run, at time: Instant) -> ArrivalEvidence.Clause? {
        let span = time - run.first.time + ArrivalCriteria.tolerance
        if run.fixCount >= 2, span >= ArrivalCriteria.settling, run.strongCount >= 1,
            run.speeds.median <= ArrivalCriteria.settledSpeedMps
        {
            return .settled
        }
        if run.fixCount >= 4, span >= criteria.lingering, run.strongCount >= 2 { return .lingering }
        return nil
    }

    private mutating func fire(_ clause: ArrivalEvidence.Clause, at instant: Instant, run: Run) {
        detection = fired(clause, at: instant, run: run)
        hold = nil
        previousWasClearlyOutside = false
    }

    private func fired(_ clause: ArrivalEvidence.Clause, at instant: Instant, run: Run) -> Detection {
        Detection(
            clause: clause,
            provisionalAt: instant,
            confirmedAt: nil,
            creditedAt: credited(to: run),
            firstInside: run.first,
            lastOutside: run.lastOutside,
            fixCount: run.fixCount,
            strongCount: run.strongCount,
            isMock: run.isMock || crossing(before: run)?.isMock == true
        )
    }

    /// Retracts the arrival and starts over, with the last usable fix as the last one outside.
    private mutating func retract(_ cause: Retraction.Cause, at instant: Instant) {
        guard let arrived = detection else { return }
        lastRetraction = Retraction(creditedAt: arrived.creditedAt, at: instant, cause: cause)
        if let hold { lastOutside = hold.last }
        detection = nil
        run = nil
        hold = nil
        previousWasClearlyOutside = false
    }

    /// Where the distance, interpolated between the last fix outside and the first inside, equals R (domain §6.3).
    private func credited(to run: Run) -> Instant {
        guard let outside = crossing(before: run) else { return max(run.first.time, criteria.opensAt) }
        let share =
            (outside.distanceMetres - criteria.radiusMetres) / (outside.distanceMetres - run.first.distanceMetres)
        let crossing = outside.time + .seconds((run.first.time - outside.time).seconds * share)
        return max(crossing, criteria.opensAt)
    }

    /// The last fix outside, if the credited time is interpolated from it.
    private func crossing(before run: Run) -> ArrivalEvidence.Sample? {
        guard let outside = run.lastOutside, outside.distanceMetres > criteria.radiusMetres,
            run.first.time - outside.time <= ArrivalCriteria.crossing + ArrivalCriteria.tolerance
        else { return nil }
        return outside
    }

    // MARK: - The first fix

    private mutating func acceptFirst(_ fix: SettledFix, placement: FixPlacement) {
        let sample = ArrivalEvidence.Sample(fix, at: placement.distanceMetres)
        guard detection == nil else { return }
        guard placement.distanceMetres < criteria.radiusMetres else {
            lastOutside = sample
            return
        }
        detection = Detection(
            clause: .firstFix,
            provisionalAt: fix.time,
            confirmedAt: fix.time,
            creditedAt: max(fix.time, criteria.opensAt),
            firstInside: sample,
            lastOutside: lastOutside,
            fixCount: 1,
            strongCount: placement.isStrong ? 1 : 0,
            isMock: fix.isMock
        )
    }
}

extension ArrivalEvidence.Sample {
    init(_ fix: SettledFix, at distanceMetres: Double) {
        self.init(time: fix.time, distanceMetres: distanceMetres, errorMetres: fix.errorMetres, isMock: fix.isMock)
    }
}

/// The last three numbers of a series.
private struct LastThree: Hashable, Sendable {
    private var values: (Double, Double, Double) = (0, 0, 0)
    private var count = 0

    mutating func append(_ value: Double) {
        values = (value, values.0, values.1)
        count = min(count + 1, 3)
    }

    /// The median; the larger of two values; 0 without values.
    var median: Double {
        switch count {
        case 3: max(min(values.0, values.1), min(max(values.0, values.1), values.2))
        case 2: max(values.0, values.1)
        default: values.0
        }
    }

    static func == (left: LastThree, right: LastThree) -> Bool {
        left.values == right.values && left.count == right.count
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(values.0)
        hasher.combine(values.1)
        hasher.combine(values.2)
        hasher.combine(count)
    }
}
