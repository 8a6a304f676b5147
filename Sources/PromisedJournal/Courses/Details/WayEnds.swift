internal import PromisedDomain

/// The points of a clean way at which its user may live: its ends, and further candidates where the ends are ambiguous.
///
/// 1. The first and the last point, and the earliest and the latest, which differ where two devices recorded the way.
/// 2. Both sides of a step, also from segment to segment, that no movement explains: see ``TrackSteps``.
/// 3. Where a way begins with a short part, the beginning of the next part too, and so on up to the first long one; the
///    same at its end. Cached positions form such a part: their time may be of the day before, or so little earlier
///    that a fast vehicle explains it.
///
/// A *part* ends where the next point is more than 100 m away and came unusually late or fast, or without a time is
/// unusually far. It is short with fewer than ten positions or less than 200 m of way.
struct WayEnds {
    private static let shortestGapMetres = 100.0
    /// A gap is at least this long, and this many times the usual step.
    private static let shortestGap = TimeSpan.minutes(10)
    private static let gapFactor = 20.0
    /// A fast step has at least this speed, in metres per second, and this many times the usual one.
    private static let slowestJumpMps = 15.0
    private static let jumpFactor = 5.0
    /// Without a time a far step has this length at least, and this many times the usual one.
    private static let shortestFarMetres = 300.0
    private static let farFactor = 10.0
    private static let fewPositions = 10
    private static let shortMetres = 200.0

    /// In no order, each once.
    private(set) var coordinates: Set<Coordinate> = []
    private let points: [TrackPoint]

    /// The ends of a clean way.
    init(of track: Track) {
        points = track.points
        guard let first = points.first, let last = points.last else { return }
        let timed = points.filter { $0.time != nil }
        let outer = [
            first, last, timed.min { $0.isEarlier(than: $1) }, timed.max { $0.isEarlier(than: $1) },
        ]
        coordinates = Set(outer.compactMap { $0?.coordinate })
        let usual = UsualStep(of: points)
        var breaks: [Int] = []
        let steps = TrackSteps(of: points)
        for index in points.indices.dropFirst() {
            let isTorn = !steps.joins(index - 1, index)
            if isTorn { coordinates.formUnion([points[index - 1].coordinate, points[index].coordinate]) }
            if isTorn || usual.isBroken(from: points[index - 1], to: points[index]) { breaks.append(index) }
        }
        addInner(breaks)
    }

    private mutating func addInner(_ breaks: [Int]) {
        let parts = zip([0] + breaks, breaks + [points.count]).map { $0..<$1 }
        for (part, next) in zip(parts, parts.dropFirst()) {
            guard isShort(part) else { break }
            coordinates.insert(points[next.lowerBound].coordinate)
        }
        for (part, before) in zip(parts.reversed(), parts.dropLast().reversed()) {
            guard isShort(part) else { break }
            coordinates.insert(points[before.upperBound - 1].coordinate)
        }
    }

    private func isShort(_ part: Range<Int>) -> Bool {
        var (positions, metres) = (1, 0.0)
        for (one, other) in zip(points[part], points[part].dropFirst()) where one.coordinate != other.coordinate {
            positions += 1
            metres += one.coordinate.distanceMetres(to: other.coordinate)
            if positions >= WayEnds.fewPositions, metres >= WayEnds.shortMetres { return false }
        }
        return true
    }

    /// A usual step of a way: two thirds of all steps are at most as large, for each of the values.
    private struct UsualStep {
        private var span = TimeSpan.zero
        private var speedMps = 0.0
        private var metres = 0.0

        init(of points: [TrackPoint]) {
            // A sample, evenly spaced over the way.
            let stride = Swift.stride(from: 1, to: points.count, by: max(1, points.count / 1_000))
            var (spans, speeds, lengths) = ([TimeSpan](), [Double](), [Double]())
            for index in stride {
                let (one, other) = (points[index - 1], points[index])
                let length = one.coordinate.distanceMetres(to: other.coordinate)
                lengths.append(length)
                guard let start = one.time, let end = other.time, start < end else { continue }
                spans.append(end - start)
                speeds.append(length / (end - start).seconds)
            }
            span = UsualStep.usual(spans) ?? .zero
            speedMps = UsualStep.usual(speeds) ?? 0
            metres = UsualStep.usual(lengths) ?? 0
        }

        private static func usual<Value: Comparable>(_ values: [Value]) -> Value? {
            values.isEmpty ? nil : values.sorted()[(values.count - 1) * 2 / 3]
        }

        func isBroken(from one: TrackPoint, to other: TrackPoint) -> Bool {
            let length = one.coordinate.distanceMetres(to: other.coordinate)
            guard length > WayEnds.shortestGapMetres else { return false }
            guard let start = one.time, let end = other.time else {
                return length > max(WayEnds.shortestFarMetres, WayEnds.farFactor * metres)
            }
            let seconds = abs((end - start).seconds)
            return seconds > max(WayEnds.shortestGap.seconds, WayEnds.gapFactor * span.seconds)
                || length > max(WayEnds.slowestJumpMps, WayEnds.jumpFactor * speedMps) * seconds
        }
    }
}

extension TrackPoint {
    fileprivate func isEarlier(than other: TrackPoint) -> Bool {
        guard let time, let later = other.time else { return false }
        return time < later
    }
}
