internal import PromisedDomain
package import PromisedJournal

/// Points of one device of a recording packed into bytes: one row of `recording_chunk`.
///
/// ```
/// chunk = version (1 byte: 1), device, point…        as long as the bytes last
/// point = seq − last seq, segment − last segment, a point of TrackCoding
/// ```
/// Nothing is rounded: decoding returns exactly the encoded values.
package struct RecordingChunk: Sendable {
    package let bytes: [UInt8]
    package let count: Int

    package init(bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Packs points of one device.
    package init(encoding points: [KeptPoint], of deviceID: String) {
        var writer = ByteWriter(expecting: 32 + points.count * 20)
        writer.write(RecordingChunk.version)
        writer.write(deviceID)
        var (encoder, seq, segment) = (TrackCoding.Encoder(), Int64(0), Int64(0))
        for kept in points {
            writer.write(signed: Int64(kept.seq) - seq)
            writer.write(signed: Int64(kept.point.segment) - segment)
            encoder.append(kept.point, to: &writer)
            (seq, segment) = (Int64(kept.seq), Int64(kept.point.segment))
        }
        self.init(bytes: writer.bytes, count: points.count)
    }

    /// The points in packing order.
    ///
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not a chunk of a known version.
    package func points() throws(StoreError) -> [KeptPoint] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == RecordingChunk.version else { throw .damaged("A chunk of an unknown version") }
        let deviceID = try reader.text()
        var (decoder, points, seq, segment) = (TrackCoding.Decoder(), [KeptPoint](), Int64(0), Int64(0))
        while !reader.isAtEnd {
            seq &+= try reader.signed()
            segment &+= try reader.signed()
            guard let number = UInt32(exactly: seq), UInt32(exactly: segment) != nil else {
                throw .damaged("A number of a point out of range")
            }
            var point = try decoder.next(from: &reader)
            point.segment = Int(segment)
            points.append(KeptPoint(deviceID: deviceID, seq: number, point: point))
        }
        guard points.count == count else { throw .damaged("A chunk with another number of points") }
        return points
    }

    /// `true` if the points belong to a device. Throws ``StoreError/damaged(_:)``.
    func isOf(_ deviceID: String) throws(StoreError) -> Bool {
        var reader = ByteReader(bytes)
        guard try reader.byte() == RecordingChunk.version else { throw .damaged("A chunk of an unknown version") }
        return try reader.text() == deviceID
    }

    private static let version: UInt8 = 1
}

/// The progress of a recording's devices as bytes, for a column that no query reads.
///
/// ```
/// devices = version (1 byte: 1), number, device…                    in the order of their ids
/// device  = id, last seq, number of ranges, range…, 1 byte: 1 with a counted point, its segment and point?
/// range   = first − last of the previous one, last − first
/// ```
package enum RecordingDevices {
    private static let version: UInt8 = 1

    /// Packs the devices. For a finished recording, omits the points, which are positions.
    package static func encode(_ devices: [String: Recording.Device], isFinished: Bool) -> [UInt8] {
        var writer = ByteWriter(expecting: 8 + devices.count * 64)
        writer.write(version)
        writer.write(UInt64(devices.count))
        for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
            writer.write(id)
            writer.write(UInt64(device.lastSeq))
            writer.write(UInt64(device.taken.ranges.count))
            var last: UInt32 = 0
            for range in device.taken.ranges {
                writer.write(UInt64(range.lowerBound - last))
                writer.write(UInt64(range.upperBound - range.lowerBound))
                last = range.upperBound
            }
            let counted = isFinished ? nil : device.lastCounted
            writer.write(UInt8(counted == nil ? 0 : 1))
            guard let counted else { continue }
            writer.write(signed: Int64(counted.segment))
            var encoder = TrackCoding.Encoder()
            encoder.append(counted, to: &writer)
        }
        return writer.bytes
    }

    /// Unpacks the devices. Throws ``StoreError/damaged(_:)``.
    package static func decode(_ bytes: [UInt8]) throws(StoreError) -> [String: Recording.Device] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw .damaged("Devices of an unknown version") }
        var devices: [String: Recording.Device] = [:]
        for _ in 0..<(try reader.number()) {
            let id = try reader.text()
            var device = Recording.Device()
            device.lastSeq = try seq(try reader.number())
            device.taken = SequenceSet(ranges: try ranges(from: &reader))
            if try reader.byte() == 1 {
                guard let segment = Int(exactly: try reader.signed()) else { throw .damaged("A segment out of range") }
                var decoder = TrackCoding.Decoder()
                device.lastCounted = try decoder.next(from: &reader)
                device.lastCounted?.segment = segment
            }
            devices[id] = device
        }
        guard reader.isAtEnd else { throw .damaged("Devices with bytes after their end") }
        return devices
    }

    private static func ranges(from reader: inout ByteReader) throws(StoreError) -> [ClosedRange<UInt32>] {
        var (ranges, last) = ([ClosedRange<UInt32>](), UInt32(0))
        for index in 0..<(try reader.number()) {
            let first = try sum(last, try reader.number())
            guard index == 0 || first > last else { throw .damaged("Ranges of numbers out of order") }
            last = try sum(first, try reader.number())
            ranges.append(first...last)
        }
        return ranges
    }

    private static func sum(_ seq: UInt32, _ step: UInt64) throws(StoreError) -> UInt32 {
        let (sum, overflows) = UInt64(seq).addingReportingOverflow(step)
        guard !overflows else { throw .damaged("A number of a point out of range") }
        return try Self.seq(sum)
    }

    private static func seq(_ number: UInt64) throws(StoreError) -> UInt32 {
        guard let seq = UInt32(exactly: number) else { throw .damaged("A number of a point out of range") }
        return seq
    }
}
