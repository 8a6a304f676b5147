internal import PromisedDomain
internal import PromisedJournal

/// Points of a way as bytes, each relative to the previous one.
///
/// ```
/// point    = flags, latitude, longitude, time?, altitude?, accuracy?, speed?
/// flags    = 1 byte: 1 exact coordinate, 2 time, 4 altitude, 8 accuracy, 16 speed, 32 exact altitude, 64 exact
///            accuracy, 128 exact speed
/// degrees  = steps of 10⁻⁷ from the last ones; exact: the eight bytes of the double
/// time     = milliseconds from the last one
/// altitude = hundredths from the last one; accuracy, speed: hundredths; exact: the eight bytes of the double
/// ```
/// The short forms are used only if decoding gives exactly the same double.
enum TrackCoding {
    /// Packs points in sequence; the caller separates the segments.
    struct Encoder {
        private var last = Last()

        mutating func append(_ point: TrackPoint, to writer: inout ByteWriter) {
            let latitude = point.coordinate.latitude.steps(per: degreeSteps)
            let longitude = point.coordinate.longitude.steps(per: degreeSteps)
            let (altitude, accuracy) = (Measure(point.altitudeMetres), Measure(point.accuracyMetres))
            let speed = Measure(point.speedMps)
            writer.write(
                (latitude == nil || longitude == nil ? exactFlag : 0) | (point.time == nil ? 0 : timeFlag)
                    | altitude.flags(altitudeFlag, exact: exactAltitudeFlag)
                    | accuracy.flags(accuracyFlag, exact: exactAccuracyFlag)
                    | speed.flags(speedFlag, exact: exactSpeedFlag)
            )
            if let latitude, let longitude {
                writer.write(signed: latitude &- last.latitude)
                writer.write(signed: longitude &- last.longitude)
                (last.latitude, last.longitude) = (latitude, longitude)
            } else {
                writer.write(fixed: point.coordinate.latitude.bitPattern)
                writer.write(fixed: point.coordinate.longitude.bitPattern)
            }
            if let time = point.time?.milliseconds {
                writer.write(signed: time &- last.time)
                last.time = time
            }
            altitude.write(after: last.altitude, to: &writer)
            last.altitude = altitude.steps ?? last.altitude
            accuracy.write(after: 0, to: &writer)
            speed.write(after: 0, to: &writer)
        }
    }

    /// Unpacks points that an ``Encoder`` packed.
    struct Decoder {
        private var last = Last()

        /// The next point, with segment 0. Throws ``StoreError/damaged(_:)``.
        mutating func next(from reader: inout ByteReader) throws(StoreError) -> TrackPoint {
            let flags = try reader.byte()
            var point = TrackPoint(try coordinate(isExact: flags & exactFlag != 0, from: &reader))
            if flags & timeFlag != 0 {
                last.time &+= try reader.signed()
                point.time = Instant(milliseconds: last.time)
            }
            var none: Int64 = 0
            if flags & altitudeFlag != 0 {
                let isExact = flags & exactAltitudeFlag != 0
                point.altitudeMetres = try Measure.read(isExact: isExact, after: &last.altitude, from: &reader)
            }
            if flags & accuracyFlag != 0 {
                let isExact = flags & exactAccuracyFlag != 0
                point.accuracyMetres = try Measure.read(isExact: isExact, after: &none, from: &reader)
            }
            none = 0
            if flags & speedFlag != 0 {
                let isExact = flags & exactSpeedFlag != 0
                point.speedMps = try Measure.read(isExact: isExact, after: &none, from: &reader)
            }
            return point
        }

        private mutating func coordinate(
            isExact: Bool,
            from reader: inout ByteReader
        ) throws(StoreError) -> Coordinate {
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
    }

    /// The values to which the next point is relative.
    private struct Last {
        var time: Int64 = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        var altitude: Int64 = 0
    }

    /// An optional number of a point, in hundredths if that is exact.
    private struct Measure {
        let value: Double?
        let steps: Int64?

        init(_ value: Double?) {
            self.value = value
            steps = value?.steps(per: TrackCoding.measureSteps)
        }

        /// The flag for a number that is present, combined with the one for an exact number.
        func flags(_ flag: UInt8, exact: UInt8) -> UInt8 { value == nil ? 0 : steps == nil ? flag | exact : flag }

        func write(after last: Int64, to writer: inout ByteWriter) {
            if let steps {
                writer.write(signed: steps &- last)
            } else if let value {
                writer.write(fixed: value.bitPattern)
            }
        }

        static func read(
            isExact: Bool,
            after last: inout Int64,
            from reader: inout ByteReader
        ) throws(StoreError) -> Double {
            if isExact { return Double(bitPattern: try reader.fixed()) }
            last &+= try reader.signed()
            return Double(last) / TrackCoding.measureSteps
        }
    }

    private static let exactFlag: UInt8 = 1
    private static let timeFlag: UInt8 = 2
    private static let altitudeFlag: UInt8 = 4
    private static let accuracyFlag: UInt8 = 8
    private static let speedFlag: UInt8 = 16
    private static let exactAltitudeFlag: UInt8 = 32
    private static let exactAccuracyFlag: UInt8 = 64
    private static let exactSpeedFlag: UInt8 = 128
    private static let degreeSteps = 1e7
    private static let measureSteps = 100.0
}
