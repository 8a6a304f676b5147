internal import PromisedDomain

/// Decides which steps from point to point a movement can explain.
///
/// - A step between two points with a time is possible up to the speeds of ``JumpFilter``: 100 m/s, or 3 times the larger
///   reported speed + 15 m/s where speeds are reported, both errors subtracted.
/// - A step of points without a time is judged by the time between the nearest points with one, before and after it.
/// - Without any times, it is possible up to 40 times the 80th percentile of the way's steps, and at least up to 1 km.
///
/// Aircraft are faster, and unlike after a cached position their movement continues: a step of up to 350 m/s is
/// possible if the one before it or after it has about the same speed and direction.
struct TrackSteps {
    /// Without times, steps up to this length are always possible, in metres.
    private static let shortestLimitMetres = 1_000.0
    /// Without times, steps up to this multiple of a usual step are possible.
    private static let usualSteps = 40.0
    /// No aircraft in scope is faster, in metres per second.
    private static let aircraftSpeedMps = 350.0
    /// Two steps of one movement differ in their speeds at most by this factor.
    private static let likeness = 1.5
    /// The distance over two steps of one movement is at least this part of both.
    private static let straightness = 0.9

    private let points: [TrackPoint]
    /// For each point the latest time up to it, and the earliest from it on; empty if all points have one.
    private var bounds: [(from: Instant?, to: Instant?)] = []
    /// The longest possible step where no time is known, in metres.
    private var limitMetres = Double.infinity

    /// The steps of points in the order of a way.
    init(of points: [TrackPoint]) {
        self.points = points
        guard points.contains(where: { $0.time == nil }) else { return }
        bounds = points.map { ($0.time, $0.time) }
        for index in points.indices.dropFirst() where bounds[index].from == nil {
            bounds[index].from = bounds[index - 1].from
        }
        for index in points.indices.dropLast().reversed() where bounds[index].to == nil {
            bounds[index].to = bounds[index + 1].to
        }
        let lengths = zip(points, points.dropFirst()).map { $0.coordinate.distanceMetres(to: $1.coordinate) }
        guard !lengths.isEmpty else { return }
        let usual = lengths.sorted()[(lengths.count - 1) * 4 / 5]
        limitMetres = max(TrackSteps.shortestLimitMetres, TrackSteps.usualSteps * usual)
    }

    /// `true` if a movement from one point to a later one is possible, given by their indices.
    func joins(_ from: Int, _ to: Int) -> Bool {
        let (one, other) = (points[from], points[to])
        guard let span = span(from, to) else {
            return one.coordinate.distanceMetres(to: other.coordinate) <= limitMetres
        }
        return TrackSteps.isPossible(from: one, to: other, within: span) || continues(from, to)
    }

    /// `true` if a movement from one point to another within a time is possible at the speed limit of ``JumpFilter``.
    static func isPossible(from one: TrackPoint, to other: TrackPoint, within span: TimeSpan) -> Bool {
        let metres = one.coordinate.distanceMetres(to: other.coordinate) - one.errorMetres - other.errorMetres
        guard metres > 0 else { return true }
        let reported = max(one.speedMps ?? 0, other.speedMps ?? 0)
        let believed = JumpFilter.speedFactor * reported + JumpFilter.speedAllowanceMps
        // A reported speed of 0 is unknown (domain §5).
        let limit = reported > 0 ? min(JumpFilter.topSpeedMps, believed) : JumpFilter.topSpeedMps
        return metres <= limit * abs(span.seconds)
    }

    /// The longest possible time of the step; nil if unknown.
    private func span(_ from: Int, _ to: Int) -> TimeSpan? {
        let start = points[from].time ?? bounds[from].from
        let end = points[to].time ?? bounds[to].to
        guard let start, let end else { return nil }
        return end - start
    }

    /// `true` if the step continues the previous one, or the next one continues this step.
    private func continues(_ from: Int, _ to: Int) -> Bool {
        guard to == from + 1 else { return false }
        return from > 0 && isOneMovement(from - 1, from, to)
            || to + 1 < points.count && isOneMovement(from, to, to + 1)
    }

    private func isOneMovement(_ first: Int, _ middle: Int, _ last: Int) -> Bool {
        guard let start = points[first].time, let turn = points[middle].time, let end = points[last].time,
            start < turn, turn < end
        else { return false }
        let one = points[first].coordinate.distanceMetres(to: points[middle].coordinate)
        let other = points[middle].coordinate.distanceMetres(to: points[last].coordinate)
        let (speed, next) = (one / (turn - start).seconds, other / (end - turn).seconds)
        let whole = points[first].coordinate.distanceMetres(to: points[last].coordinate)
        return max(speed, next) <= TrackSteps.aircraftSpeedMps
            && max(speed, next) <= TrackSteps.likeness * min(speed, next)
            && whole >= TrackSteps.straightness * (one + other)
    }
}

extension TrackPoint {
    /// The error that is used, in metres (domain §5): 50 without an accuracy, at least 5.
    fileprivate var errorMetres: Double {
        guard let accuracy = accuracyMetres, accuracy > 0 else { return 50 }
        return max(accuracy, 5)
    }
}
