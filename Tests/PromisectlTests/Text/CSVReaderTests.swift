import Testing

@testable import promisectl

@Suite("Reading CSV")
struct CSVReaderTests {
    @Test(arguments: [
        ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]), ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
        ("\u{FEFF}a,b", [["a", "b"]]), ("", []), ("a,,\n", [["a", "", ""]]),
        ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\r\nb\",c", [["a\r\nb", "c"]]), ("\"\",b", [["", "b"]]),
        ("a\n\n\r\nb\n", [["a"], ["b"]]), ("é,日本", [["é", "日本"]]), ("\"\"", [[""]]),
    ])
    func `records are as RFC 4180 says`(text: String, records: [[String]]) throws {
        #expect(try CSVReader.records(of: text).map(\.fields) == records)
    }

    @Test func `a record knows the line it begins on`() throws {
        let records = try CSVReader.records(of: "a\n\"b\nb\"\n\nc\n")
        #expect(records.map(\.line) == [1, 2, 5])
    }

    @Test(arguments: [
        ("a\n\"b", "line 2: a quoted field is not closed"),
        ("a\"b", "line 1: there is a quote in a field without quotes"),
        ("\"a\"b", "line 1: there is text after a closing quote"), ("a\rb", "line 1: a CR without LF outside quotes"),
    ])
    func `what is no CSV is told with its line`(text: String, problem: String) {
        #expect(throws: Failure.usage(problem)) { try CSVReader.records(of: text) }
    }
}
