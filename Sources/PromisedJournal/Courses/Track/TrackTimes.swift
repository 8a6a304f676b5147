internal import PromisedDomain

/// The times of the points of a clean way. Missing times are interpolated along the way between the nearest points of
/// the segment that have one.
struct TrackTimes {
    /// For each point seconds since 1970; nil before the first and after the last time of its segment.
    private(set) var seconds: [Double?]

    init(of track: Track) {
        seconds = track.points.map { $0.time.map { Double($0.milliseconds) / 1_000 } }
        guard seconds.contains(nil) else { return }
        for segment in track.segments { fill(segment, of: track.points) }
    }

    private mutating func fill(_ segment: Range<Int>, of points: [TrackPoint]) {
        var last: Int?
        for index in segment where seconds[index] != nil {
            if let last, index - last > 1 { fill(between: last, and: index, of: points) }
            last = index
        }
    }

    private mutating func fill(between first: Int, and last: Int, of points: [TrackPoint]) {
        guard let start = seconds[first], let end = seconds[last] else { return }
        var metres = [0.0]
        for index in first..<last {
            let step = points[index].coordinate.distanceMetres(to: points[index + 1].coordinate)
            metres.append((metres.last ?? 0) + step)
        }
        guard let whole = metres.last, whole > 0 else { return }
        for index in (first + 1)..<last {
            seconds[index] = start + (end - start) * metres[index - first] / whole
        }
    }
}
