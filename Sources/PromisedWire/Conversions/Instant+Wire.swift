public import PromisedDomain
public import PromisedProtocol
public import SwiftProtobuf

extension WireTimestamp {
    /// A timestamp of whole milliseconds. Instants outside the years 1 to 9999 become the first or the last second.
    public init(_ instant: Instant) {
        let (seconds, nanos) = Self.secondsAndNanos(of: instant)
        self.init(seconds: seconds, nanos: nanos)
    }

    /// The fields of the timestamp of an instant, those outside the years 1 to 9999 as above.
    static func secondsAndNanos(of instant: Instant) -> (seconds: Int64, nanos: Int32) {
        let (quotient, remainder) = instant.milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let isNegative = remainder < 0
        let seconds = isNegative ? quotient - 1 : quotient
        let range = Self.secondsRange
        return (
            min(max(seconds, range.lowerBound), range.upperBound),
            range.contains(seconds) ? Int32(isNegative ? remainder + 1_000 : remainder) * 1_000_000 : 0
        )
    }
}

extension Instant {
    /// The instant of a timestamp, rounded to the nearest millisecond.
    ///
    /// - Parameter field: the JSON path of the field it stands in.
    /// - Throws: ``WireError/invalid(field:)`` outside the years 1 to 9999, and for nanoseconds outside a second.
    public init(wire timestamp: WireTimestamp, field: String) throws(WireError) {
        guard WireTimestamp.secondsRange.contains(timestamp.seconds), (0..<1_000_000_000).contains(timestamp.nanos)
        else {
            throw .invalid(field: field)
        }
        self.init(milliseconds: timestamp.seconds * 1_000 + (Int64(timestamp.nanos) + 500_000) / 1_000_000)
    }
}

extension TimeSpan {
    /// Milliseconds as the wire counts them; negative spans are 0, those beyond 49 days as much as fits.
    public var wireMs: UInt32 { UInt32(clamping: milliseconds) }

    /// How long to wait, where 0 would mean something else: at least 1 for any span, 0 for none.
    static func wireMs(_ span: TimeSpan?) -> UInt32 { span.map { max(1, $0.wireMs) } ?? 0 }
}
