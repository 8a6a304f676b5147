import PromisedStore

extension FuzzTarget {
    static let columns = FuzzTarget(
        "columns",
        "Packed columns (way-points, stops, devices of recordings, weather) are refused, or their values packed to the same."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        switch draw.below(5) {
        case 0:
            try check(draw.rest, CourseShapeCoding.waypoints) { CourseShapeCoding.encode($0) }
        case 1:
            try check(draw.rest, CourseShapeCoding.stops) { CourseShapeCoding.encode($0) }
        case 2:
            try check(draw.rest, RecordingDevices.decode) { RecordingDevices.encode($0, isFinished: false) }
        case 3:
            try check(draw.rest, WeatherCoding.hours) { WeatherCoding.encode($0) }
        default:
            try check(draw.rest, WeatherCoding.air) { WeatherCoding.encode($0) }
        }
    }

    /// Values that come from bytes are packed; unpacking that and packing again gives the same bytes.
    private static func check<Values>(
        _ bytes: [UInt8],
        _ decode: ([UInt8]) throws(StoreError) -> Values,
        _ encode: (Values) -> [UInt8]
    ) throws(Violation) {
        guard let values = try? decode(bytes) else { return }
        let packed = encode(values)
        guard let again = try? decode(packed) else { throw Violation("\(values) cannot be unpacked") }
        try require(encode(again) == packed, "\(again) instead of \(values)")
    }
}
