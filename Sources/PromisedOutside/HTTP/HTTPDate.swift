import PromisedDomain

/// HTTP dates, in the one form allowed for senders (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The instant of a date; nil for anything else.
    static func instant(_ text: some StringProtocol) -> Instant? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].count == 4, words[0].hasSuffix(","), words[5] == "GMT" else { return nil }
        guard
            let day = number(words[1], digits: 2), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], digits: 4),
            let days = CivilDate(year: year, month: Int64(month + 1), day: day).daysSince1970
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return Instant(milliseconds: (days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000)
    }

    /// The time of a `Retry-After` header: seconds, or a date; nil for anything else. A past time is zero.
    static func retryAfter(_ text: String?, from now: Instant) -> TimeSpan? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(text).map { .milliseconds($0 * 1_000) }
        }
        return span(until: text, from: now)
    }

    /// The time from `now` to a date; nil for anything else. A past time is zero.
    static func span(until text: String?, from now: Instant) -> TimeSpan? {
        guard let text, let end = instant(text) else { return nil }
        return max(.zero, end - now)
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
