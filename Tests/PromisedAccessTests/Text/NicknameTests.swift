import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct NicknameTests {
    @Test(
        .proves("2.1"),
        arguments: [
            "mina", "Mina_01", "__", "ab", "abcdefghijklmnopqrst", "지은", "Ωmega", "Дмитрий", "हिन्दी", "ไทยคำ", "٣٤",
            "Zoë", "Ünal", "ǅord", "李小龙",
        ]
    )
    func `accepts letters, digits and underscores of any script`(text: String) throws {
        #expect(try Nickname(text).text == text)
    }

    @Test(
        .proves("2.1"),
        arguments: [
            "a", "", "   ", "abcdefghijklmnopqrstu", "a b", "a-b", "a.b", "a@b", "<b>", "hi👋", "1️⃣2️⃣", "½½", "ⅣⅣ",
            "a\u{200D}b", "a\u{200C}b", "a\u{FE0F}b", "\u{3164}\u{3164}", "ab\u{20DD}", "\u{301}\u{301}", "a\u{202E}b",
            "a\u{E0041}b", "ab" + String(repeating: "\u{335}", count: 9),
        ]
    )
    func `rejects all others`(text: String) throws {
        let problem = try #require(throws: TextProblem.self) { try Nickname(text) }
        #expect(problem.field == "nickname")
    }

    @Test func `the shown form is composed and trimmed`() throws {
        #expect(Array(try Nickname(" Zoe\u{308} ").text.unicodeScalars) == Array("Zo\u{EB}".unicodeScalars))
    }

    @Test(
        .proves("2.2"),
        arguments: [
            ("Mina", "mINA"), ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("Zoë", "zoe\u{308}"), ("Ａｂｃ", "abc"),
            ("ﬁnn", "FINN"), ("İstanbul", "i̇stanbul"), ("ДМИТРИЙ", "дмитрий"),
        ]
    )
    func `keys ignore case and compatible forms`(one: String, other: String) {
        #expect(Nickname.key(for: one) == Nickname.key(for: other))
    }

    @Test(arguments: [("mina", "minna"), ("a_b", "ab"), ("zoe", "zoë"), ("mina", "minа")])
    func `different names have different keys`(one: String, other: String) {
        #expect(Nickname.key(for: one) != Nickname.key(for: other))
    }

    @Test func `a key of a key is the key`() {
        for text in ["Straße", "İstanbul", "ΣΊΣΥΦΟΣ", "Ａｂｃ", "ǅord", "ŉab", "ᾳx"] {
            #expect(Nickname.key(for: Nickname.key(for: text)) == Nickname.key(for: text))
        }
    }
}
