/// A phone's clocks as they stood when it sent something.
public struct ClockReadings: Hashable, Sendable {
    /// The monotonic clock in milliseconds, nil when not given.
    public var uptimeMs: Double?
    /// The wall clock in milliseconds since 1970, nil when not given.
    public var wallMs: Double?

    /// Readings; the number of either clock is finite and within ± ``limitMs``.
    public init(uptimeMs: Double? = nil, wallMs: Double? = nil) {
        self.uptimeMs = uptimeMs
        self.wallMs = wallMs
    }

    /// Clock readings beyond this (about the year 33 658) make no sense and could overflow the arithmetic.
    public static let limitMs = 1e15

    /// Whether a reading is a number that a clock could show.
    public static func isSensible(_ readingMs: Double) -> Bool { readingMs.isFinite && abs(readingMs) <= limitMs }
}

/// What a `syncClock` told about a device's clocks.
public struct ClockSync: Hashable, Sendable {
    /// The phone's clocks when it sent.
    public var readings: ClockReadings
    /// When the server received it.
    public var receivedAt: Instant

    /// Readings received at an instant.
    public init(readings: ClockReadings, receivedAt: Instant) {
        self.readings = readings
        self.receivedAt = receivedAt
    }
}
