import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct PlaceReaderTests {
    private static let header = "name,latitude,longitude,address,ref\n"

    private static func file(_ rows: String, area: ImportArea = ImportArea(), ref: Bool = false) throws -> PlaceFile {
        var mapping = try PlaceMapping.plain()
        try mapping.map(option: "address=address")
        if ref { try mapping.map(option: "ref=ref") }
        return try PlaceFile(header + rows, mapping: mapping, area: area)
    }

    @Test(arguments: [
        (",1,2,,", "no-name"), ("\" \u{A0}\",1,2,,", "no-name"), ("N,,2,,", "no-position"), ("N,1, ,,", "no-position"),
        ("N,x,2,,", "bad-position"), ("N,nan,2,,", "bad-position"), ("N,inf,2,,", "bad-position"),
        ("N,90.001,2,,", "bad-position"), ("N,1,-180.001,,", "bad-position"), ("N,0,0,,", "null-island"),
        ("N,-0.0,0e0,,", "null-island"), ("N,1,2,,,x", "columns"), ("N, M,1,2,a,b", "columns"),
        ("N\"x,1,2,,", "columns"), ("N", "no-position"),
    ])
    func `rejects a row without a place with one word and its line`(row: String, word: String) throws {
        let file = try Self.file("A,1,2,,\n\(row)\nB,3,4,,\n")
        #expect(file.words == ["3 \(word)"])
        #expect(file.places.map(\.line) == [2, 4])
    }

    @Test(arguments: ["90", "-90", "37,5", " 37.5 ", "0"])
    func `accepts positions on the edge and with a decimal comma`(latitude: String) throws {
        #expect(try Self.file("N,\"\(latitude)\",180,,\n").places.count == 1)
    }

    @Test func `rejects a row with malformed bytes and reads the next`() throws {
        let bytes = Array(Self.header.utf8) + Array("A,1,2,".utf8) + [0xBD, 0x0A] + Array("B,3,4,,\n".utf8)
        let file = try PlaceFile([bytes], encoding: .cp949, mapping: try .plain())
        #expect(file.words == ["2 encoding"])
        let other = Array(Self.header.utf8) + Array("A,1,2,".utf8) + [0xFF, 0x2C, 0x0A] + Array("B,3,4,,\n".utf8)
        for encoding in [TextEncoding.cp949, .utf8] {
            let file = try PlaceFile([other], encoding: encoding, mapping: try .plain())
            #expect(file.words == ["2 encoding"])
            #expect(file.places.map(\.name) == ["B"])
        }
    }

    @Test(arguments: [
        ("name", 100), ("address", 200), ("ref", 100), ("region", 60), ("hours", 300), ("phone", 40), ("name:en", 100),
        ("fact:x", 100),
    ])
    func `accepts a text up to its limit in characters`(field: String, limit: Int) throws {
        var mapping = try PlaceMapping.plain()
        try mapping.map(option: "\(field)=x")
        for (length, isTaken) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
            let text = String(repeating: "한", count: length)
            let file = try PlaceFile("name,latitude,longitude,x\nN,1,2,\(text)\n", mapping: mapping)
            #expect(file.places.count == (isTaken ? 1 : 0), "\(field), \(length)")
            let refused = file.refusals.map { "\($0.line) \($0.reason.rawValue) \($0.field ?? "")" }
            #expect(refused == (isTaken ? [] : ["2 text \(field)"]))
        }
    }

    @Test func `rejects a text of a million marks at once`() throws {
        let marks = String(repeating: "\u{0F73}\u{0301}", count: 200_000)
        #expect(try Self.file("N,1,2,x\(marks),\n").words == ["2 text"])
    }

    @Test(arguments: [
        ("A,1,2,x,\nA,1,2,x,\n", 1), ("A,1,2,x,\nA,1.000004,2,x,\n", 1), ("A,1,2,x,\nA,1.000006,2,x,\n", 2),
        ("A,1,2,x,\nA,1,2,y,\n", 2), ("A,1,2,x,\nB,1,2,x,\n", 2), ("\u{E9},1,2,,\ne\u{301},1,2,,\n", 1),
        ("AB,1,2,C,\nA,1,2,BC,\n", 2), ("A,1,2,x,\n,1,2,x,\nA,1,2,x,\n", 1),
    ])
    func `distinguishes places without an id by name, address and position to five decimals`(
        rows: String,
        taken: Int
    ) throws {
        #expect(try Self.file(rows).places.count == taken)
    }

    @Test(.proves("12.2")) func `distinguishes places with an id by it alone, and accepts the first of equal ones`()
        throws
    {
        let file = try Self.file("A,1,2,,7\nB,3,4,,7\nA,1,2,,8\nA,1,2,,\nA,1,2,,\n", ref: true)
        #expect(file.places.map(\.line) == [2, 4, 5])
        #expect(file.words == ["3 duplicate", "6 duplicate"])
        #expect(file.places.first?.ref == "7")
        #expect(file.places.last?.ref.hasPrefix("~") == true)
        #expect(file.places.last?.ref.utf8.count == 33)
    }

    @Test func `a place without an id has the same one in every run`() throws {
        let place = try #require(try Self.file("시장,37.5,127,서울,\n").places.first)
        // FNV-1a of 128 bits over name, address, 3750000 and 12700000, with a byte 0xFF after each.
        #expect(place.ref == "~cf997344610fea750558bd86d7352060")
    }

    @Test(arguments: [
        ("33,124,39,132", 37.5, 127, true), ("33,124,39,132", 39, 132, true), ("33,124,39,132", 39.001, 127, false),
        ("33,124,39,132", 37, 123.999, false), ("-20,170,20,-170", 0, 179, true), ("-20,170,20,-170", 0, -179, true),
        ("-20,170,20,-170", 0, 0.5, false),
    ])
    func `rejects places outside the bounds`(
        text: String,
        latitude: Double,
        longitude: Double,
        isTaken: Bool
    ) throws {
        let area = ImportArea(bounds: try ImportArea.Bounds(option: text))
        #expect(try Self.file("N,\(latitude),\(longitude),,\n", area: area).words == (isTaken ? [] : ["2 outside"]))
    }

    @Test(arguments: ["", "1,2,3", "1,2,3,x", "39,124,33,132", "-91,0,0,0", "0,0,0,181", "1,2,3,4,5", "1,2,,4"])
    func `rejects invalid bounds`(text: String) {
        #expect(throws: FormatError.self) { try ImportArea.Bounds(option: text) }
    }

    @Test(.proves("12.3")) func `converts numbers by the projection, easting first`() throws {
        let area = ImportArea { east, north in
            north > 1_000_000 ? Coordinate(latitude: north / 100_000, longitude: east / 10_000) : nil
        }
        let file = try Self.file("A,3750000,1270000,,\nB,5,5,,\nC,0,0,,\n", area: area)
        #expect(file.places.map(\.coordinate) == [Coordinate(latitude: 37.5, longitude: 127)])
        #expect(file.words == ["3 bad-position", "4 null-island"])
    }

    // MARK: - Exchanged columns

    @Test(.proves("12.3")) func `detects and reports exchanged columns`() throws {
        let file = try Self.file("A,127,37.5,,\nB,126.9,37.6,,\nC,37.5,127,,\nD,200,300,,\n")
        #expect(file.words == ["2 bad-position", "3 bad-position", "5 bad-position"])
        #expect(file.refusals.map(\.isExchanged) == [true, true, false])
        #expect(file.tally.advice == nil)
        let most = try Self.file("A,127,37.5,,\nB,126.9,37.6,,\nC,37.5,127,,\n")
        #expect(most.tally.advice?.hasPrefix("2 of 3 positions are out of range") == true)
    }

    @Test func `detects exchanged columns by the bounds though both are in range`() throws {
        let area = ImportArea(bounds: try ImportArea.Bounds(option: "45,5,55,16"))
        let file = try Self.file("A,9.5,51.2,,\nB,9.6,51.3,,\n", area: area)
        #expect(file.tally.refused == [.outside: 2])
        #expect(file.tally.advice != nil)
    }
}
