import Foundation

/// Normalises output: replaces a text that differs between runs by one of the same width.
struct Normaliser {
    private static let patterns: [(pattern: String, replacement: String)] = [
        (#"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ"#, "2000-01-01 00:00:00Z"),
        (#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"#, "2000-01-01T00:00:00Z"),
        (#"\d\d:\d\d:\d\d(?!Z)"#, "00:00:00"),
        (#"(?<=[ (])-\d+:\d\d\b"#, "-0:00"),
        (#""seq":\d+"#, "\"seq\":1"),
        (#"(last event: +)\d+"#, "$1…"),
        (#""connectionId":"[.\d]+""#, "\"connectionId\":\"0.0.1\""),
        (#"(?m)^\d+\.\d+\.\d+ +127\.0\.0\.1 "#, "0.0.1       127.0.0.1 "),
        (#""(tookMs|uptimeMs|answerMs|handshakeMs|nextReportMs)":[-+.e\d]+"#, "\"$1\":0"),
        (#""(secondsFromMeeting|databaseBytes|memoryBytes|bytes)":[-+.e\d]+"#, "\"$1\":0"),
        (#""([a-zA-Z]+PerSecond|commit[A-Za-z0-9]+)":[-+.e\d]+"#, "\"$1\":0"),
        (#"((?:uptime|database|memory|requests/s|reports/s|deliveries/s|commit): +).*"#, "$1…"),
        (#"handshake \d.* ms, answer .* ms"#, "handshake TIME, answer TIME"),
        // The column beside that time is as wide as the time.
        (#" +(WHAT TO DO|use the server's)"#, "  $1"),
        (#"promised_admin_[A-Za-z0-9_-]+"#, "promised_admin_SECRET"),
        (#"\d+(\.\d)? (B|KiB|MiB) in .*, with"#, "SIZE in TIME, with"),
        (#"no violations found in .*"#, "no violations found in TIME"),
        (#"127\.0\.0\.1:\d+"#, "127.0.0.1:PORT"),
        // The wording of this machine's resolver.
        (#"(Cannot find the host [^ ]+: )[^.]+"#, "$1REASON"),
    ]

    /// Ids in order of first occurrence.
    private var ids: [String: Int] = [:]

    /// The text with numbered ids, and with times and measures replaced by constants.
    mutating func normalise(_ text: String) -> String {
        var text = text
        for id in Self.matches(of: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", in: text) {
            let number = ids[id] ?? ids.count + 1
            ids[id] = number
            let digits = String(number)
            let filled = String(repeating: "0", count: 12 - digits.count) + digits
            text = text.replacingOccurrences(of: id, with: "00000000-0000-0000-0000-\(filled)")
        }
        return Self.patterns.reduce(text) { text, rule in
            text.replacingOccurrences(of: rule.pattern, with: rule.replacement, options: .regularExpression)
        }
    }

    private static func matches(of pattern: String, in text: String) -> [String] {
        var found: [String] = []
        var rest = text.startIndex..<text.endIndex
        while let range = text.range(of: pattern, options: .regularExpression, range: rest) {
            found.append(String(text[range]))
            rest = range.upperBound..<text.endIndex
        }
        return found
    }
}
