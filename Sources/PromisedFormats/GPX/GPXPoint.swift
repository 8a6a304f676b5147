package import PromisedDomain

/// One point of a track, a route or a recording.
package struct GPXPoint: Hashable, Sendable {
    /// The position; of a point that was read always valid and a multiple of 10⁻⁷ degrees.
    package var coordinate: Coordinate
    /// Metres above sea level; nil if missing or invalid.
    package var elevation: Double?
    /// When it was recorded, by the recorder's clock; nil if missing or invalid.
    package var time: Instant?
    /// Horizontal dilution of precision; nil if missing; finite and not negative.
    package var hdop: Double?

    /// A point.
    package init(coordinate: Coordinate, elevation: Double? = nil, time: Instant? = nil, hdop: Double? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
        self.hdop = hdop
    }

    /// Metres of error that one unit of dilution stands for.
    package static let metresPerHdop = 5.0

    /// The accuracy to report in metres: 5 m × ``hdop``, nil without it.
    package var accuracyMetres: Double? { hdop.map { $0 * GPXPoint.metresPerHdop } }
}
