/// The numbers of domain §6 for one promise, computed once from its place, radius and rule. Shared by the tracks of all
/// participants, two for each device.
package final class ArrivalCriteria: Hashable, Sendable {
    package let centre: Coordinate
    /// Its radius R in metres.
    package let radiusMetres: Double
    package let rule: ArrivalRule.Name
    /// Credited times are never earlier.
    package let opensAt: Instant
    /// The end of settling: arrivals are final from then on.
    package let settlesAt: Instant

    /// A fix is usable when its error is at most this: max(R, 70 m).
    package let usableErrorMetres: Double
    /// Up to here a usable fix outside does not end a run: R + max(0.1 R, 10 m).
    let nearMetres: Double
    /// Beyond this, less the error, a fix is clearly outside: R + max(0.1 R, 20 m).
    let clearlyOutsideMetres: Double
    /// How long fixes must linger: max(15 s, 2 R at 7 m/s).
    let lingering: TimeSpan

    /// Spans are compared with this tolerance.
    static let tolerance = TimeSpan.milliseconds(500)
    /// Fixes must span this long to count as settled.
    static let settling = TimeSpan.seconds(5)
    /// Of three fixes the middle speed must not pass this to count as settled: walking pace.
    static let settledSpeedMps = 2.5
    /// Slower than this, a last fix before silence counts: a cyclist rolling up.
    static let silentSpeedMps = 8.0
    /// The silence after which a strong, slow fix makes an arrival.
    static let silence = TimeSpan.seconds(30)
    /// Between the last fix outside and the first inside, the crossing is interpolated over at most this span.
    static let crossing = TimeSpan.seconds(30)
    /// A fix dated more than this after the provisional instant confirms.
    static let confirmedByFix = TimeSpan.seconds(120)
    /// The clock alone confirms this long after the provisional instant, unless the arrival is held.
    static let confirmedByClock = TimeSpan.seconds(210)
    /// The clock alone decides about a held arrival this long after the provisional instant.
    static let decidedByClock = TimeSpan.seconds(300)
    /// Errors up to this, in metres, are usable in any circle.
    static let leastUsableErrorMetres = 70.0
    /// The largest error, in metres, that counts when a fix is tested for clearly outside.
    static let errorCapMetres = 100.0

    package convenience init(_ promise: Promise) {
        self.init(
            centre: promise.place.coordinate,
            radiusMetres: Double(promise.radiusMetres),
            rule: promise.rule.name,
            opensAt: promise.opensAt,
            settlesAt: promise.settlesAt
        )
    }

    /// Criteria for a circle. Settling has no end unless one is given.
    package init(
        centre: Coordinate,
        radiusMetres: Double,
        rule: ArrivalRule.Name,
        opensAt: Instant,
        settlesAt: Instant = Instant(milliseconds: .max)
    ) {
        self.centre = centre
        self.radiusMetres = radiusMetres
        self.rule = rule
        self.opensAt = opensAt
        self.settlesAt = settlesAt
        usableErrorMetres = max(radiusMetres, ArrivalCriteria.leastUsableErrorMetres)
        nearMetres = radiusMetres + max(0.1 * radiusMetres, 10)
        clearlyOutsideMetres = radiusMetres + max(0.1 * radiusMetres, 20)
        lingering = max(.seconds(15), .seconds(2 * radiusMetres / 7))
    }

    /// `true` if both have the same circle, rule and window.
    package static func == (left: ArrivalCriteria, right: ArrivalCriteria) -> Bool {
        left.centre == right.centre && left.radiusMetres == right.radiusMetres && left.rule == right.rule
            && left.opensAt == right.opensAt && left.settlesAt == right.settlesAt
    }

    /// Hashes the values that ``==(_:_:)`` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(centre)
        hasher.combine(radiusMetres)
        hasher.combine(rule)
        hasher.combine(opensAt)
        hasher.combine(settlesAt)
    }

    /// The position of one fix relative to the circle.
    func placement(of fix: SettledFix) -> FixPlacement {
        let distance = fix.coordinate.distanceMetres(to: centre)
        let error = fix.errorMetres
        let isUsable = error <= usableErrorMetres
        return FixPlacement(
            distanceMetres: distance,
            isUsable: isUsable,
            isStrong: isUsable && distance + error / 2 <= radiusMetres,
            isClearlyOutside: isUsable && distance - min(error, ArrivalCriteria.errorCapMetres) > clearlyOutsideMetres
        )
    }

    /// `true` if a fix at a distance lies outside by more than its error.
    func isOutside(_ distanceMetres: Double, errorMetres: Double) -> Bool {
        distanceMetres - min(errorMetres, ArrivalCriteria.errorCapMetres) > radiusMetres
    }
}

/// The position of one fix relative to the circle.
struct FixPlacement: Hashable, Sendable {
    /// Metres from the centre.
    var distanceMetres: Double
    /// `true` if its error is small enough for the rule.
    var isUsable: Bool
    /// `true` if it lies inside by half its error.
    var isStrong: Bool
    /// `true` if it is usable and lies well outside, by more than its error.
    var isClearlyOutside: Bool
}

/// The class of an accepted fix relative to the circle, for the explanation of an arrival (domain §6.9).
package enum FixClass: String, Hashable, Sendable, Codable, CaseIterable {
    /// Inside by half its error or more.
    case strong
    case inside
    /// Outside by so little that it neither extends nor ends a run.
    case near
    case outside
    /// Too inaccurate.
    case unusable

    init(_ placement: FixPlacement, criteria: ArrivalCriteria) {
        if !placement.isUsable {
            self = .unusable
        } else if placement.isStrong {
            self = .strong
        } else if placement.distanceMetres <= criteria.radiusMetres {
            self = .inside
        } else {
            self = placement.distanceMetres <= criteria.nearMetres ? .near : .outside
        }
    }
}

/// The decision about a fix, for the explanation of an arrival (domain §6.9).
package enum FixVerdict: Hashable, Sendable {
    /// Accepted and used by the arrival rule.
    case accepted(FixClass)
    /// Implausibly far from the previous fix; the next fix decides.
    case held
    /// Implausibly far from the previous fix and not confirmed by the next.
    case dropped
    /// A late fix with live fixes shortly before and after: stored as evidence, ignored by the rule.
    case covered
}
