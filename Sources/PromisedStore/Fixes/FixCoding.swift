internal import PromisedDomain

/// One device's fixes as bytes, each relative to the previous one.
///
/// ```
/// fix     = flags, seq − last seq, time − last time, receivedAt − time, latitude, longitude, accuracy, speed
/// flags   = 1 byte: 1 simulated, 2 exact coordinate, 4 from a device whose clock was moved, 8 dated by another clock
/// degrees = steps of 10⁻⁷ from the last ones; exact: the eight bytes of the double
/// measure = 0 missing, 1 and the eight bytes of the double, or 2 + hundredths
/// ```
/// Times are in milliseconds. The short forms are used only if decoding gives exactly the same double.
enum FixCoding {
    /// Packs fixes in sequence.
    struct Encoder {
        /// The bytes packed so far.
        private(set) var writer = ByteWriter(expecting: expectedBytes)
        private var last = Last()

        mutating func append(_ fix: SettledFix) {
            let latitude = fix.coordinate.latitude.steps(per: degreeSteps)
            let longitude = fix.coordinate.longitude.steps(per: degreeSteps)
            let isExact = latitude == nil || longitude == nil
            writer.write(flags(of: fix, isExact: isExact))
            writer.write(signed: Int64(fix.seq) - last.seq)
            writer.write(signed: fix.time.milliseconds &- last.time)
            writer.write(signed: fix.receivedAt.milliseconds &- fix.time.milliseconds)
            if let latitude, let longitude {
                writer.write(signed: latitude &- last.latitude)
                writer.write(signed: longitude &- last.longitude)
                (last.latitude, last.longitude) = (latitude, longitude)
            } else {
                writer.write(fixed: fix.coordinate.latitude.bitPattern)
                writer.write(fixed: fix.coordinate.longitude.bitPattern)
            }
            write(fix.accuracyMetres)
            write(fix.speedMps)
            (last.seq, last.time) = (Int64(fix.seq), fix.time.milliseconds)
        }

        private func flags(of fix: SettledFix, isExact: Bool) -> UInt8 {
            var flags = isExact ? exactFlag : 0
            if fix.isMock { flags |= mockFlag }
            if fix.isClockMoved { flags |= movedFlag }
            if fix.isOfOtherClock { flags |= otherFlag }
            return flags
        }

        private mutating func write(_ measure: Double?) {
            guard let measure else { return writer.write(UInt64(0)) }
            if let hundredths = measure.steps(per: measureSteps), hundredths >= 0 {
                writer.write(UInt64(hundredths) + 2)
            } else {
                writer.write(UInt64(1))
                writer.write(fixed: measure.bitPattern)
            }
        }
    }

    /// Unpacks fixes that an ``Encoder`` packed.
    struct Decoder {
        private var reader: ByteReader
        private var last = Last()

        init(reader: ByteReader) { self.reader = reader }

        /// The next fix; nil at the end.
        mutating func next() throws(StoreError) -> SettledFix? {
            if reader.isAtEnd { return nil }
            let flags = try reader.byte()
            last.seq &+= try reader.signed()
            last.time &+= try reader.signed()
            guard let seq = UInt32(exactly: last.seq) else { throw .damaged("A number of a fix out of range") }
            let delay = try reader.signed()
            let (receivedAt, isBeyond) = last.time.addingReportingOverflow(delay)
            guard !isBeyond, delays.contains(delay) else { throw .damaged("A time of a fix out of range") }
            return SettledFix(
                seq: seq,
                coordinate: try coordinate(isExact: flags & exactFlag != 0),
                accuracyMetres: try measure(),
                speedMps: try measure(),
                time: Instant(milliseconds: last.time),
                receivedAt: Instant(milliseconds: receivedAt),
                isMock: flags & mockFlag != 0,
                isClockMoved: flags & movedFlag != 0,
                isOfOtherClock: flags & otherFlag != 0
            )
        }

        private mutating func coordinate(isExact: Bool) throws(StoreError) -> Coordinate {
            if isExact {
                return Coordinate(
                    latitude: Double(bitPattern: try reader.fixed()),
                    longitude: Double(bitPattern: try reader.fixed())
                )
            }
            last.latitude &+= try reader.signed()
            last.longitude &+= try reader.signed()
            return Coordinate(
                latitude: Double(last.latitude) / degreeSteps,
                longitude: Double(last.longitude) / degreeSteps
            )
        }

        private mutating func measure() throws(StoreError) -> Double? {
            switch try reader.number() {
            case 0: nil
            case 1: Double(bitPattern: try reader.fixed())
            case let number: Double(number - 2) / measureSteps
            }
        }
    }

    /// The values to which the next fix is relative.
    private struct Last {
        var seq: Int64 = 0
        var time: Int64 = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
    }

    /// Capacity for a few fixes: a chunk covers a few seconds and has no more of one device.
    private static let expectedBytes = 96
    private static let mockFlag: UInt8 = 1
    private static let exactFlag: UInt8 = 2
    private static let movedFlag: UInt8 = 4
    private static let otherFlag: UInt8 = 8
    /// Wider than any delay of a fix, and at least the range of ``SettledFix``, in milliseconds.
    private static let delays = -(Int64(1) << 29)...Int64(1) << 29
    private static let degreeSteps = 1e7
    private static let measureSteps = 100.0
}
