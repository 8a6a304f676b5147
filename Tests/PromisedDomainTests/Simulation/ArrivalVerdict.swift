import PromisedDomain
import PromisedSimulation
import PromisedTestSupport

/// The verdict of one decider on one run.
struct ArrivalVerdict: Sendable {
    /// The time credited in the end; nil without an arrival.
    var creditedAt: Instant?
    /// The announcement of the final arrival.
    var announcedAt: Instant?
    /// `true` if an arrival was ever announced, even if it was retracted later.
    var wasAnnounced = false
}

/// The compared deciders.
enum ArrivalDecider: CaseIterable {
    /// The rule of the product.
    case robust
    /// The first fix with d < R, at once and permanently.
    case firstFix
    /// The first fix with d − e < R, at once and permanently: stricter than it seems.
    case withinError

    /// Decides on `run` for the circle of `radiusMetres` around the scenarios' place.
    func verdict(on run: ArrivalRun, radiusMetres: Double) -> ArrivalVerdict {
        switch self {
        case .robust: ArrivalDecider.robust(run, criteria: criteria(radiusMetres, .robust))
        case .firstFix: ArrivalDecider.firstFix(run, criteria: criteria(radiusMetres, .firstFix))
        case .withinError: ArrivalDecider.withinError(run, radiusMetres: radiusMetres)
        }
    }

    private func criteria(_ radiusMetres: Double, _ rule: ArrivalRule.Name) -> ArrivalCriteria {
        ArrivalCriteria(
            centre: ArrivalScenario.plane.origin,
            radiusMetres: radiusMetres,
            rule: rule,
            opensAt: ArrivalScenario.start
        )
    }

    /// Fix by fix, like a session, until the arrival is confirmed: without backfill it is then final. A silence
    /// detected by the clock alone also shows after the next fix.
    private static func robust(_ run: ArrivalRun, criteria: ArrivalCriteria) -> ArrivalVerdict {
        var track = DeviceTrack(criteria: criteria)
        var wasAnnounced = false
        for fix in run.fixes {
            _ = track.insert([fix])
            guard let arrival = track.arrival(at: fix.time) else { continue }
            wasAnnounced = true
            if arrival.confirmedAt != nil { break }
        }
        return verdict(of: track, at: run.end, wasAnnounced: wasAnnounced)
    }

    /// Fix by fix until an arrival; a run without any fix inside needs no evaluation.
    private static func firstFix(_ run: ArrivalRun, criteria: ArrivalCriteria) -> ArrivalVerdict {
        let isInside = { (fix: SettledFix) in
            fix.coordinate.distanceMetres(to: criteria.centre) < criteria.radiusMetres
        }
        guard run.fixes.contains(where: isInside) else { return ArrivalVerdict() }
        var track = DeviceTrack(criteria: criteria)
        for fix in run.fixes {
            _ = track.insert([fix])
            if track.arrival(at: fix.time) != nil { break }
        }
        return verdict(of: track, at: run.end, wasAnnounced: false)
    }

    /// An hour after the recording everything is decided.
    private static func verdict(of track: DeviceTrack, at end: Instant, wasAnnounced: Bool) -> ArrivalVerdict {
        let standing = track.arrival(at: end + .hours(1))
        return ArrivalVerdict(
            creditedAt: standing?.creditedAt,
            announcedAt: standing?.provisionalAt,
            wasAnnounced: wasAnnounced || standing != nil
        )
    }

    private static func withinError(_ run: ArrivalRun, radiusMetres: Double) -> ArrivalVerdict {
        let arrived = run.fixes.first {
            $0.coordinate.distanceMetres(to: ArrivalScenario.plane.origin) - $0.errorMetres < radiusMetres
        }
        return ArrivalVerdict(creditedAt: arrived?.time, announcedAt: arrived?.time, wasAnnounced: arrived != nil)
    }
}
