import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct JSONSplitterTests {
    private typealias Element = JSONSplitter.Element

    private static func elements(
        of chunks: [[UInt8]],
        at path: [String] = [],
        longest: Int = .max
    ) throws(FormatError) -> [Element] {
        var splitter = JSONSplitter(path: path, longest: longest)
        var elements: [Element] = []
        for chunk in chunks { try splitter.read(chunk, into: &elements) }
        try splitter.finish()
        return elements
    }

    private static func texts(_ text: String, at path: [String] = []) throws -> [String] {
        try elements(of: [Array(text.utf8)], at: path).map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("[]", "", []), (" [ ] ", "", []), ("[1]", "", ["1"]), ("[ 1 , 2.5,\ntrue ]", "", ["1", "2.5", "true"]),
            (#"[{"a":"]}\""},[1,[2]],"x,y"]"#, "", [#"{"a":"]}\""}"#, "[1,[2]]", #""x,y""#]),
            (#"{"rows":[1,2]}"#, "rows", ["1", "2"]),
            (#"{"x":{"rows":[9]},"y":[8],"z":"}","n":-1,"a":{"c":0,"rows":[1]},"rows":[2]}"#, "a.rows", ["1"]),
            (#"{"r\u006fws":[1]}"#, "rows", ["1"]), (#"{ "a" : { } , "rows" : [ 3 ] } and more"#, "rows", ["3"]),
        ] as [(String, String, [String])]
    )
    func `returns the elements of the array unchanged`(text: String, path: String, elements: [String]) throws {
        #expect(try Self.texts(text, at: path.split(separator: ".").map(String.init)) == elements)
    }

    @Test func `an element has the line of its start`() throws {
        let text = "{\"a\":\n[\n{\n\"b\":1},\n\n{}]}"
        #expect(try Self.elements(of: [Array(text.utf8)], at: ["a"]).map(\.line) == [3, 6])
    }

    @Test(arguments: [
        ("", "", 1), ("{}", "", 1), ("\n5", "", 2), ("[1\n2]", "", 2), ("[1,\n]", "", 2), ("[1,,2]", "", 1),
        ("{}", "a", 1), (#"{"b":1}"#, "a", 1), ("{\"a\":\n{}}", "a", 2), ("[]", "a", 1), ("{\"b\":\n,", "a", 2),
        ("{\n1:2}", "a", 2), ("{\"b\":1,\n}", "a", 2), ("{\"b\" 1}", "a", 1),
    ])
    func `rejects a document without the array with its line`(text: String, path: String, line: Int) {
        let names = path.split(separator: ".").map(String.init)
        let error = #expect(throws: FormatError.self) { try Self.elements(of: [Array(text.utf8)], at: names) }
        guard case .malformed(line, _) = error else {
            Issue.record("\(String(describing: error)) instead of line \(line)")
            return
        }
    }

    @Test func `returns the complete rows of a truncated document, then an error with the line`() {
        let text = "{\"rows\":[\n{\"a\":1},\n{\"a\":2},\n{\"a\":\"x"
        var splitter = JSONSplitter(path: ["rows"])
        var elements: [Element] = []
        #expect(throws: FormatError.malformed(line: 4, reason: "the document breaks off inside its rows")) {
            try splitter.read(Array(text.utf8), into: &elements)
            try splitter.finish()
        }
        #expect(elements.map(\.line) == [2, 3])
    }

    @Test(arguments: [(10, false), (11, false), (12, true)])
    func `stores an element up to the limit`(length: Int, isTooLong: Bool) throws {
        let text = "[\"\(String(repeating: "x", count: length - 2))\",7]"
        let elements = try Self.elements(of: [Array(text.utf8)], longest: 11)
        #expect(elements.map { $0.bytes == nil } == [isTooLong, false])
    }

    @Test func `reports an element of ten megabytes without storing it`() throws {
        let piece = Array(repeating: UInt8(ascii: "x"), count: 1_048_576)
        let chunks = [Array("[1,\n\"".utf8)] + Array(repeating: piece, count: 10) + [Array("\",\n2]".utf8)]
        let elements = try Self.elements(of: chunks, longest: 1_048_576)
        #expect(elements.map(\.bytes) == [[0x31], nil, [0x32]])
        #expect(elements.map(\.line) == [1, 2, 3])
    }

    @Test(.proves("12.1")) func `reads the same elements from a document in any pieces`() throws {
        let alphabet = Array("[]{}\",:\\ \n1a".utf8)
        for seed in UInt64(1)...1_000 {
            var numbers = SeededNumbers(seed: seed)
            let head = Array(#"{"b":["x\\"],"rows":["#.utf8)
            let bytes = head + (0..<40).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
            let pieces = bytes.cut(longest: 5, with: &numbers)
            let whole = Result { () throws(FormatError) in try Self.elements(of: [bytes], at: ["rows"]) }
            let cut = Result { () throws(FormatError) in try Self.elements(of: pieces, at: ["rows"]) }
            #expect(whole == cut, "seed \(seed)")
        }
    }

    @Test func `numbers lines, skips blank ones and reports long ones`() {
        let text = Array("{\"a\":1}\r\n \n\n\(String(repeating: "x", count: 21))\n12".utf8)
        for longest in [1, text.count] {
            var numbers = SeededNumbers(seed: 1)
            var splitter = LineSplitter(longest: 20)
            var lines: [LineSplitter.Line] = []
            for chunk in text.cut(longest: longest, with: &numbers) { splitter.read(chunk, into: &lines) }
            splitter.finish(into: &lines)
            #expect(lines.map(\.number) == [1, 4, 5])
            #expect(lines.map { $0.bytes?.count } == [8, nil, 2])
        }
    }
}
