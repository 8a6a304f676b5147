import Testing

@testable import PromisedFormats

@Suite struct ColumnTests {
    @Test(arguments: [
        ("1", true), ("3", true), ("4", false), ("0", false), ("-1", false), ("9223372036854775807", false),
        ("-9223372036854775808", false), ("-9223372036854775807", false), ("9223372036854775808", false), ("a", false),
    ])
    func `a number refers to a column of the file, from 1`(text: String, isThere: Bool) {
        var numbered = Column(text)
        #expect(numbered.resolve(in: .numbered(count: 3)) == isThere)
        var named = Column(text)
        #expect(named.resolve(in: .named(["x", "y", "z"])) == isThere)
    }

    @Test func `rejects a missing column with the file's first 40, each truncated to 60 characters`() {
        func refusal(_ header: [String]) -> String {
            FormatError.missingColumn(name: "name", field: "name", header: header).description
        }
        let start = "the file has no column name for name; its columns are: "
        #expect(refusal(["a", "b"]) == start + "a, b")
        let forty = Array(repeating: "c", count: 40)
        #expect(refusal(forty) == start + forty.joined(separator: ", "))
        #expect(refusal(forty + ["d"]) == start + forty.joined(separator: ", ") + ", and 1 more")
        let long = String(repeating: "가", count: 61)
        #expect(refusal([String(long.dropLast()), long]) == start + "\(long.dropLast()), \(long.dropLast())…")
        #expect(refusal(Array(repeating: long, count: 3_000_000)).utf8.count < 10_000)
    }
}
