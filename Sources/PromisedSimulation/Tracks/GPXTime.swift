import Foundation
import PromisedDomain

/// Times as GPX files write them: ISO 8601, with or without fractions of a second; UTC where no zone is named.
enum GPXTime {
    /// The instant that `text` names, to the nearest millisecond; nil when it names none.
    static func instant(_ text: String) -> Instant? {
        let zoned = hasZone(text) ? text : text + "Z"
        let style = Date.ISO8601FormatStyle()
        guard
            let date = (try? style.parse(zoned))
                ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(zoned))
        else { return nil }
        return Instant(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    /// Whether the part after the date ends with `Z` or an offset.
    private static func hasZone(_ text: String) -> Bool {
        guard let start = text.firstIndex(of: "T") else { return true }
        return text[start...].contains { "Zz+-".contains($0) }
    }
}
