/// The arrival rule over one device's accepted fixes, one after the other in order of time (domain §6.1–§6.3, §6.8).
///
/// ```
///                  usable fix inside             a, b or c               fix > 120 s on, clock 150 s on
///  outside ───────────────────────▶ running ───────────────▶ provisional ───────────────▶ confirmed
///     ▲  ▲    usable fix farther out    │                        │
///     │  └──────────────────────────────┘                        │
///     └────────────── two fixes in a row clearly outside ────────┘
/// ```
/// The state follows from the fixes alone. The effect of the clock (clause c, confirmation without a fix) is a view of
/// it, ``arrival(at:)``, so that a late fix with an earlier date simply makes another state.
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
    }

    private struct Run: Hashable, Sendable {
        var first: ArrivalEvidence.Sample
        var lastOutside: ArrivalEvidence.Sample?
        var fixCount = 0
        var strongCount = 0
        var speeds = LastThree()
    }

    private let criteria: ArrivalCriteria
    private var previous: Waypoint?
    private var lastOutside: ArrivalEvidence.Sample?
    @BoxedOptional private var run: Run? = nil
    /// The time of the last fix while it is strong, slow and the newest: it waits for 30 s of silence.
    private var silentSince: Instant?
    @BoxedOptional private var detection: Detection? = nil
    private var previousWasClearlyOutside = false

    /// A detector without fixes.
    package init(criteria: ArrivalCriteria) { self.criteria = criteria }

    /// The next accepted fix; never earlier than the one before. Returns its class.
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

    /// The arrival as of `now`: from the fixes, and from the clock if they have fallen silent.
    package func arrival(at now: Instant) -> Detection? {
        var current = detection
        if current == nil, let silentSince, let run, now >= silentSince + ArrivalCriteria.silence {
            current = fired(.silent, at: silentSince + ArrivalCriteria.silence, run: run)
        }
        if let provisional = current, provisional.confirmedAt == nil {
            let due = provisional.provisionalAt + ArrivalCriteria.confirmedByClock
            if now >= due { current?.confirmedAt = due }
        }
        return current
    }

    /// `true` if there is an ``arrival(at:)``, for callers that need no more.
    package func hasArrival(at now: Instant) -> Bool {
        if detection != nil { return true }
        guard let silentSince, run != nil else { return false }
        return now >= silentSince + ArrivalCriteria.silence
    }

    /// The next instant after `now` at which the clock alone changes ``arrival(at:)``, nil if never.
    package func nextChange(after now: Instant) -> Instant? {
        let provisional = detection?.provisionalAt ?? silentSince.map { $0 + ArrivalCriteria.silence }
        guard let provisional, detection?.confirmedAt == nil else { return nil }
        if detection == nil, provisional > now { return provisional }
        let confirmed = provisional + ArrivalCriteria.confirmedByClock
        return confirmed > now ? confirmed : nil
    }

    // MARK: - The robust rule

    private mutating func acceptRobust(_ fix: SettledFix, placement: FixPlacement, speed: Double) {
        fireAfterSilence(before: fix.time)
        silentSince = nil
        guard let arrived = detection else { return extendRun(with: fix, placement: placement, speed: speed) }
        guard arrived.confirmedAt == nil else { return }
        if fix.time - arrived.provisionalAt > ArrivalCriteria.confirmedByFix {
            detection?.confirmedAt = min(fix.time, arrived.provisionalAt + ArrivalCriteria.confirmedByClock)
        } else if placement.isClearlyOutside, previousWasClearlyOutside {
            retract(at: ArrivalEvidence.Sample(time: fix.time, distanceMetres: placement.distanceMetres))
        } else {
            previousWasClearlyOutside = placement.isClearlyOutside
        }
    }

    /// Clause c for the previous fix, if this one shows that 30 s of silence followed it.
    private mutating func fireAfterSilence(before next: Instant) {
        guard detection == nil, let silentSince, let run,
            next - silentSince >= ArrivalCriteria.silence - ArrivalCriteria.tolerance
        else { return }
        fire(.silent, at: silentSince + ArrivalCriteria.silence, run: run)
    }

    private mutating func extendRun(with fix: SettledFix, placement: FixPlacement, speed: Double) {
        guard placement.isUsable else { return }
        let sample = ArrivalEvidence.Sample(time: fix.time, distanceMetres: placement.distanceMetres)
        guard placement.distanceMetres <= criteria.radiusMetres else {
            lastOutside = sample
            if placement.distanceMetres > criteria.nearMetres { run = nil }
            return
        }
        var current = run ?? Run(first: sample, lastOutside: lastOutside)
        current.fixCount += 1
        if placement.isStrong { current.strongCount += 1 }
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
            strongCount: run.strongCount
        )
    }

    private mutating func retract(at outside: ArrivalEvidence.Sample) {
        detection = nil
        run = nil
        lastOutside = outside
        previousWasClearlyOutside = false
    }

    /// Where the distance, interpolated between the last fix outside and the first inside, equals R (domain §6.3).
    private func credited(to run: Run) -> Instant {
        guard let outside = run.lastOutside, outside.distanceMetres > criteria.radiusMetres,
            run.first.time - outside.time <= ArrivalCriteria.crossing + ArrivalCriteria.tolerance
        else { return max(run.first.time, criteria.opensAt) }
        let share =
            (outside.distanceMetres - criteria.radiusMetres) / (outside.distanceMetres - run.first.distanceMetres)
        let crossing = outside.time + .seconds((run.first.time - outside.time).seconds * share)
        return max(crossing, criteria.opensAt)
    }

    // MARK: - The first fix

    private mutating func acceptFirst(_ fix: SettledFix, placement: FixPlacement) {
        let sample = ArrivalEvidence.Sample(time: fix.time, distanceMetres: placement.distanceMetres)
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
            strongCount: placement.isStrong ? 1 : 0
        )
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

    /// The median; of two the larger, of one that one; 0 of none.
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
