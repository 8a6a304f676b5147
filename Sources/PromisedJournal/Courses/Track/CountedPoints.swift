internal import PromisedDomain

/// The points of a clean way that count for its length: far enough apart that noise alone does not make a way.
///
/// In each segment: the first point, each point at least clamp(2 × accuracy, 5, 40) m from the previous counted one (5
/// m without an accuracy), and the last. The accuracy is the mean of those of both points: with the later one alone, a
/// point that happens to report a small value would always count.
struct CountedPoints: Hashable, Sendable {
    /// Bounds of the distance that counts, in metres.
    private static let stepMetres = 5.0...40.0
    /// A point counts at this many times its accuracy.
    private static let accuracyFactor = 2.0

    /// Indices into the points of the way; ascending.
    private(set) var indices: [Int] = []
    /// For each index the metres along the way from the start; gaps between segments add nothing.
    private(set) var metres: [Double] = []

    init(of track: Track) {
        for segment in track.segments { add(segment, of: track.points) }
    }

    /// The length of the way in metres.
    var lengthMetres: Double { metres.last ?? 0 }

    private mutating func add(_ segment: Range<Int>, of points: [TrackPoint]) {
        var way = lengthMetres
        var last = segment.lowerBound
        indices.append(last)
        metres.append(way)
        for index in segment.dropFirst() {
            let step = points[index].coordinate.distanceMetres(to: points[last].coordinate)
            guard CountedPoints.counts(step, from: points[last], to: points[index]) || index == segment.upperBound - 1
            else { continue }
            way += step
            last = index
            indices.append(index)
            metres.append(way)
        }
    }

    /// `true` if a point counts at this distance, in metres, from the previous counted one.
    static func counts(_ metres: Double, from last: TrackPoint, to point: TrackPoint) -> Bool {
        guard metres < stepMetres.upperBound else { return true }
        guard metres >= stepMetres.lowerBound else { return false }
        let one = last.accuracyMetres ?? point.accuracyMetres ?? 0
        let other = point.accuracyMetres ?? one
        return metres >= (one + other) / 2 * accuracyFactor
    }
}
