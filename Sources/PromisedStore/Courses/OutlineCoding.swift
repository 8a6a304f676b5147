package import PromisedJournal

/// The steps of all outlines of a way as bytes.
///
/// ```
/// outlines = version (1 byte: 1), ends, number, segment…, step…
/// segment  = order, peak (8 bytes), ends, number of steps
/// step     = 2 × rank + (1 for the last inner point of its segment), point
/// ```
/// ``TrackCoding`` writes the points. Nothing is rounded.
package enum OutlineCoding {
    private static let version: UInt8 = 1

    package static func encode(_ outlines: OutlineSteps) -> [UInt8] {
        var writer = ByteWriter(expecting: 16 + outlines.segments.count * 16 + outlines.steps.count * 18)
        var encoder = TrackCoding.Encoder()
        writer.write(version)
        writer.write(UInt64(outlines.ends))
        writer.write(UInt64(outlines.segments.count))
        for segment in outlines.segments {
            writer.write(UInt64(segment.order))
            writer.write(fixed: segment.peak.bitPattern)
            writer.write(UInt64(segment.ends))
            writer.write(UInt64(segment.count))
        }
        for step in outlines.steps {
            writer.write(UInt64(2 * step.rank + (step.isLast ? 1 : 0)))
            encoder.append(step.point, to: &writer)
        }
        return writer.bytes
    }

    /// A part of an outline, decoded without holding the other steps in memory.
    ///
    /// - Parameter part: its `maxPoints` are those of the outline.
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not steps of a known version.
    package static func page(
        _ part: TrackPart,
        of maxPoints: Int,
        from bytes: [UInt8]
    ) throws(StoreError) -> TrackPage {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw .damaged("Outlines of an unknown version") }
        let ends = try reader.count()
        let segments = try segments(from: &reader)
        let choice = OutlineChoice(segments, ends: ends, limit: maxPoints)
        var (page, decoder) = (TrackPage(points: [], total: 0), TrackCoding.Decoder())
        for (number, segment) in segments.enumerated() {
            for _ in 0..<segment.count {
                let mark = try reader.number()
                var point = try decoder.next(from: &reader)
                guard choice.keeps(Int(mark >> 1), isLast: mark & 1 == 1, of: number) else { continue }
                point.segment = choice.number(of: number) ?? 0
                if page.total >= part.start, page.points.count < part.limit { page.points.append(point) }
                page.total += 1
            }
        }
        guard reader.isAtEnd else { throw .damaged("Outlines with bytes after their end") }
        return page
    }

    private static func segments(from reader: inout ByteReader) throws(StoreError) -> [OutlineSteps.Segment] {
        var segments: [OutlineSteps.Segment] = []
        for _ in 0..<(try reader.number()) {
            segments.append(
                OutlineSteps.Segment(
                    order: try reader.count(),
                    peak: Double(bitPattern: try reader.fixed()),
                    ends: try reader.count(),
                    count: try reader.count()
                )
            )
        }
        return segments
    }
}
