package import PromisedJournal

/// A thousand points of a way as one audience sees it, packed into bytes: one row of `shown_piece`.
///
/// ```
/// piece = version (1 byte: 1), run…          as long as the bytes last
/// run   = segment, number, point…
/// ```
/// ``TrackCoding`` writes the points. Nothing is rounded: decoding returns exactly the encoded values.
package struct TrackPiece: Hashable, Sendable {
    /// How many points a piece has; the last one of a way may have fewer.
    package static let size = 1_000

    /// How many points of the way precede it.
    package let start: Int
    package let count: Int
    package let bytes: [UInt8]

    package init(start: Int, count: Int, bytes: [UInt8]) {
        self.start = start
        self.count = count
        self.bytes = bytes
    }

    static func all(of way: Track) -> [TrackPiece] {
        stride(from: 0, to: way.points.count, by: size).map { start in
            TrackPiece(encoding: way.points[start..<min(start + size, way.points.count)])
        }
    }

    /// Packs at most ``size`` points; the slice's start index is their position in the way.
    package init(encoding points: ArraySlice<TrackPoint>) {
        var writer = ByteWriter(expecting: 8 + points.count * 16)
        var encoder = TrackCoding.Encoder()
        writer.write(TrackPiece.version)
        for run in points.chunked() {
            writer.write(UInt64(run.first?.segment ?? 0))
            writer.write(UInt64(run.count))
            for point in run { encoder.append(point, to: &writer) }
        }
        self.init(start: points.startIndex, count: points.count, bytes: writer.bytes)
    }

    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not a piece of a known version.
    package func points() throws(StoreError) -> [TrackPoint] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == TrackPiece.version else { throw .damaged("A piece of a way of an unknown version") }
        var (decoder, points) = (TrackCoding.Decoder(), [TrackPoint]())
        points.reserveCapacity(min(count, bytes.count))
        while !reader.isAtEnd {
            let segment = try reader.count()
            for _ in 0..<(try reader.number()) {
                var point = try decoder.next(from: &reader)
                point.segment = segment
                points.append(point)
            }
        }
        guard points.count == count else { throw .damaged("A piece of a way with another number of points") }
        return points
    }

    private static let version: UInt8 = 1
}

extension ArraySlice<TrackPoint> {
    /// The runs of points of one segment.
    fileprivate func chunked() -> [ArraySlice<TrackPoint>] {
        var (runs, first) = ([ArraySlice<TrackPoint>](), startIndex)
        for index in indices where self[index].segment != self[first].segment {
            runs.append(self[first..<index])
            first = index
        }
        return isEmpty ? [] : runs + [self[first...]]
    }
}
