package import PromisedDomain

/// One point of a track, a route or a recording.
package struct GPXPoint: Hashable, Sendable {
    /// The position; after reading always valid and a multiple of 10⁻⁷ degrees.
    package var coordinate: Coordinate
    /// Metres above sea level; nil if missing or invalid.
    package var elevation: Double?
    /// When it was recorded, by the recorder's clock; nil if missing or invalid.
    package var time: Instant?
    /// Horizontal dilution of precision, or metres in the files of some programs, see
    /// ``GPXFile/accuracyMetres(of:)``; nil if missing; finite and not negative.
    package var hdop: Double?

    package init(coordinate: Coordinate, elevation: Double? = nil, time: Instant? = nil, hdop: Double? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
        self.hdop = hdop
    }
}
