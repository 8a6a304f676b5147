import PromisedDomain
import PromisedJournal
import PromisedStore

extension FuzzTarget {
    static let fixChunk = stored(
        "fix-chunk",
        decode: { bytes throws(StoreError) in try FixChunk(bytes: bytes, count: 0).fixes() },
        encode: { FixChunk(encoding: $0).bytes },
        draw: { $0.fixesOfDevices() },
        bits: { fixes in fixes.flatMap { fix in [UInt64?(fix.userID.low)] + fix.fix.bits } }
    )

    /// The number of points is part of the stored row; here the last byte gives it.
    static let trackChunk = stored(
        "track-chunk",
        decode: { bytes throws(StoreError) in
            try TrackChunk(bytes: Array(bytes.dropLast()), count: Int(bytes.last ?? 0)).points(of: Draw.segment)
        },
        encode: { TrackChunk(encoding: $0[...]).bytes + [UInt8($0.count)] },
        draw: { $0.segmentOfTrack() },
        bits: { points in points.flatMap { $0.bits } }
    )

    /// The last byte as with ``trackChunk``.
    static let recordingChunk = stored(
        "recording-chunk",
        decode: { bytes throws(StoreError) in
            try RecordingChunk(bytes: Array(bytes.dropLast()), count: Int(bytes.last ?? 0)).points()
        },
        encode: { RecordingChunk(encoding: $0, of: $0.first?.deviceID ?? "").bytes + [UInt8($0.count)] },
        draw: { $0.pointsOfDevice() },
        bits: { points in points.flatMap { [UInt64?(UInt64($0.seq))] + $0.point.bits } }
    )

    /// The last byte as with ``trackChunk``.
    static let shownPiece = stored(
        "shown-piece",
        decode: { bytes throws(StoreError) in
            try TrackPiece(start: 0, count: Int(bytes.last ?? 0), bytes: Array(bytes.dropLast())).points()
        },
        encode: { TrackPiece(encoding: $0[...]).bytes + [UInt8($0.count)] },
        draw: { $0.pointsOfWay() },
        bits: { points in points.flatMap { $0.bits } }
    )

    static let outlines = FuzzTarget(
        "outlines",
        "Packed outlines are refused or unpacked; those of a way have, for any limit, the points that its steps name."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        let isPacked = draw.isHeads()
        let limit = Track.limitRange.lowerBound + draw.below(256)
        let part = TrackPart(of: limit, from: draw.below(64), limit: draw.below(64))
        if isPacked {
            guard let page = try? OutlineCoding.page(part, of: limit, from: draw.rest) else { return }
            try require(page.points.count == max(0, min(page.total - part.start, part.limit)), "\(page) of \(part)")
        } else {
            let steps = OutlineSteps(of: Track(draw.pointsOnEarth()))
            let whole = steps.outline(to: limit).points
            guard let page = try? OutlineCoding.page(part, of: limit, from: OutlineCoding.encode(steps)) else {
                throw Violation("\(steps) cannot be unpacked")
            }
            let expected = whole.dropFirst(part.start).prefix(part.limit)
            try require(page.total == whole.count, "\(page.total) of \(whole.count) points")
            try require(page.points.flatMap(\.bits) == expected.flatMap(\.bits), "\(page) instead of \(expected)")
        }
    }

    /// A target of packed values: an input that begins with an even byte is the packed form, any other makes values.
    private static func stored<Value>(
        _ name: String,
        decode: @escaping @Sendable ([UInt8]) throws(StoreError) -> [Value],
        encode: @escaping @Sendable ([Value]) -> [UInt8],
        draw: @escaping @Sendable (inout Draw) -> [Value],
        bits: @escaping @Sendable ([Value]) -> [UInt64?]
    ) -> FuzzTarget {
        FuzzTarget(
            name,
            "Packed bytes are refused or unpacked; values survive packing and unpacking, to the last bit."
        ) { bytes throws(Violation) in
            guard let first = bytes.first else { return }
            var rest = Draw(Array(bytes.dropFirst()))
            guard let values = first.isMultiple(of: 2) ? try? decode(rest.rest) : draw(&rest) else { return }
            guard let again = try? decode(encode(values)) else { throw Violation("\(values) cannot be unpacked") }
            try require(bits(again) == bits(values), "\(again) instead of \(values)")
        }
    }
}

extension Draw {
    fileprivate static let segment = 3
    /// The number of points is one byte here.
    private static let mostPoints = 255

    fileprivate mutating func fixesOfDevices() -> [ArchivedFix] {
        var fixes: [ArchivedFix] = []
        while !isAtEnd {
            let device = DeviceKey(deviceID: ["", "phone", "장치"][below(3)], bootID: isHeads() ? "b" : "")
            fixes.append(ArchivedFix(userID: fewIDs(), device: device, fix: self.fix()))
        }
        return fixes.groupedByDevice
    }

    fileprivate mutating func segmentOfTrack() -> [TrackPoint] {
        var points: [TrackPoint] = []
        while !isAtEnd, points.count < Draw.mostPoints {
            var point = self.point()
            point.segment = Draw.segment
            points.append(point)
        }
        return points
    }

    /// Points of a few segments, some of them repeated.
    fileprivate mutating func pointsOfWay() -> [TrackPoint] {
        var points: [TrackPoint] = []
        while !isAtEnd, points.count < Draw.mostPoints {
            var point = self.point()
            point.segment = below(4)
            points.append(point)
        }
        return points
    }

    /// Points at steps of 0.001° and in several segments, so that some triangles are equal.
    fileprivate mutating func pointsOnEarth() -> [TrackPoint] {
        var (points, segment) = ([TrackPoint](), 0)
        while !isAtEnd, points.count < Draw.mostPoints {
            if below(16) == 0 { segment += 1 }
            let coordinate = Coordinate(latitude: Double(below(180)) / 1_000, longitude: Double(below(180)) / 1_000)
            points.append(TrackPoint(coordinate, altitudeMetres: optional { $0.number() }, segment: segment))
        }
        return points
    }

    fileprivate mutating func pointsOfDevice() -> [KeptPoint] {
        let device = text()
        var points: [KeptPoint] = []
        while !isAtEnd, points.count < Draw.mostPoints {
            var point = self.point()
            point.segment = Int(word())
            points.append(KeptPoint(deviceID: device, seq: word(), point: point))
        }
        return points
    }
}

extension [ArchivedFix] {
    /// The fixes in the order of a chunk: by device, devices as first seen.
    fileprivate var groupedByDevice: [ArchivedFix] {
        var groups: [[ArchivedFix]] = []
        for fix in self {
            let index = groups.firstIndex { $0[0].userID == fix.userID && $0[0].device == fix.device }
            if let index { groups[index].append(fix) } else { groups.append([fix]) }
        }
        return groups.flatMap(\.self)
    }
}
