package import PromisedDomain

/// One point of a way: from a recorder or a file, or cleaned by ``CleanTrack``.
package struct TrackPoint: Hashable, Sendable {
    /// The position; always valid.
    package var coordinate: Coordinate
    /// Metres above sea level; nil if unknown; finite.
    package var altitudeMetres: Double?
    /// When it was recorded; nil if unknown.
    package var time: Instant?
    /// Horizontal accuracy in metres (68 %); nil if unknown; finite and not negative.
    package var accuracyMetres: Double?
    /// Speed in metres per second as reported; nil if unknown; finite and not negative.
    package var speedMps: Double?
    /// The number of its segment. Only a change from one point to the next matters.
    package var segment: Int

    package init(
        _ coordinate: Coordinate,
        altitudeMetres: Double? = nil,
        time: Instant? = nil,
        accuracyMetres: Double? = nil,
        speedMps: Double? = nil,
        segment: Int = 0
    ) {
        self.coordinate = coordinate
        self.altitudeMetres = altitudeMetres
        self.time = time
        self.accuracyMetres = accuracyMetres
        self.speedMps = speedMps
        self.segment = segment
    }
}
