import PromisedFormats
import PromisedTestMarks
import Testing

@Suite("Reading CSV")
struct CSVReaderTests {
    private static func records(of chunks: [[UInt8]], longest: Int = .max) -> [CSVRecord] {
        var reader = CSVReader(longest: longest)
        var records: [CSVRecord] = []
        for chunk in chunks { reader.read(chunk, into: &records) }
        reader.finish(into: &records)
        return records
    }

    @Test(
        .proves("12.1"),
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]), ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
            ("\u{FEFF}a,b", [["a", "b"]]), ("", []), ("a,,\n", [["a", "", ""]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\r\nb\",c", [["a\r\nb", "c"]]), ("\"\",b", [["", "b"]]),
            ("a\n\n\r\nb\n", [["a"], ["b"]]), ("é,日本", [["é", "日本"]]), ("\"\"", [[""]]), ("a\r", [["a"]]),
            ("\"a\"\r\n\"\"\"\"\n", [["a"], ["\""]]), (",\n", [["", ""]]),
        ]
    )
    func `reads records by RFC 4180`(text: String, records: [[String]]) {
        let found = CSVReader.records(of: text)
        #expect(found.map(\.fields) == records)
        #expect(found.allSatisfy { $0.problem == nil })
    }

    @Test(arguments: [";", "\t", "|", " ", ":"])
    func `accepts any delimiter, and a comma is then text`(delimiter: Character) throws {
        let byte = try #require(delimiter.asciiValue)
        let records = CSVReader.records(of: "a,b\(delimiter)\"c\(delimiter)d\"\n", delimiter: byte)
        #expect(records.map(\.fields) == [["a,b", "c\(delimiter)d"]])
    }

    @Test func `a record has the line of its start`() {
        let records = CSVReader.records(of: "a\n\"b\nb\"\n\nc\n")
        #expect(records.map(\.line) == [1, 2, 5])
    }

    @Test(arguments: [
        ("a\n\"b", "line 2: a quoted field is not closed"), ("\"a\nb", "line 2: a quoted field is not closed"),
        ("a\"b", "line 1: there is a quote in a field without quotes"),
        ("\"a\"b", "line 1: there is text after a closing quote"), ("a\rb", "line 1: a CR without LF outside quotes"),
    ])
    func `reports text that is not CSV with its line`(text: String, problem: String) {
        #expect(CSVReader.records(of: text).last?.problem?.description == problem)
    }

    @Test func `a faulty line does not affect the others`() {
        let records = CSVReader.records(of: "a,b\nc,\"d\"e\",f\ng,h\"\r\ni\rj,k\nl,m\n")
        #expect(records.map(\.line) == [1, 2, 3, 4, 5])
        #expect(records.map { $0.problem?.reason } == [nil, .textAfterQuote, .strayQuote, .bareReturn, nil])
        #expect(records.last?.fields == ["l", "m"])
    }

    @Test(arguments: [(4, false), (5, false), (6, true)])
    func `stores a record up to the limit`(length: Int, isTooLong: Bool) {
        let text = String(repeating: "x", count: length - 1) + ",y\nz\n"
        let records = Self.records(of: [Array(text.utf8)], longest: 5)
        #expect(records.map { $0.problem?.reason } == [isTooLong ? .tooLong : nil, nil])
        #expect(records.last?.fields == ["z"])
    }

    @Test(arguments: ["", "\""])
    func `reports a record of ten megabytes without storing it`(quote: String) {
        let piece = Array(repeating: UInt8(ascii: "x"), count: 1_048_576)
        let chunks = [Array("a\n\(quote)".utf8)] + Array(repeating: piece, count: 10) + [Array("\(quote)\nb\n".utf8)]
        let records = Self.records(of: chunks, longest: 1_048_576)
        #expect(records.map { $0.problem?.reason } == [nil, .tooLong, nil])
        #expect(records[1].fields.isEmpty)
        #expect(records[2].line == 3)
    }

    @Test func `reads the same records from a document in any pieces`() {
        let alphabet = Array("ab,\"\r\né".utf8)
        for seed in UInt64(1)...500 {
            var numbers = SeededNumbers(seed: seed)
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
            let whole = Self.records(of: [bytes], longest: 20)
            let pieces = Self.records(of: bytes.cut(longest: 5, with: &numbers), longest: 20)
            #expect(whole == pieces, "seed \(seed)")
        }
    }

    @Test func `reads written records back unchanged`() {
        let alphabet = ["a", ",", "\"", "\r", "\n", "\r\n", "한", " ", "👨‍👩‍👧"]
        for seed in UInt64(1)...500 {
            var numbers = SeededNumbers(seed: seed)
            let records = (0..<4).map { _ in
                (0..<3).map { _ in
                    (0..<Int.random(in: 0...5, using: &numbers))
                        .map { _ in alphabet.randomElement(using: &numbers) ?? "" }.joined()
                }
            }
            let read = CSVReader.records(of: CSVWriter.text(of: records))
            #expect(read.map(\.fields) == records, "seed \(seed)")
        }
    }

    @Test(arguments: [
        (["a", "b"], "a,b"), (["a,b", "c\"d", "e\r\nf", ""], "\"a,b\",\"c\"\"d\",\"e\r\nf\","),
        (["\"\u{301}", ",\u{301}"], "\"\"\"\u{301}\",\",\u{301}\""),
    ])
    func `quotes fields that need it`(fields: [String], record: String) {
        #expect(CSVWriter.record(fields) == record)
    }
}
