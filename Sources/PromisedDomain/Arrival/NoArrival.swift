/// Why a participant has no arrival, with the numbers of the device that came closest to one (domain §6.9).
package struct NoArrival: Hashable, Sendable {
    /// The first reason that is true, in this order: `noPosition`, `passed`, `tooShort`, `tooInaccurate`, `outside`.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No accepted fix.
        case noPosition
        /// An arrival was retracted.
        case passed
        /// A usable fix lies inside, and no clause fired.
        case tooShort
        /// All fixes inside are unusable.
        case tooInaccurate
        /// No fix lies inside.
        case outside
    }

    /// How many fixes there are of each kind.
    package struct Counts: Hashable, Sendable {
        /// Accepted fixes.
        package var accepted = 0
        /// Accepted, usable and inside.
        package var inside = 0
        /// Accepted, usable and outside.
        package var outside = 0
        /// Accepted and unusable.
        package var unusable = 0
        /// Accepted, unusable and inside.
        package var unusableInside = 0
        /// Late fixes between live ones.
        package var covered = 0
        /// Jumps that the next fix did not confirm.
        package var dropped = 0
    }

    package var reason: Reason
    /// The device; nil if there is none.
    package var device: DeviceKey?
    /// The circle's radius in metres.
    package var radiusMetres: Double
    /// Fixes with a larger error, in metres, are unusable.
    package var limitMetres: Double
    /// How many fixes there are.
    package var counts = Counts()
    /// The refusals of fixes rejected on receipt: one entry per fix, with repeats.
    package var refused: [Refusal] = []
    /// The smallest error of an unusable fix inside; nil if there is none.
    package var leastErrorMetres: Double?
    /// The usable fix nearest to the place; nil if there is none.
    package var nearest: ExplainedFix?
    /// From the first to the last fix of the longest inside run; nil if there is none.
    package var inside: TimeSpan?
    /// The time of the last accepted fix; nil if there is none.
    package var lastAt: Instant?
    /// The last retracted arrival; nil if none.
    package var retraction: ArrivalDetector.Retraction?

    /// The reason of a participant who has no arrival at `now`.
    ///
    /// - Parameters:
    ///   - tracks: the tracks of all devices of the participant.
    ///   - refused: the fixes rejected on receipt.
    package init(_ tracks: [ExplainedTrack], refused: [RefusedFix], of promise: Promise, at now: Instant) {
        let criteria = ArrivalCriteria(promise)
        let keys = Set(tracks.map(\.device)).union(refused.map(\.device))
        let devices = keys.sorted { ($0.deviceID, $0.bootID) < ($1.deviceID, $1.bootID) }.map { key in
            NoArrival(
                tracks.first { $0.device == key },
                of: key,
                refused: refused.filter { $0.device == key }.map(\.reason),
                criteria: criteria,
                at: now
            )
        }
        self = devices.min(by: NoArrival.isCloser) ?? NoArrival(nil, of: nil, refused: [], criteria: criteria, at: now)
    }

    private init(
        _ track: ExplainedTrack?,
        of device: DeviceKey?,
        refused: [Refusal],
        criteria: ArrivalCriteria,
        at now: Instant
    ) {
        self.device = device
        self.refused = refused
        radiusMetres = criteria.radiusMetres
        limitMetres = criteria.usableErrorMetres
        reason = .noPosition
        guard let track else { return }
        retraction = track.retraction(at: now)
        counts.covered = track.fixes.count { $0.verdict == .covered }
        counts.dropped = track.fixes.count { $0.verdict == .dropped }
        var run: ClosedRange<Instant>?
        for (fix, place) in track.accepted {
            counts.accepted += 1
            lastAt = fix.fix.time
            count(fix, place, isInside: fix.distanceMetres <= criteria.radiusMetres)
            switch place {
            case .strong, .inside: run = (run?.lowerBound ?? fix.fix.time)...fix.fix.time
            case .outside: run = nil
            case .near, .unusable: continue
            }
            if let run { inside = max(inside ?? .zero, run.upperBound - run.lowerBound) }
        }
        reason = reasonOfCounts
    }

    private mutating func count(_ fix: ExplainedFix, _ place: FixClass, isInside: Bool) {
        guard place != .unusable else {
            counts.unusable += 1
            guard isInside else { return }
            counts.unusableInside += 1
            leastErrorMetres = min(leastErrorMetres ?? .infinity, fix.fix.errorMetres)
            return
        }
        if isInside { counts.inside += 1 } else { counts.outside += 1 }
        if nearest.map({ fix.distanceMetres < $0.distanceMetres }) ?? true { nearest = fix }
    }

    private var reasonOfCounts: Reason {
        if counts.accepted == 0 { return .noPosition }
        if retraction != nil { return .passed }
        if counts.inside > 0 { return .tooShort }
        return counts.unusableInside > 0 ? .tooInaccurate : .outside
    }

    /// `true` if `one` came closer to an arrival than `other`: by reason, then by the later retraction, the nearer usable
    /// fix, the more accepted fixes.
    private static func isCloser(_ one: NoArrival, _ other: NoArrival) -> Bool {
        let order: [Reason] = [.passed, .tooShort, .tooInaccurate, .outside, .noPosition]
        let places = (order.firstIndex(of: one.reason), order.firstIndex(of: other.reason))
        if let first = places.0, let second = places.1, first != second { return first < second }
        if let first = one.retraction?.at, let second = other.retraction?.at, first != second { return first > second }
        let metres = (one.nearest?.distanceMetres ?? .infinity, other.nearest?.distanceMetres ?? .infinity)
        if metres.0 != metres.1 { return metres.0 < metres.1 }
        return one.counts.accepted > other.counts.accepted
    }
}
