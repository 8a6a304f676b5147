/// A moment of the server's clock: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// A phone's clock never becomes an `Instant` without passing through ``DeviceClock``.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: Int64

    /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `span` after `instant`.
    package static func + (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds + span.milliseconds)
    }

    /// The moment `span` before `instant`.
    package static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds - span.milliseconds)
    }

    /// The time from the second moment to the first; negative when the first is earlier.
    package static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(milliseconds: later.milliseconds - earlier.milliseconds)
    }

    /// Decodes the bare number of milliseconds.
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the bare number of milliseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Duration {
    /// The length in milliseconds, rounded to a `Double`. Never shrinks when the duration grows.
    ///
    /// `components` multiplies 128-bit numbers: some 190 instructions, three times for each report; this takes ten.
    package var inMilliseconds: Double {
        let whole = attoseconds
        let upper = Int64(truncatingIfNeeded: whole >> 64)
        return (Double(upper) * 0x1p64 + Double(UInt64(truncatingIfNeeded: whole))) * 1e-15
    }
}

/// A length of time with the resolution of the product: whole milliseconds, possibly negative.
///
/// `Duration` counts attoseconds in 128 bits; the rules compare times for every reported position, and everything
/// that is stored or sent is rounded to milliseconds anyway, so the domain uses this narrower type throughout.
package struct TimeSpan: Hashable, Comparable, Sendable, Codable, AdditiveArithmetic {
    package var milliseconds: Int64

    /// A length of the given number of milliseconds.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The zero length.
    package static var zero: TimeSpan { TimeSpan(milliseconds: 0) }

    /// A length of whole milliseconds.
    package static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }

    /// A length in seconds, rounded to the nearest millisecond.
    ///
    /// - Parameter count: seconds; must be finite and within ± 9·10¹⁵.
    package static func seconds(_ count: Double) -> TimeSpan {
        TimeSpan(milliseconds: Int64((count * 1_000).rounded()))
    }

    /// A length of whole minutes.
    package static func minutes(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 60_000) }

    /// A length of whole hours.
    package static func hours(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 3_600_000) }

    /// A length of whole days of 24 hours.
    package static func days(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 86_400_000) }

    /// The length in seconds.
    package var seconds: Double { Double(milliseconds) / 1_000 }

    /// Whole seconds, rounded towards the past, so that half a second early is −1 and half a second late 0.
    package var wholeSeconds: Int {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return Int(remainder < 0 ? quotient - 1 : quotient)
    }

    /// The length as the standard library's `Duration`.
    package var duration: Duration { .milliseconds(milliseconds) }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.milliseconds < right.milliseconds }

    /// The sum of two lengths.
    package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds + right.milliseconds)
    }

    package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds - right.milliseconds)
    }

    /// The same length with the other sign.
    package static prefix func - (span: TimeSpan) -> TimeSpan { TimeSpan(milliseconds: -span.milliseconds) }

    /// Decodes the bare number of milliseconds.
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the bare number of milliseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
