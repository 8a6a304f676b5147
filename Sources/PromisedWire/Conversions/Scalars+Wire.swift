package import PromisedDomain
package import PromisedProtocol
package import SwiftProtobuf

extension ID {
    /// An id as given in a request: a UUID's 36 characters in either case.
    ///
    /// - Parameter field: the JSON path of its field.
    /// - Throws: ``WireError/invalid(field:)`` for anything else.
    package init(wire text: String, field: String) throws(WireError) {
        guard let id = ID(text) else { throw .invalid(field: field) }
        self = id
    }

    /// Ids as listed in a request, in order and with repetitions.
    ///
    /// - Parameter field: the JSON path of the list; the error names the element, such as `inviteeIds[3]`.
    /// - Throws: ``WireError/invalid(field:)`` for the first invalid one.
    package static func list(wire texts: [String], field: String) throws(WireError) -> [ID] {
        var ids: [ID] = []
        ids.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() { ids.append(try ID(wire: text, field: "\(field)[\(index)]")) }
        return ids
    }

    /// 36 characters, lower case.
    package var wireText: String { description }
}

extension WireTimestamp {
    /// A timestamp in whole milliseconds. Instants outside the years 1 to 9999 are clamped to the first or last second.
    package init(_ instant: Instant) {
        let (seconds, nanos) = Self.secondsAndNanos(of: instant)
        self.init(seconds: seconds, nanos: nanos)
    }

    /// The fields of the timestamp of an instant, clamped as above.
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
    /// - Parameter field: the JSON path of its field.
    /// - Throws: ``WireError/invalid(field:)`` outside the years 1 to 9999, and for nanoseconds outside a second.
    package init(wire timestamp: WireTimestamp, field: String) throws(WireError) {
        guard WireTimestamp.secondsRange.contains(timestamp.seconds), (0..<1_000_000_000).contains(timestamp.nanos)
        else {
            throw .invalid(field: field)
        }
        self.init(milliseconds: timestamp.seconds * 1_000 + (Int64(timestamp.nanos) + 500_000) / 1_000_000)
    }
}

extension TimeSpan {
    /// In milliseconds; negative spans are 0, those beyond 49 days are clamped.
    package var wireMs: UInt32 { UInt32(clamping: milliseconds) }

    /// A waiting time in a field where 0 has another meaning: at least 1 for any span, 0 for nil.
    static func wireMs(_ span: TimeSpan?) -> UInt32 { span.map { max(1, $0.wireMs) } ?? 0 }
}

extension String {
    /// The text for a frame, truncated to the most bytes that `characters` characters may have: 8 per character and at
    /// least 64.
    ///
    /// The server validates texts on receipt, so they are never truncated here; an earlier version may have stored
    /// longer ones, and the size of a frame must not depend on that.
    package func bounded(characters: Int) -> String {
        let most = max(64, 8 * characters)
        guard utf8.count > most else { return self }
        var bytes = 0
        let kept = unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= most
        }
        return String(kept)
    }
}
