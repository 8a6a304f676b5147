package import Foundation

/// One step from a column's text to the text of a field. Each result is cleaned; empty ones are dropped.
package enum MappingStep: Sendable {
    /// Splits a text at each separator; each part continues separately.
    case split(separator: String)
    /// The first match of a regular expression, formatted by the template; a text without a match is dropped.
    case pick(NSRegularExpression, template: String)
    /// The entry of a text, or else that of `*`; a text without either is dropped.
    case table([String: String])
    /// The opening hours of a market's cycle: see ``MarketCycle``. Other texts are dropped.
    case marketCycle
    /// Opening hours as Koreans write them (`평일 09:00~18:00`) in OpenStreetMap's syntax; other texts stay as they are.
    case koreanHours
    /// A link from a handle in a social network; other texts stay as they are. The network is that of `@name`.
    case handle(SocialNetwork)
    /// `yes` or `no`, from the words that open data uses; other texts are dropped.
    case yesNo

    /// A step that picks by a regular expression.
    ///
    /// - Parameter template: the result, with `$1` for the first group; nil: the first group, or all without groups.
    /// - Throws: ``FormatError/badOption(reason:)`` if the expression is invalid.
    package static func pick(_ pattern: String, as template: String? = nil) throws(FormatError) -> MappingStep {
        do {
            let expression = try NSRegularExpression(pattern: pattern)
            return .pick(expression, template: template ?? (expression.numberOfCaptureGroups > 0 ? "$1" : "$0"))
        } catch {
            throw .badOption(reason: "the regular expression \(pattern) is invalid")
        }
    }

    /// The resulting texts.
    func apply(to text: String) -> [String] {
        switch self {
        case .split(let separator): Self.parts(of: text, between: separator)
        case .pick(let expression, let template): Self.picked(from: text, by: expression, as: template)
        case .table(let entries): (entries[text] ?? entries["*"]).map { [$0] } ?? []
        case .marketCycle: MarketCycle(text).map { [$0.hours] } ?? []
        case .koreanHours: [KoreanHoursReader.hours(of: text)?.text ?? text]
        case .handle(let network): [SocialHandle.address(text, in: network) ?? text]
        case .yesNo: Self.answers[text.lowercased()].map { [$0] } ?? []
        }
    }

    /// By bytes: `components(separatedBy:)` takes ten times as long.
    private static func parts(of text: String, between separator: String) -> [String] {
        let mark = Array(separator.utf8)
        guard let first = mark.first else { return [text] }
        var parts: [String] = []
        var start = text.utf8.startIndex
        var next = start
        while let found = text.utf8[next...].firstIndex(of: first) {
            guard text.utf8[found...].starts(with: mark) else {
                next = text.utf8.index(after: found)
                continue
            }
            parts.append(String(decoding: text.utf8[start..<found], as: UTF8.self))
            start = text.utf8.index(found, offsetBy: mark.count)
            next = start
        }
        return parts + [String(decoding: text.utf8[start...], as: UTF8.self)]
    }

    private static func picked(from text: String, by expression: NSRegularExpression, as template: String) -> [String] {
        let whole = NSRange(location: 0, length: text.utf16.count)
        guard let match = expression.firstMatch(in: text, range: whole) else { return [] }
        return [expression.replacementString(for: match, in: text, offset: 0, template: template)]
    }

    private static let answers: [String: String] = [
        "y": "yes", "yes": "yes", "true": "yes", "1": "yes", "o": "yes", "t": "yes", "예": "yes", "유": "yes",
        "있음": "yes", "가능": "yes", "はい": "yes", "有": "yes",
        "n": "no", "no": "no", "false": "no", "0": "no", "x": "no", "f": "no", "아니오": "no", "무": "no",
        "없음": "no", "불가": "no", "불가능": "no", "いいえ": "no", "無": "no",
    ]
}

/// When a Korean market is held: daily (`매일`), or on days of the month that end in certain digits (`2일+7일`).
package enum MarketCycle: Hashable, Sendable {
    case daily
    /// The last digits of the days, as written; 0 for the 10th, 20th and 30th.
    case days([Int])

    /// The cycle of a text such as `매일`, `5일+10일` or `2, 7`; nil for any other.
    package init?(_ text: String) {
        if text == "매일" || text == "상설" {
            self = .daily
            return
        }
        var digits: [Int] = []
        for part in text.split(whereSeparator: { "+,·/".contains($0) }) {
            let trimmed = part.filter { $0 != " " }
            guard let day = Int(trimmed.hasSuffix("일") ? trimmed.dropLast() : trimmed[...]), (1...10).contains(day)
            else { return nil }
            digits.append(day % 10)
        }
        guard !digits.isEmpty, Set(digits).count == digits.count else { return nil }
        self = .days(digits)
    }

    /// The opening hours: a day without times, since the data has none.
    package var hours: String {
        switch self {
        case .daily: Self.everyDay
        case .days(let digits): Self.dayPrefix + digits.map(String.init).joined(separator: ",")
        }
    }

    /// Opening hours that mean every day, at unknown times.
    static let everyDay = "Mo-Su"
    /// The prefix of the opening hours of market days.
    static let dayPrefix = "day "
}
