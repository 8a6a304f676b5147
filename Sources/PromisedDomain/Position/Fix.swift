/// One position as a phone reported it, with the phone's own clocks.
public struct Fix: Hashable, Sendable {
    /// Strictly rising per device and boot.
    public var seq: UInt32
    /// The position.
    public var coordinate: Coordinate
    /// Horizontal accuracy in metres (68 %), nil when unknown.
    public var accuracyMetres: Double?
    /// Speed in metres per second, nil when unknown.
    public var speedMps: Double?
    /// Course in degrees clockwise from north, nil when unknown.
    public var courseDegrees: Double?
    /// The phone's monotonic clock at the fix, in milliseconds.
    public var uptimeMs: Double?
    /// The phone's wall clock at the fix, in milliseconds since 1970.
    public var wallMs: Double?
    /// `true` if the phone marks the position as simulated.
    public var isMock: Bool
    /// Battery charge, 0–100, nil when unknown.
    public var batteryPercent: Int?

    /// A fix with all its fields, unchecked.
    public init(
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
