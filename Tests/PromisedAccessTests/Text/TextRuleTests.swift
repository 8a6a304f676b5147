import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct TextRuleTests {
    private static let rule = TextRule(field: "title", length: 2...5)

    private func reason(_ text: String, _ rule: TextRule = rule) -> TextProblem.Reason? {
        do throws(TextProblem) {
            _ = try rule.clean(text)
            return nil
        } catch {
            #expect(error.field == rule.field)
            return error.reason
        }
    }

    @Test(
        .proves("10.1"),
        arguments: [
            // Removes white space and line breaks at the ends.
            (" ab ", "ab"), ("\n\tab\r\n", "ab"), ("\u{3000}ab\u{A0}", "ab"), ("a b", "a b"),
            (" a~", "a~"), ("a~ ", "a~"),
            // Decomposed letters are composed: two code points, one character.
            ("e\u{301}e\u{301}", "\u{E9}\u{E9}"), ("\u{1112}\u{1161}\u{11AB}글", "한글"),
            // Lengths count grapheme clusters.
            ("👨‍👩‍👧‍👦👍🏽", "👨‍👩‍👧‍👦👍🏽"), ("नमस्ते", "नमस्ते"),
            // Keeps joiners and marks of direction.
            ("می\u{200C}رو", "می\u{200C}رو"), ("א\u{200F}ב", "א\u{200F}ב"),
        ]
    )
    func `composes and trims accepted texts`(text: String, clean: String) throws {
        let result = try Self.rule.clean(text)
        #expect(Array(result.unicodeScalars) == Array(clean.unicodeScalars))
    }

    @Test(.proves("10.1")) func `checks lengths one below, at and one above each limit`() {
        #expect(reason("a") == .tooShort(minimum: 2))
        #expect(reason("ab") == nil)
        #expect(reason("abcde") == nil)
        #expect(reason("abcdef") == .tooLong(maximum: 5))
        #expect(reason("👍🏽👍🏽👍🏽👍🏽👍🏽") == nil)
        #expect(reason("👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽") == .tooLong(maximum: 5))
    }

    @Test(
        .proves("10.1"),
        arguments: ["", " ", "\n\t ", "\u{3000}", "\u{200B}\u{200D}", "\u{3164}\u{115F}", "\u{200E} \u{200F}"]
    )
    func `treats a text without visible characters as empty`(text: String) throws {
        #expect(reason(text) == .empty)
        #expect(try TextRule.note.clean(text).isEmpty)
    }

    @Test(
        .proves("10.1"),
        arguments: [
            "a\u{0}b", "a\u{7}b", "a\nb", "a\tb", "a\u{7F}b", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{1B}[31mb",
            "a\u{202E}b", "a\u{202A}b", "a\u{2066}b", "a\u{2069}b", "a\u{FEFF}b",
        ]
    )
    func `rejects characters that break lines or change their direction`(text: String) {
        #expect(reason(text) == .forbiddenCharacter)
    }

    @Test(arguments: [0xFDD0, 0xFFFE, 0xFFFF, 0x1_FFFF, 0x10_FFFF] as [UInt32])
    func `rejects noncharacters`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(reason("a\(Character(scalar))b") == .forbiddenCharacter)
    }

    @Test(arguments: [
        ("one\r\ntwo\rthree\n\nfour", "one\ntwo\nthree\n\nfour"), ("\n memo \n", "memo"), ("\r\n", ""),
        ("카페\n좋다", "카페\n좋다"),
    ])
    func `a rule can allow line breaks, stored as LF`(text: String, clean: String) throws {
        let rule = TextRule(field: "memo", length: 0...2_000, allowsLineBreaks: true)
        #expect(try rule.clean(text) == clean)
        #expect(throws: TextProblem.self) { try rule.clean("a\u{2028}b") }
        #expect(throws: TextProblem.self) { try rule.clean("a\tb") }
    }

    @Test(.proves("10.1")) func `accepts characters of up to 32 code points`() {
        #expect(reason("ab" + String(repeating: "\u{335}", count: 31), .title) == nil)
        #expect(reason("ab" + String(repeating: "\u{335}", count: 32), .title) == .overloadedCharacter)
        // A character of two bytes, 62 times: the capacity of the field.
        #expect(reason("ab" + String(repeating: "\u{335}", count: 31)) == nil)
        #expect(reason("ab" + String(repeating: "\u{335}", count: 32)) == .tooManyBytes(maximum: 64))
    }

    @Test(.proves("10.1")) func `limits received texts to 16 bytes for each character, at least 64`() {
        // White space at the ends counts until it is trimmed.
        func padded(_ bytes: Int) -> String { "ab" + String(repeating: " ", count: bytes - 2) }
        let smallest = TextRule(field: "small", length: 1...4)
        for (rule, longest) in [(TextRule.title, 960), (.note, 8_000), (.emoji, 64), (smallest, 64), (Self.rule, 80)] {
            let short = rule == .emoji
            #expect(rule.longestSent == longest)
            #expect(reason(padded(longest - 1), rule) == (short ? .tooLong(maximum: 1) : nil))
            #expect(reason(padded(longest), rule) == (short ? .tooLong(maximum: 1) : nil))
            #expect(reason(padded(longest + 1), rule) == .tooManyBytes(maximum: longest))
            // Treats a text of only ASCII the same.
            #expect(reason(String(repeating: "x", count: longest + 1), rule) == .tooManyBytes(maximum: longest))
        }
    }

    @Test(.proves("10.1")) func `limits composed and trimmed texts to 8 bytes for each character, at least 64`() {
        // A character of eight bytes and one of seven, neither of which composition changes.
        let (eight, seven) = ("a\u{20D0}\u{335}\u{335}", "a\u{335}\u{335}\u{335}")
        let rule = TextRule(field: "title", length: 1...20)
        let most = String(repeating: eight, count: 19)
        #expect(rule.longestStored == 160)
        #expect(reason(most + seven, rule) == nil)
        #expect(reason(most + eight + "  ", rule) == nil)
        let tooMany = String(repeating: eight, count: 18) + seven + "\u{20D0}" + seven
        #expect(tooMany.utf8.count == 161 && tooMany.count == 20)
        #expect(reason(tooMany, rule) == .tooManyBytes(maximum: 160))
        #expect(TextRule.emoji.longestStored == 64)
        // Decomposed, it has more than its stored form.
        let decomposed = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 20)
        #expect(decomposed.utf8.count == 180 && reason(decomposed, rule) == nil)
    }

    /// Marks that a normal form reorders or checks, including those that sort as letters.
    @Test(
        .proves("10.1"),
        arguments: [
            ["\u{345}", "\u{334}"], ["\u{301}"], ["\u{F73}"], ["\u{F73}", "\u{345}"], ["\u{FF9E}", "\u{334}"],
            ["\u{344}"],
            ["\u{E0061}", "\u{345}"], ["\u{302E}", "\u{345}"],
        ]
    )
    func `rejects a text with more than 32 consecutive marks before composing it`(marks: [String]) {
        func text(_ count: Int) -> String { "a" + (0..<count).map { marks[$0 % marks.count] }.joined() + "a" }
        #expect(!TextWeight.hasManyMarks(text(31) + text(32)))
        #expect(TextWeight.hasManyMarks(text(33)))
        #expect(reason(text(33), .note) == .overloadedCharacter)
        // The maximum for the bytes.
        let many = text((TextRule.note.longestSent - 2) / (marks[0].utf8.count + 2))
        #expect(reason(many, .note) == .overloadedCharacter)
    }

    struct Field: Sendable, CustomTestStringConvertible {
        let rule: TextRule
        let maximum: Int
        let mayBeEmpty: Bool
        var testDescription: String { rule.field }
    }

    @Test(
        .proves("2.13", "4.1"),
        arguments: [
            Field(rule: .title, maximum: 60, mayBeEmpty: false),
            Field(rule: .note, maximum: 500, mayBeEmpty: true),
            Field(rule: .placeName, maximum: 100, mayBeEmpty: false),
            Field(rule: .placeAddress, maximum: 200, mayBeEmpty: true),
            Field(rule: .statusText, maximum: 80, mayBeEmpty: true),
            Field(rule: .emoji, maximum: 1, mayBeEmpty: true),
            Field(rule: .avatar, maximum: 64, mayBeEmpty: true),
            Field(rule: .deviceID, maximum: 64, mayBeEmpty: false),
            Field(rule: .bootID, maximum: 64, mayBeEmpty: false),
            Field(rule: .creationKey, maximum: 64, mayBeEmpty: false),
            Field(rule: .reason, maximum: 200, mayBeEmpty: true),
        ]
    )
    func `each field has its limit`(field: Field) {
        #expect(reason(String(repeating: "x", count: field.maximum), field.rule) == nil)
        #expect(
            reason(String(repeating: "x", count: field.maximum + 1), field.rule) == .tooLong(maximum: field.maximum)
        )
        #expect(reason(String(repeating: "é", count: field.maximum), field.rule) == nil)
        #expect(
            reason(String(repeating: "é", count: field.maximum + 1), field.rule) == .tooLong(maximum: field.maximum)
        )
        #expect(reason("", field.rule) == (field.mayBeEmpty ? nil : .empty))
    }

    @Test(arguments: ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏽‍❤️‍💋‍👨🏿", "1️⃣", "🇰🇷"])
    func `counts an emoji of several code points as one character`(emoji: String) throws {
        #expect(try TextRule.emoji.clean(emoji) == emoji)
    }

    @Test func `a problem becomes a refusal with the field's name`() {
        let problem = TextProblem(field: "title", reason: .tooLong(maximum: 60))
        #expect(problem.refusal == .invalid(field: "title"))
        #expect(problem.description == "title has more than 60 characters")
    }
}
