import PromisedCommandLine
import PromisedTestMarks
import Testing

@testable import promisectl

@Suite("The width of text")
struct TextWidthTests {
    @Test(arguments: [
        ("ada", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ｆ", 2), ("ｱ", 1),
        // Emoji need two columns, also those of many scalars; text symbols need one unless they select the emoji.
        ("🎉", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("☺", 1), ("☺\u{FE0F}", 2),
        ("\u{200B}", 0),
    ])
    func `counts columns, not characters`(text: String, columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test(arguments: [
        ("ada", 3, "ada"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("ab", 1, "…"), ("ab", 0, ""),
    ])
    func `truncates lines that do not fit`(text: String, limit: Int, clipped: String) {
        #expect(TextWidth.clip(text, to: limit) == clipped)
        #expect(TextWidth.columns(of: TextWidth.clip(text, to: limit)) <= limit)
    }

    @Test(.defends("terminal-escapes")) func `text from other users cannot move the cursor`() {
        #expect("a\u{1B}[2Jb\nc\u{202E}d\u{9B}".printable == "a\u{FFFD}[2Jb c\u{FFFD}d\u{FFFD}")
    }
}
