import PromisedDomain
import PromisedServer

/// Replaces changing values by stable words: ids, tokens and codes are numbered in the order in which they appear,
/// instants are relative to the meeting time.
struct Placeholders {
    private let meetsAt: Instant
    private var words: [String: String] = [:]
    private var counts: [String: Int] = [:]

    private static let secrets: Set = [
        "accessToken", "refreshToken", "token", "epoch", "connectionId", "inviteCode", "checkInCode",
    ]

    init(meetsAt: Instant) { self.meetsAt = meetsAt }

    /// Replaces a value from now on, at any position.
    mutating func keep(_ value: String, as kind: String) {
        if words[value] == nil { words[value] = next(kind) }
    }

    /// The text of a frame in JSON, its values replaced.
    mutating func replace(in json: String) -> String {
        var output = ""
        var key = ""
        var rest = json[...]
        while let quote = rest.firstIndex(of: "\"") {
            output += rest[..<quote]
            let string = Placeholders.string(rest[rest.index(after: quote)...])
            rest = rest[string.endIndex...].dropFirst()
            if rest.first == ":" {
                key = String(string)
                output += "\"\(key)\""
                if key == "nextReportMs" { rest = Placeholders.withoutNumber(rest) }
                if key == "nextReportMs" { output += ":\"<slot>\"" }
            } else {
                output += "\"\(word(for: String(string), under: key))\""
            }
        }
        return output + rest
    }

    // MARK: - Parts

    private mutating func word(for value: String, under key: String) -> String {
        if let word = words[value] { return word }
        if let instant = Instant(rfc3339: value) { return time(instant) }
        guard PromiseID(value) != nil || Placeholders.secrets.contains(key) else { return value }
        let word = next(Placeholders.kind(of: key))
        words[value] = word
        return word
    }

    private func time(_ instant: Instant) -> String {
        let milliseconds = (instant - meetsAt).milliseconds
        let sign = milliseconds < 0 ? "-" : "+"
        let (seconds, fraction) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let decimals = fraction == 0 ? "" : "." + String(1_000 + fraction).dropFirst()
        return "<T\(sign)\(seconds)\(decimals)s>"
    }

    private mutating func next(_ kind: String) -> String {
        counts[kind, default: 0] += 1
        return "<\(kind)-\(counts[kind, default: 0])>"
    }

    private static func kind(of key: String) -> String {
        switch key {
        case "userId", "ownerId", "from", "userIds", "inviteeIds", "invite", "remove": "user"
        case "promiseId": "promise"
        case "connectionId": "connection"
        case "accessToken", "token": "access-token"
        case "refreshToken": "refresh-token"
        default: key
        }
    }

    /// A string of JSON up to its closing quote.
    private static func string(_ text: Substring) -> Substring {
        var isEscaped = false
        let end = text.firstIndex { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            return character == "\"" && !isEscaped
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// The text behind a colon and a number.
    private static func withoutNumber(_ text: Substring) -> Substring {
        text.dropFirst().drop { $0.isNumber || $0 == "." }
    }
}
