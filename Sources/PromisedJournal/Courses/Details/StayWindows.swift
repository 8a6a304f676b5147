internal import PromisedDomain

/// Finds the parts of a way whose points lie together, in O(n).
///
/// Points lie together if a box of them has a diagonal of at most twice the radius. That holds for a part of such points
/// too, so that the last point of a window never moves back when its first moves on.
struct StayWindows {
    /// A stay: the mean of its points, and its times.
    struct Span: Hashable {
        var coordinate: Coordinate
        var from: Instant
        var to: Instant
        var duration: TimeSpan { to - from }
    }

    private let points: [TrackPoint]
    private let times: [Instant]
    /// All stays, in order of time.
    private(set) var spans: [Span] = []

    /// The stays of a clean way.
    init(of track: Track) {
        let timed = track.points.compactMap { point in point.time.map { (point, $0) } }
        let isSorted = zip(timed, timed.dropFirst()).allSatisfy { $0.1 <= $1.1 }
        let sorted = isSorted ? timed : timed.sorted { $0.1 < $1.1 }
        points = sorted.map(\.0)
        times = sorted.map(\.1)
        find()
    }

    private mutating func find() {
        var window = ExtremeWindow(around: points.first?.coordinate)
        var end = 0
        var first = 0
        while first < points.count {
            while end < points.count, window.fits(points[end].coordinate, at: end) { end += 1 }
            if times[end - 1] - times[first] >= CourseStop.shortest {
                spans.append(Span(coordinate: window.mean(points[first..<end]), from: times[first], to: times[end - 1]))
                first = end
            } else {
                first += 1
            }
            window.drop(before: first)
        }
    }
}

/// The box of a window of points that moves forward: the extremes of both coordinates, as queues of indices in which
/// values rise or fall.
private struct ExtremeWindow {
    private struct Extremes {
        /// Queues of indices: values decrease for the greatest, and increase for the smallest.
        private var greatest: [(index: Int, value: Double)] = []
        private var smallest: [(index: Int, value: Double)] = []
        private var firstGreatest = 0
        private var firstSmallest = 0

        func span(with value: Double) -> Double {
            let most = firstGreatest < greatest.count ? max(value, greatest[firstGreatest].value) : value
            let least = firstSmallest < smallest.count ? min(value, smallest[firstSmallest].value) : value
            return most - least
        }

        mutating func append(_ value: Double, at index: Int) {
            while greatest.count > firstGreatest, let last = greatest.last, last.value <= value {
                greatest.removeLast()
            }
            while smallest.count > firstSmallest, let last = smallest.last, last.value >= value {
                smallest.removeLast()
            }
            greatest.append((index, value))
            smallest.append((index, value))
        }

        mutating func drop(before index: Int) {
            while firstGreatest < greatest.count, greatest[firstGreatest].index < index { firstGreatest += 1 }
            while firstSmallest < smallest.count, smallest[firstSmallest].index < index { firstSmallest += 1 }
        }
    }

    private static let metresPerDegree = Coordinate.earthRadiusMetres * .pi / 180

    private let origin: Coordinate
    private var north = Extremes()
    private var east = Extremes()

    init(around origin: Coordinate?) { self.origin = origin ?? Coordinate(latitude: 0, longitude: 0) }

    /// Adds a point to the window if it fits. Returns `false` otherwise.
    mutating func fits(_ coordinate: Coordinate, at index: Int) -> Bool {
        let turn = offset(coordinate)
        let height = north.span(with: coordinate.latitude) * ExtremeWindow.metresPerDegree
        let width = east.span(with: turn) * ExtremeWindow.metresPerDegree * cosine(coordinate.latitude * .pi / 180)
        guard height * height + width * width <= 4 * CourseStop.radiusMetres * CourseStop.radiusMetres else {
            return false
        }
        north.append(coordinate.latitude, at: index)
        east.append(turn, at: index)
        return true
    }

    mutating func drop(before index: Int) {
        north.drop(before: index)
        east.drop(before: index)
    }

    /// The mean position of points of the window.
    func mean(_ points: ArraySlice<TrackPoint>) -> Coordinate {
        let count = Double(points.count)
        let turn = points.reduce(0) { $0 + offset($1.coordinate) } / count
        return Coordinate(
            latitude: points.reduce(0) { $0 + $1.coordinate.latitude } / count,
            longitude: (origin.longitude + turn).wrappedTurn
        )
    }

    /// Degrees east of the way's first point; a stay across the opposite meridian is split.
    private func offset(_ coordinate: Coordinate) -> Double { (coordinate.longitude - origin.longitude).wrappedTurn }
}

extension Double {
    /// The same angle in degrees within −180…180.
    fileprivate var wrappedTurn: Double { self - (self / 360).rounded() * 360 }
}
