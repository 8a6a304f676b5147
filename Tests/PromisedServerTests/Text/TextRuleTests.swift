import PromisedDomain
import PromisedServer
import Testing

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

    @Test(arguments: [
        // White space and line breaks at the ends go.
        (" ab ", "ab"), ("\n\tab\r\n", "ab"), ("\u{3000}ab\u{A0}", "ab"), ("a b", "a b"),
        (" a~", "a~"), ("a~ ", "a~"),
        // Decomposed letters are composed: two code points, one character.
        ("e\u{301}e\u{301}", "\u{E9}\u{E9}"), ("\u{1112}\u{1161}\u{11AB}글", "한글"),
        // Lengths count grapheme clusters.
        ("👨‍👩‍👧‍👦👍🏽", "👨‍👩‍👧‍👦👍🏽"), ("नमस्ते", "नमस्ते"),
        // Joiners and marks of direction stay.
        ("می\u{200C}رو", "می\u{200C}رو"), ("א\u{200F}ב", "א\u{200F}ב"),
    ])
    func `accepted texts are composed and trimmed`(text: String, clean: String) throws {
        let result = try Self.rule.clean(text)
        #expect(Array(result.unicodeScalars) == Array(clean.unicodeScalars))
    }

    @Test func `lengths hold at one below, at and one above`() {
        #expect(reason("a") == .tooShort(minimum: 2))
        #expect(reason("ab") == nil)
        #expect(reason("abcde") == nil)
        #expect(reason("abcdef") == .tooLong(maximum: 5))
        #expect(reason("👍🏽👍🏽👍🏽👍🏽👍🏽") == nil)
        #expect(reason("👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽") == .tooLong(maximum: 5))
    }

    @Test(arguments: ["", " ", "\n\t ", "\u{3000}", "\u{200B}\u{200D}", "\u{3164}\u{115F}", "\u{200E} \u{200F}"])
    func `a text with nothing to see is empty`(text: String) throws {
        #expect(reason(text) == .empty)
        #expect(try TextRule.note.clean(text).isEmpty)
    }

    @Test(arguments: [
        "a\u{0}b", "a\u{7}b", "a\nb", "a\tb", "a\u{7F}b", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{1B}[31mb",
        "a\u{202E}b", "a\u{202A}b", "a\u{2066}b", "a\u{2069}b", "a\u{FEFF}b",
    ])
    func `characters that break lines or turn them round are refused`(text: String) {
        #expect(reason(text) == .forbiddenCharacter)
    }

    @Test(arguments: [0xFDD0, 0xFFFE, 0xFFFF, 0x1_FFFF, 0x10_FFFF] as [UInt32])
    func `noncharacters are refused`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(reason("a\(Character(scalar))b") == .forbiddenCharacter)
    }

    @Test func `a character may have 32 code points and no more`() {
        #expect(reason("ab" + String(repeating: "\u{335}", count: 31)) == nil)
        #expect(reason("ab" + String(repeating: "\u{335}", count: 32)) == .overloadedCharacter)
    }

    struct Field: Sendable, CustomTestStringConvertible {
        let rule: TextRule
        let maximum: Int
        let mayBeEmpty: Bool
        var testDescription: String { rule.field }
    }

    @Test(arguments: [
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
    ])
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
    func `an emoji is one character however many code points it has`(emoji: String) throws {
        #expect(try TextRule.emoji.clean(emoji) == emoji)
    }

    @Test func `a problem becomes a refusal that names the field`() {
        let problem = TextProblem(field: "title", reason: .tooLong(maximum: 60))
        #expect(problem.refusal == .invalid(field: "title"))
        #expect(problem.description == "title has more than 60 characters")
    }
}
