import PromisedDomain
import PromisedFormats
import Testing

@Suite struct RowTests {
    @Test(
        arguments: [
            ("csv", .csv), ("geojson", .geoJSON), ("json", .json(rows: [])), ("json-lines", .jsonLines),
        ] as [(String, RowFormat)]
    )
    func `a format has a name`(name: String, format: RowFormat) throws {
        #expect(try RowFormat(named: name) == format)
    }

    @Test(
        arguments: [
            ("a.csv", .csv), ("A.CSV", .csv), ("a.tsv", .csv(delimiter: 9, hasHeader: true)), ("a.geojson", .geoJSON),
            ("a.json", .json(rows: [])), ("a.jsonl", .jsonLines), ("a.ndjson", .jsonLines), ("a.xml", nil), ("a", nil),
        ] as [(String, RowFormat?)]
    )
    func `derives the format from a file's extension`(name: String, format: RowFormat?) {
        #expect(RowFormat(fileName: name) == format)
    }

    @Test(arguments: [(";", 0x3B), ("tab", 0x09), ("\\t", 0x09), ("|", 0x7C), (" ", 0x20)] as [(String, UInt8)])
    func `a delimiter is one ASCII character or tab`(text: String, byte: UInt8) throws {
        #expect(try RowFormat.delimiter(text) == byte)
    }

    @Test(arguments: ["", ",,", "\"", "\n", "；"])
    func `rejects any other delimiter with its value`(text: String) {
        #expect(throws: FormatError.self) { try RowFormat.delimiter(text) }
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), (" a  b\t", "a b"), ("a\r\nb\u{0}c", "a b c"), ("珈琲店　再願", "珈琲店 再願"),
        ("多摩\n", "多摩"), ("\u{A0}x\u{85}\u{2028}y\u{202F}", "x y"), ("  ", ""), ("a\u{200D}b", "a\u{200D}b"),
        ("e\u{301} x", "e\u{301} x"),
    ])
    func `a text becomes one line with single blanks`(text: String, cleaned: String) {
        let found = RowText.clean(text)
        #expect(Array(found.unicodeScalars) == Array(cleaned.unicodeScalars))
        #expect(Array(RowText.clean(found).unicodeScalars) == Array(found.unicodeScalars))
    }

    @Test func `finds columns by name before number`() throws {
        let text = "name, latitude ,3\nA,1,2\n"
        for (latitude, longitude) in [("latitude", "3"), ("2", "3")] {
            let mapping = try PlaceMapping("name=1", "latitude=\(latitude)", "longitude=\(longitude)")
            let file = try PlaceFile(text, mapping: mapping)
            #expect(file.places.map(\.coordinate.longitude) == [2])
        }
        // The second column is called 3.
        let mapping = try PlaceMapping("name=name", "latitude=3", "longitude=3")
        #expect(try PlaceFile("name,3,x\nA,1,2\n", mapping: mapping).places.map(\.coordinate.latitude) == [1])
    }

    @Test func `without a header columns have numbers, and the first record is a row`() throws {
        let mapping = try PlaceMapping("name=2", "latitude=3", "longitude=4")
        let format = RowFormat.csv(delimiter: UInt8(ascii: ";"), hasHeader: false)
        let file = try PlaceFile("x;A;37,5;127\ny;B;38;128\n", format, mapping: mapping)
        #expect(file.places.map(\.name) == ["A", "B"])
        #expect(file.places.map(\.coordinate.latitude) == [37.5, 38])
    }

    @Test(arguments: [("title", true), ("0", true), ("4", true), ("3", false)])
    func `a missing column stops the import with the header`(column: String, isMissing: Bool) throws {
        let mapping = try PlaceMapping("name=name", "latitude=b", "longitude=c", "phone=\(column)")
        let text = "name,b,c\nA,1,2\n"
        guard isMissing else {
            _ = try PlaceFile(text, mapping: mapping)
            return
        }
        let error = FormatError.missingColumn(name: column, field: "phone", header: ["name", "b", "c"])
        #expect(throws: error) { try PlaceFile(text, mapping: mapping) }
    }

    @Test func `finds a member by its name, then by its path`() throws {
        let mapping = try PlaceMapping("name=a.b", "latitude=p.0", "longitude=p.1", "phone=a.c|tel")
        let text = """
            {"a": {"b": "in", "c": null}, "p": [1, 2.5], "tel": 119}
            {"a.b": "dotted", "a": {"b": "in", "c": {}}, "p": ["1", "2.5"], "tel": true}
            """
        let file = try PlaceFile(text, .jsonLines, mapping: mapping)
        #expect(file.places.map(\.name) == ["in", "dotted"])
        #expect(file.places.map(\.phone) == ["119", "true"])
        #expect(file.places.map(\.coordinate.longitude) == [2.5, 2.5])
    }
}
