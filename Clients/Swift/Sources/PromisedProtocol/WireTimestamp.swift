public import SwiftProtobuf

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An instant on the wire.
public typealias WireTimestamp = Google_Protobuf_Timestamp

extension Google_Protobuf_Timestamp {
    /// The first second of the year 1 and the last of 9999: the range of RFC 3339.
    @inlinable public static var secondsRange: ClosedRange<Int64> { -62_135_596_800...253_402_300_799 }

    /// `true` if RFC 3339 can represent it: in the years 1 to 9999, with nanoseconds within a second.
    public var isWritable: Bool { Self.secondsRange.contains(seconds) && (0..<1_000_000_000).contains(nanos) }

    /// The timestamp of a phone's clock reading in milliseconds since 1970-01-01T00:00:00Z, rounded to whole ones; nil
    /// outside the years 1 to 9999.
    public init?(readingMs: Double) {
        let range = Self.secondsRange
        guard readingMs >= Double(range.lowerBound) * 1_000, readingMs < Double(range.upperBound) * 1_000 else {
            return nil
        }
        let milliseconds = Int64(readingMs.rounded())
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let isNegative = remainder < 0
        self.init(
            seconds: isNegative ? quotient - 1 : quotient,
            nanos: Int32(isNegative ? remainder + 1_000 : remainder) * 1_000_000
        )
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, rounded to whole ones, as a phone's clock reading.
    ///
    /// Any timestamp has one, including those of Protocol Buffers beyond RFC 3339: the server judges readings.
    public var readingMs: Double { Self.readingMs(seconds: seconds, nanos: nanos) }

    /// The clock reading of a timestamp with these fields.
    @inlinable public static func readingMs(seconds: Int64, nanos: Int32) -> Double {
        (Double(seconds) * 1_000 + Double(nanos) / 1_000_000 + 0.5).rounded(.down)
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, clamped to the years 1 to 9999.
    ///
    /// Safe for arithmetic with any timestamp from another computer.
    public var clampedMilliseconds: Int64 {
        let range = Self.secondsRange
        return Int64(min(max(readingMs, Double(range.lowerBound) * 1_000), Double(range.upperBound) * 1_000 + 999))
    }
}

extension Google_Protobuf_Timestamp {
    /// A timestamp of whole milliseconds, clamped to the years 1 to 9999.
    public init(_ date: Date) {
        let range = Self.secondsRange
        let seconds = min(max(date.timeIntervalSince1970, Double(range.lowerBound)), Double(range.upperBound))
        self = Self(readingMs: seconds * 1_000) ?? Self(seconds: range.upperBound)
    }
}

extension Date {
    /// The date of a timestamp, rounded to whole milliseconds.
    public init(_ timestamp: WireTimestamp) { self.init(timeIntervalSince1970: timestamp.readingMs / 1_000) }
}
