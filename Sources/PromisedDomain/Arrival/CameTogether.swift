/// Two participants whose phones were close to each other on the way, so that their arrivals share a rank (domain
/// §6.4).
package struct CameTogether: Hashable, Sendable {
    package var pair: UserPair
    /// The median distance of the two phones at the same moments, in metres.
    package var medianDistanceMetres: Double
    /// The largest median distance that counts as together, in metres: it follows from the accuracies.
    package var limitMetres: Double
    /// How many moments were compared.
    package var momentCount: Int
    /// The earlier of the two credited times: the moments lie in the two minutes before it.
    package var creditedAt: Instant

    package init(
        pair: UserPair,
        medianDistanceMetres: Double,
        limitMetres: Double,
        momentCount: Int,
        creditedAt: Instant
    ) {
        self.pair = pair
        self.medianDistanceMetres = medianDistanceMetres
        self.limitMetres = limitMetres
        self.momentCount = momentCount
        self.creditedAt = creditedAt
    }
}

// The numbers of domain §6.4; all of them are exact.
extension CameTogether {
    /// Arrivals credited farther apart are not compared.
    package static let longestBetween = TimeSpan.seconds(300)
    /// The compared moments begin this long before the earlier credited time.
    static let approach = TimeSpan.seconds(120)
    /// The position of a phone is interpolated between two fixes at most this far apart.
    static let longestGap = TimeSpan.seconds(60)
    /// The fewest common moments for a decision.
    static let fewestMoments = 6
    /// Fixes with a larger error are ignored.
    static let largestErrorMetres = 150.0
    /// The limit of the median distance over the median error.
    static let limitFactor = 1.5
    /// The bounds of the limit, in metres.
    static let limitMetres = 30.0...80
}

extension CameTogether {
    /// The finding about two arrivals; nil if the phones did not lie close, or had too few moments in common.
    ///
    /// - Parameters:
    ///   - pair: the two participants.
    ///   - one: the way of either of them.
    ///   - other: the way of the other.
    ///   - creditedAt: the earlier of the two credited times.
    package init?(_ pair: UserPair, by one: ArrivalWay, and other: ArrivalWay, creditedAt: Instant) {
        var moments = one.moments(with: other, before: creditedAt)
        moments += other.moments(with: one, before: creditedAt)
        guard moments.count >= CameTogether.fewestMoments else { return nil }
        let distance = CameTogether.median(moments.map(\.distanceMetres))
        let error = CameTogether.median(moments.map(\.errorMetres))
        let wide = max(CameTogether.limitFactor * error, CameTogether.limitMetres.lowerBound)
        let limit = min(wide, CameTogether.limitMetres.upperBound)
        guard distance <= limit else { return nil }
        self.init(
            pair: pair,
            medianDistanceMetres: distance,
            limitMetres: limit,
            momentCount: moments.count,
            creditedAt: creditedAt
        )
    }

    /// The median; of an even number of values, the upper of the two in the middle.
    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// The accepted fixes of the device behind an arrival, reduced to those that show who arrived together.
package struct ArrivalWay: Hashable, Sendable {
    /// The distance of two phones at the time of a fix of one of them.
    struct Moment: Hashable, Sendable {
        var distanceMetres: Double
        var errorMetres: Double
    }

    private var kept = HeldFixes()

    package init() {}

    /// The way of accepted fixes, in order; those with too large an error are left out.
    package init(_ accepted: some Sequence<SettledFix>) { for fix in accepted { append(fix) } }

    /// Adds an accepted fix that is not before any other, unless its error is too large.
    mutating func append(_ fix: SettledFix) {
        if fix.errorMetres <= CameTogether.largestErrorMetres { kept.append(fix) }
    }

    /// The time of the last fix; nil without one.
    var end: Instant? { kept.last?.time }

    /// The moments at this way's fixes in the two minutes up to an instant.
    func moments(with other: ArrivalWay, before end: Instant) -> [Moment] {
        let others = other.kept.all
        var moments: [Moment] = []
        // The first fix of the other way that is not earlier than the current one.
        var next = 0
        for fix in kept.all where fix.time >= end - CameTogether.approach && fix.time <= end {
            while next < others.count, others[next].time < fix.time { next += 1 }
            guard next > 0, next < others.count else { continue }
            let (before, after) = (others[next - 1], others[next])
            guard after.time - before.time <= CameTogether.longestGap else { continue }
            let place = ArrivalWay.place(at: fix.time, between: before, and: after)
            let otherError = max(before.errorMetres, after.errorMetres)
            moments.append(
                Moment(
                    distanceMetres: fix.coordinate.distanceMetres(to: place),
                    errorMetres: (fix.errorMetres * fix.errorMetres + otherError * otherError).squareRoot()
                )
            )
        }
        return moments
    }

    /// The position at `time`, linear in latitude and longitude, the short way round.
    private static func place(at time: Instant, between before: SettledFix, and after: SettledFix) -> Coordinate {
        let (from, to) = (before.coordinate, after.coordinate)
        let share = (time - before.time).seconds / (after.time - before.time).seconds
        let turn = (to.longitude - from.longitude).remainder(dividingBy: 360)
        return Coordinate(
            latitude: from.latitude + (to.latitude - from.latitude) * share,
            longitude: from.longitude + turn * share
        )
    }
}
