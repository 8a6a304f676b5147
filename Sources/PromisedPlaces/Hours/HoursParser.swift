/// Reads the rules of an opening hours text.
///
/// A text with one unreadable part is unreadable as a whole.
struct HoursParser {
    private var scanner: HoursScanner
    /// Where the times of the last rule end; nil if it has none.
    private var endOfTimes: Int?

    private init(_ text: String) {
        scanner = HoursScanner(text)
    }

    /// The rules of a text in their order; nil if the text is unreadable.
    static func rules(of text: String) -> [HoursRule]? {
        var parser = HoursParser(text)
        return try? parser.readRules()  // The only error says that the text is unreadable, as nil does.
    }

    private mutating func readRules() throws(UnreadableHours) -> [HoursRule] {
        scanner.skipBlanks()
        var rules = [try readRule(joint: .replacing)]
        while let joint = try readJoint() {
            guard rules.count < HoursRules.maximum else { throw UnreadableHours() }
            rules.append(try readRule(joint: joint))
        }
        guard scanner.isAtEnd else { throw UnreadableHours() }
        return rules
    }

    /// The separator before the next rule; nil at the end.
    private mutating func readJoint() throws(UnreadableHours) -> HoursRule.Joint? {
        scanner.skipBlanks()
        if scanner.accept(";") {
            scanner.skipBlanks()
            return .replacing
        }
        if scanner.accept("||") {
            scanner.skipBlanks()
            return .fallback
        }
        let isBehindTimes = scanner.position == endOfTimes
        guard scanner.accept(",") else { return nil }
        // After a day, a comma without a blank continues a list, but no list item follows here.
        guard scanner.isAtBlank || isBehindTimes else { throw UnreadableHours() }
        scanner.skipBlanks()
        return .additional
    }

    private mutating func readRule(joint: HoursRule.Joint) throws(UnreadableHours) -> HoursRule {
        let start = scanner.position
        if scanner.accept("24/7") {
            return try finishRule(joint: joint, usual: .open, days: DaySelector(), spans: [.wholeDay])
        }
        var reader = DaysReader(scanner: scanner)
        let days = try reader.readDays()
        scanner = reader.scanner
        let spans = try readTimes()
        endOfTimes = spans.isEmpty ? nil : scanner.position
        let rule = try finishRule(
            joint: joint,
            usual: spans.isEmpty ? .thatDay : .open,
            days: days,
            spans: spans.isEmpty ? [.wholeDay] : spans
        )
        guard scanner.position > start else { throw UnreadableHours() }
        return rule
    }

    /// Reads the modifier and the comment of a rule. Without a modifier its state is `usual`.
    private mutating func finishRule(
        joint: HoursRule.Joint,
        usual: OpeningState,
        days: DaySelector,
        spans: [HoursSpan]
    ) throws(UnreadableHours) -> HoursRule {
        let state = try readModifier(usual: usual)
        let hasComment = scanner.acceptComment()
        let explainsClosing = hasComment && state == .closed
        return HoursRule(joint: joint, state: state, days: days, spans: spans, explainsClosing: explainsClosing)
    }

    // MARK: - Times

    private mutating func readTimes() throws(UnreadableHours) -> [HoursSpan] {
        guard scanner.isAtTime else { return [] }
        var spans = [try readSpan()]
        while true {
            let end = scanner.position
            guard scanner.acceptBetweenBlanks(","), scanner.isAtTime else {
                scanner.position = end
                return spans
            }
            spans.append(try readSpan())
        }
    }

    private mutating func readSpan() throws(UnreadableHours) -> HoursSpan {
        let from = try readTime(upTo: 23 * 60 + 59)
        if scanner.accept("+") { return HoursSpan(from: from, to: HoursSpan.wholeDay.to) }
        guard scanner.acceptBetweenBlanks("-") else { throw UnreadableHours() }
        let to = try readTime(upTo: 26 * 60)
        // Without a later end the span ends at that time of the next day.
        return HoursSpan(from: from, to: to > from ? to : to + HoursSpan.wholeDay.to)
    }

    private mutating func readTime(upTo latest: Int) throws(UnreadableHours) -> UInt16 {
        guard scanner.isAtTime, let hour = scanner.readNumber(digits: 1...2), scanner.accept(":"),
            let minute = scanner.readNumber(digits: 2...2), minute < 60, hour * 60 + minute <= latest
        else { throw UnreadableHours() }
        return UInt16(hour * 60 + minute)
    }

    // MARK: - Modifiers

    private mutating func readModifier(usual: OpeningState) throws(UnreadableHours) -> OpeningState {
        scanner.skipBlanks()
        let word = scanner.readWord()
        if !word.isEmpty { scanner.skipBlanks() }
        switch word {
        case "", "open": return usual
        case "closed", "off": return .closed
        case "unknown": return .unknown
        default: throw UnreadableHours()
        }
    }
}
