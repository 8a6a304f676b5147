public import SwiftProtobuf

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Google_Protobuf_Timestamp {
    /// A timestamp of whole milliseconds. Dates outside the years 1 to 9999 become the first or the last second.
    public init(_ date: Date) {
        let range = Self.secondsRange
        let seconds = min(max(date.timeIntervalSince1970, Double(range.lowerBound)), Double(range.upperBound))
        self = Self(readingMs: seconds * 1_000) ?? Self(seconds: range.upperBound)
    }
}

extension Date {
    /// The date of a timestamp, rounded to whole milliseconds.
    public init(_ timestamp: WireTimestamp) {
        self.init(timeIntervalSince1970: timestamp.readingMs / 1_000)
    }
}
