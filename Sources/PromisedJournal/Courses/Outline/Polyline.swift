package import PromisedDomain

/// Coordinates as a short text: Google's "Encoded Polyline Algorithm Format" with five decimals.
package enum Polyline {
    /// Units of a degree.
    private static let unitsPerDegree = 1e5
    /// The largest error of a coordinate after encoding and decoding, in metres.
    static let largestErrorMetres = 0.8

    /// The text of valid coordinates in their order; empty for none.
    package static func encode(_ coordinates: some Sequence<Coordinate>) -> String {
        var bytes: [UInt8] = []
        var (latitude, longitude) = (0, 0)
        for coordinate in coordinates {
            let next = (units(coordinate.latitude), units(coordinate.longitude))
            append(next.0 - latitude, to: &bytes)
            append(next.1 - longitude, to: &bytes)
            (latitude, longitude) = next
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The coordinates of a text; nil if it is malformed or names a point that is not on the earth.
    package static func decode(_ text: String) -> [Coordinate]? {
        var coordinates: [Coordinate] = []
        var (latitude, longitude) = (0, 0)
        var bytes = text.utf8.makeIterator()
        while let first = bytes.next() {
            guard let north = step(from: first, &bytes), let second = bytes.next(),
                let east = step(from: second, &bytes)
            else { return nil }
            latitude += north
            longitude += east
            let coordinate = Coordinate(
                latitude: Double(latitude) / unitsPerDegree,
                longitude: Double(longitude) / unitsPerDegree
            )
            guard coordinate.isValid else { return nil }
            coordinates.append(coordinate)
        }
        return coordinates
    }

    private static func units(_ degrees: Double) -> Int { Int((degrees * unitsPerDegree).rounded()) }

    /// Encodes five bits per character, the lowest first; the sign is the lowest bit of all.
    private static func append(_ step: Int, to bytes: inout [UInt8]) {
        var rest = step < 0 ? ~(step << 1) : step << 1
        while rest >= 0x20 {
            bytes.append(UInt8(rest & 0x1F | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }

    /// Decodes the number that begins with a byte; nil if it is longer than the format's maximum of seven bytes.
    private static func step(from first: UInt8, _ bytes: inout String.UTF8View.Iterator) -> Int? {
        var (number, byte) = (0, first)
        for shift in stride(from: 0, to: 35, by: 5) {
            guard (63...126).contains(byte) else { return nil }
            number |= (Int(byte - 63) & 0x1F) << shift
            if byte - 63 < 0x20 { return number & 1 == 0 ? number >> 1 : ~(number >> 1) }
            guard let next = bytes.next() else { return nil }
            byte = next
        }
        return nil
    }
}

extension Track {
    /// The way as polylines, one for each segment.
    package var polylines: [String] { segments.map { Polyline.encode(points[$0].lazy.map(\.coordinate)) } }
}
