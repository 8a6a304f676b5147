import Testing

@testable import promisectl

@Suite("A table")
struct TableTests {
    private let table = Table(["TAG", .number("RANK"), "NOTE"], whenEmpty: "nobody", of: [0, 1]) { index in
        [["日本", "1", ""], ["ada", "10", Table.Cell("late", .warning)]][index]
    }

    @Test func `aligns its columns by visible width, without trailing spaces`() {
        #expect(table.text(.plain) == "TAG   RANK  NOTE\n日本     1\nada     10  late")
    }

    @Test func `paints cells without moving them`() {
        let lines = table.lines(Style(isColoured: true))
        #expect(lines.last == "ada     10  \u{1B}[33mlate\u{1B}[0m")
        #expect(lines.first == "\u{1B}[1mTAG\u{1B}[0m   \u{1B}[1mRANK\u{1B}[0m  \u{1B}[1mNOTE\u{1B}[0m")
    }

    @Test func `reports that it has no rows`() {
        #expect(Table(["TAG"], whenEmpty: "nobody", of: []) { (name: Table.Cell) in [name] }.text(.plain) == "nobody")
    }

    @Test func `lists fields below each other and omits empty ones`() {
        var fields = FieldList()
        fields.add("nickname", "ada")
        fields.add("e-mail", "")
        fields.add("id", "1")
        #expect(fields.text(.plain) == "nickname:  ada\nid:        1")
    }

    @Test(arguments: [
        (true, [String: String](), true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
        (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
    ])
    func `colours are for terminals that have them`(isTerminal: Bool, variables: [String: String], isColoured: Bool) {
        #expect(StubConsole(isTerminal: isTerminal, variables: variables).style.isColoured == isColoured)
    }
}
