import PromisedProtocol

@testable import PromisedAccess

/// What the server takes in a field of a request, beyond what the field's type says.
struct FieldRule {
    /// Keywords of JSON Schema for the field's value, such as `minimum`.
    var keywords: YAMLNode = [:]
    /// The same for each element of a list.
    var elements: YAMLNode = [:]
    /// What no keyword says: sentences for the description.
    var note = ""
    /// Whether a message without the field is refused: what it stands for then is out of range.
    var isRequired = false

    /// Whatever the type allows.
    static func any(_ note: String = "") -> FieldRule { FieldRule(note: note) }

    /// A text as a rule of the server's describes it: characters as people count them, and bytes of UTF-8.
    static func text(_ rule: TextRule, _ note: String = "") -> FieldRule {
        text(rule.length, note).holding(bytes: rule.longestSent, stored: rule.longestStored)
    }

    /// A text whose length is limited in bytes of UTF-8, which limits its characters to the same number.
    ///
    /// - Parameter code: what a longer one is refused with, where that is not `request.invalid`.
    static func bytes(_ longest: Int, beyond code: ErrorCode? = nil, _ note: String = "") -> FieldRule {
        var rule = FieldRule(keywords: ["maxLength": .number(Double(longest))], note: note).holding(bytes: longest)
        if let code { rule.keywords = rule.keywords.adding(["x-beyond": .text(code.rawValue)]) }
        return rule
    }

    /// The same with bounds on the bytes of UTF-8, as they come and as they are stored.
    func holding(bytes: Int, stored: Int? = nil) -> FieldRule {
        var rule = self
        rule.keywords = keywords.adding(["x-max-bytes": .number(Double(bytes))])
        if let stored { rule.keywords = rule.keywords.adding(["x-max-stored-bytes": .number(Double(stored))]) }
        return rule
    }

    /// A text of so many characters as people count them.
    static func text(_ length: ClosedRange<Int>, _ note: String = "") -> FieldRule {
        FieldRule(
            keywords: least("minLength", length.lowerBound).adding(["maxLength": .number(Double(length.upperBound))]),
            note: note,
            isRequired: length.lowerBound > 0
        )
    }

    /// A number between two others, both included.
    static func number(_ range: ClosedRange<Double>, _ note: String = "") -> FieldRule {
        FieldRule(
            keywords: ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
            note: note,
            isRequired: !range.contains(0)
        )
    }

    /// A whole number between two others, both included.
    static func integer(_ range: ClosedRange<Int>, _ note: String = "") -> FieldRule {
        number(Double(range.lowerBound)...Double(range.upperBound), note)
    }

    /// A number that is 1 or more.
    static func positive(_ note: String) -> FieldRule { FieldRule(keywords: ["minimum": 1], note: note) }

    /// A list of so many elements.
    static func list(_ count: ClosedRange<Int>, of elements: FieldRule = any(), _ note: String = "") -> FieldRule {
        FieldRule(
            keywords: least("minItems", count.lowerBound).adding(["maxItems": .number(Double(count.upperBound))]),
            elements: elements.keywords,
            note: note,
            isRequired: count.lowerBound > 0
        )
    }

    /// A list of any length.
    static func list(of elements: FieldRule, _ note: String = "") -> FieldRule {
        FieldRule(elements: elements.keywords, note: note)
    }

    /// The text of an id, in either case.
    static let id = FieldRule(keywords: ["format": "uuid", "minLength": 36, "maxLength": 36], isRequired: true)

    private static func least(_ keyword: String, _ count: Int) -> YAMLNode {
        count == 0 ? [:] : .map([(keyword, .number(Double(count)))])
    }
}
