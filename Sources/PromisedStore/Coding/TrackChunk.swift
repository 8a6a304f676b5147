package import PromisedJournal

/// The points of one segment of a course packed into bytes: one row of `course_track`.
///
/// ```
/// chunk = version (1 byte: 1), point…        as long as the bytes last
/// ```
/// ``TrackCoding`` writes the points. Nothing is rounded: decoding returns exactly the encoded values.
package struct TrackChunk: Sendable {
    package let bytes: [UInt8]
    package let count: Int

    package init(bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Packs the points of one segment.
    package init(encoding points: ArraySlice<TrackPoint>) {
        var writer = ByteWriter(expecting: 1 + points.count * TrackChunk.bytesOfPoint)
        var encoder = TrackCoding.Encoder()
        writer.write(TrackChunk.version)
        for point in points { encoder.append(point, to: &writer) }
        self.init(bytes: writer.bytes, count: points.count)
    }

    /// The points, all of one segment.
    ///
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not a chunk of a known version.
    package func points(of segment: Int) throws(StoreError) -> [TrackPoint] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == TrackChunk.version else { throw .damaged("A track of an unknown version") }
        var (decoder, points) = (TrackCoding.Decoder(), [TrackPoint]())
        points.reserveCapacity(min(count, bytes.count))
        while !reader.isAtEnd {
            var point = try decoder.next(from: &reader)
            point.segment = segment
            points.append(point)
        }
        guard points.count == count else { throw .damaged("A track with another number of points") }
        return points
    }

    private static let version: UInt8 = 1
    /// A point from a phone takes 10 to 20 bytes.
    private static let bytesOfPoint = 16
}
