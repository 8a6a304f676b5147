/// One position as a phone reported it, with the phone's own clocks.
package struct Fix: Hashable, Sendable {
    /// Strictly rising per device and boot.
    package var seq: UInt32
    package var coordinate: Coordinate
    /// Horizontal accuracy in metres (68 %), nil when unknown.
    package var accuracyMetres: Double?
    /// Speed in metres per second, nil when unknown.
    package var speedMps: Double?
    /// Course in degrees clockwise from north, nil when unknown.
    package var courseDegrees: Double?
    /// The phone's monotonic clock at the fix, in milliseconds.
    package var uptimeMs: Double?
    /// The phone's wall clock at the fix, in milliseconds since 1970.
    package var wallMs: Double?
    /// `true` if the phone marks the position as simulated.
    package var isMock: Bool
    /// Battery charge, 0–100, nil when unknown.
    package var batteryPercent: Int?

    /// A fix with all its fields, unchecked.
    package init(
        seq: UInt32,
        coordinate: Coordinate,
        accuracyMetres: Double? = nil,
        speedMps: Double? = nil,
        courseDegrees: Double? = nil,
        uptimeMs: Double? = nil,
        wallMs: Double? = nil,
        isMock: Bool = false,
        batteryPercent: Int? = nil
    ) {
        self.seq = seq
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.speedMps = speedMps
        self.courseDegrees = courseDegrees
        self.uptimeMs = uptimeMs
        self.wallMs = wallMs
        self.isMock = isMock
        self.batteryPercent = batteryPercent
    }
}
