import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

/// Complete documents: in any pieces, malformed, halved, too large.
@Suite struct PlaceDocumentTests {
    private static let documents: [(RowFormat, String)] = [
        (.csv, "name,latitude,longitude\r\n\"시장, \"\"5\"\"\n일\",37.5,127\r\n\r\nB,x,2\r\n,1,2\r\nC,3,4\r\n"),
        (
            .json(rows: ["a", "b"]),
            #"{"x":[1,"]"],"a":{"b":[{"name":"시장 \"5\"","latitude":37.5,"longitude":127},{"name":"B"},7,"#
                + "\n" + #"{"name":"C","latitude":"3","longitude":"4"}]}}"#
        ),
        (
            .geoJSON,
            #"{"type":"FeatureCollection","features":["#
                + #"{"type":"Feature","id":5,"properties":{"name":"시장"},"geometry":{"type":"Point","coordinates":[127,37.5,9]}},"#
                + #"{"type":"Feature","properties":{"name":"L"},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},"#
                + #"{"type":"Feature","properties":null,"geometry":null},"#
                + #"{"type":"Feature","properties":{"name":"C"},"geometry":{"type":"Point","coordinates":[4,3]}}]}"#
        ),
        (
            .jsonLines,
            "{\"name\":\"시장\",\"latitude\":37.5,\"longitude\":127}\n\n{\"name\":\n"
                + "{\"name\":\"C\",\"latitude\":3,\"longitude\":4}"
        ),
    ]

    private static func mapping(for format: RowFormat) throws -> PlaceMapping {
        format == .geoJSON ? try PlaceMapping("name=name", "ref=@id") : try .plain()
    }

    @Test(arguments: documents)
    func `reads the same places from a file in any pieces and encoding`(format: RowFormat, text: String) throws {
        let mapping = try Self.mapping(for: format)
        let whole = try PlaceFile(text, format, mapping: mapping)
        // The middle of the line is a place.
        #expect(whole.places.map(\.coordinate.latitude) == (format == .geoJSON ? [37.5, 3, 3] : [37.5, 3]))
        #expect(!whole.refusals.isEmpty)
        let utf16 = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for seed in UInt64(1)...100 {
            var numbers = SeededNumbers(seed: seed)
            for (bytes, encoding) in [
                (Array(text.utf8), TextEncoding.utf8), ([0xEF, 0xBB, 0xBF] + Array(text.utf8), .utf8),
                (utf16, .utf16LittleEndian), ([0xFF, 0xFE] + utf16, .utf16),
            ] {
                let pieces = bytes.cut(longest: 9, with: &numbers)
                let file = try PlaceFile(pieces, format, encoding: encoding, mapping: mapping)
                #expect(file.places == whole.places && file.refusals == whole.refusals, "seed \(seed), \(encoding)")
            }
        }
    }

    @Test(
        arguments: [
            (.csv, "name,latitude,longitude\nA,1,2\nB,\"3,4\n", 3, 1), (.csv, "", 1, 0),
            (.csv, "na\"me,latitude,longitude\nA,1,2\n", 1, 0),
            (.json(rows: []), "[{\"name\":\"A\",\"latitude\":1,\"longitude\":2},\n{\"name\"", 2, 1),
            (.json(rows: []), "{\"a\":[]}", 1, 0), (.json(rows: ["a"]), "{\n\"a\":5}", 2, 0),
            (.json(rows: ["a"]), "<error/>", 1, 0), (.json(rows: ["a"]), "", 1, 0),
            (.geoJSON, "{\"type\":\"FeatureCollection\",\n\"features\":[\n", 3, 0),
        ] as [(RowFormat, String, Int, Int)]
    )
    func `stops at a malformed document with its line, after the previous rows`(
        format: RowFormat,
        text: String,
        line: Int,
        taken: Int
    ) throws {
        var reader = try PlaceReader(format, encoding: .utf8, mapping: try .plain(), area: ImportArea())
        var outcomes: [PlaceRowOutcome] = []
        let error = #expect(throws: FormatError.self) {
            try reader.read(Array(text.utf8), into: &outcomes)
            try reader.finish(into: &outcomes)
        }
        #expect(outcomes.count == taken)
        guard case .malformed(line, _) = error else {
            Issue.record("\(String(describing: error)) instead of line \(line)")
            return
        }
    }

    @Test func `reads no places from a file with only a header`() throws {
        #expect(try PlaceFile("name,latitude,longitude\n", mapping: try .plain()).tally.rows == 0)
        #expect(try PlaceFile("", .jsonLines, mapping: try .plain()).tally.rows == 0)
        #expect(try PlaceFile("[]", .json(rows: []), mapping: try .plain()).tally.rows == 0)
    }

    @Test(
        .defends("damaged-imports"),
        arguments: [
            (.csv, "name,latitude,longitude\nA,1,2\nX,3,", "\nB,5,6\n"),
            (.csv, "name,latitude,longitude\nA,1,2\nX,3,\"", "\"\nB,5,6\n"),
            (
                .json(rows: []), "[{\"name\":\"A\",\"latitude\":1,\"longitude\":2},\n{\"name\":\"",
                "\"},\n{\"name\":\"B\",\"latitude\":5,\"longitude\":6}]"
            ),
            (
                .jsonLines, "{\"name\":\"A\",\"latitude\":1,\"longitude\":2}\n{\"name\":\"",
                "\"}\n{\"name\":\"B\",\"latitude\":5,\"longitude\":6}"
            ),
        ] as [(RowFormat, String, String)]
    )
    func `rejects a row of ten megabytes and accepts the others`(
        format: RowFormat,
        head: String,
        tail: String
    ) throws {
        let piece = Array(repeating: UInt8(ascii: "x"), count: 1_048_576)
        let chunks = [Array(head.utf8)] + Array(repeating: piece, count: 10) + [Array(tail.utf8)]
        let file = try PlaceFile(chunks, format, mapping: try .plain())
        #expect(file.places.map(\.name) == ["A", "B"])
        #expect(file.words == ["\(format == .csv ? 3 : 2) columns"])
    }
}
