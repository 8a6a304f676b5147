/// A moment of the server's clock: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// A phone's clock never becomes an `Instant` without passing through ``DeviceClock``.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Earlier before later.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `span` after `instant`.
    public static func + (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds + span.milliseconds)
    }

    /// The moment `span` before `instant`.
    public static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds - span.milliseconds)
    }

    /// The time from the second moment to the first; negative when the first is earlier.
    public static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(milliseconds: later.milliseconds - earlier.milliseconds)
    }

    /// Decodes the bare number of milliseconds.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the bare number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
