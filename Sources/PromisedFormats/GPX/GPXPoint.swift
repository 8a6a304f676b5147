import Foundation
package import PromisedDomain

/// One recorded point of a track.
package struct GPXPoint: Hashable, Sendable {
    /// When it was recorded, by the recorder's clock.
    package var time: Instant
    /// The position; always valid.
    package var coordinate: Coordinate
    /// Horizontal dilution of precision; nil if missing; finite and not negative.
    package var hdop: Double?

    /// A recorded point.
    package init(time: Instant, coordinate: Coordinate, hdop: Double? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.hdop = hdop
    }

    /// Metres of error that one unit of dilution stands for.
    package static let metresPerHdop = 5.0

    /// The accuracy to report in metres: 5 m × ``hdop``, nil without it.
    package var accuracyMetres: Double? { hdop.map { $0 * GPXPoint.metresPerHdop } }
}

/// Times in GPX files: ISO 8601, with or without fractions of a second; UTC if no zone is named.
enum GPXTime {
    /// The instant that `text` names, to the nearest millisecond; nil if it is invalid.
    static func instant(_ text: String) -> Instant? {
        let zoned = hasZone(text) ? text : text + "Z"
        let style = Date.ISO8601FormatStyle()
        guard
            let date = (try? style.parse(zoned))
                ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(zoned))
        else { return nil }
        return Instant(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    /// `true` if the part after the date ends with `Z` or an offset.
    private static func hasZone(_ text: String) -> Bool {
        guard let start = text.firstIndex(of: "T") else { return true }
        return text[start...].contains { "Zz+-".contains($0) }
    }
}
