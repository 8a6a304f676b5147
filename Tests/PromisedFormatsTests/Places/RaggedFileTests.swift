import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

/// Files of spreadsheets and other programs that break a rule of CSV but are unambiguous.
@Suite struct RaggedFileTests {
    private static func file(_ text: String, delimiter: String? = nil) throws -> PlaceFile {
        try file([Array(text.utf8)], delimiter: delimiter)
    }

    private static func file(_ chunks: [[UInt8]], delimiter: String? = nil) throws -> PlaceFile {
        let format = try RowFormat.csv.changed(delimiter: delimiter, hasNoHeader: false, rows: nil)
        let mapping = try PlaceMapping("name=name", "latitude=lat", "longitude=lon", "phone=tel")
        return try PlaceFile(chunks, format, mapping: mapping)
    }

    @Test(
        .proves("12.7"),
        arguments: [
            // A delimiter at the end of each line except the header, of all lines, and of some.
            "name,lat,lon,tel\nA,1,2,x,\nB,1,2,,\nC,1,2,y,\n", "name,lat,lon,tel,\nA,1,2,x,\nB,1,2,,\nC,1,2,y,\n",
            "name,lat,lon,tel,,\nA,1,2,x\nB,1,2,,\nC,1,2,y,,,,\n",
            // Empty fields that are missing.
            "name,lat,lon,tel\nA,1,2,x\nB,1,2\nC,1,2,y\n", "name,lat,lon,tel,note\nA,1,2,x\nB,1,2\nC,1,2,y,\n",
            // Blank fields, and quoted empty ones.
            "name,lat,lon,tel\r\nA,1,2,x, ,\t\r\nB,1,2,\"\",\"\"\r\nC,1,2,y,\r\n",
        ]
    )
    func `accepts additional empty fields and missing ones`(text: String) throws {
        let file = try Self.file(text)
        #expect(file.places.map(\.name) == ["A", "B", "C"] && file.refusals == [])
        #expect(file.places.map(\.phone) == ["x", "", "y"])
    }

    @Test func `accepts a last row without a line end only if complete`() throws {
        let file = try Self.file("name,lat,lon,tel\nA,1,2\nB,1,2")
        #expect(file.places.map(\.name) == ["A"] && file.words == ["3 columns"])
        #expect(try Self.file("name,lat,lon,tel\nB,1,2,,").places.map(\.name) == ["B"])
    }

    @Test(.proves("12.7"), arguments: ["A, the best,1,2,x", "A,1,2,x,y", "A,1,2,,y", "A,1,2,x,,y,", "\"A\",1,2,x,0"])
    func `rejects a surplus delimiter in the middle`(row: String) throws {
        let file = try Self.file("name,lat,lon,tel\n\(row)\nB,1,2,\n")
        #expect(file.words == ["2 columns"] && file.places.map(\.name) == ["B"])
    }

    @Test(.proves("12.12")) func `reports decimal commas that split positions`() throws {
        let file = try Self.file("name,lat,lon,tel\nA,37,5537,126,99,x\nB,-33,86,151,21,\nC,1,2,y,z,\n")
        #expect(file.words == ["2 columns", "3 columns", "4 columns"])
        let advice = file.tally.advice ?? ""
        #expect(advice.hasPrefix("2 of 3 rows have too many columns, as positions with a decimal comma make them"))
        // Two fields too many of another kind.
        #expect(try Self.file("name,lat,lon,tel\nA,1,2,3,4,5\n").tally.advice == nil)
        #expect(try Self.file("name,lat,lon,tel\nA,37,5537,126,x,y\n").tally.advice == nil)
        // Quoted or with another delimiter they are numbers.
        #expect(try Self.file("name,lat,lon,tel\nA,\"37,5\",\"126,9\",\n").places.count == 1)
    }

    @Test(.proves("12.12")) func `reports a delimiter within the name of the only column`() {
        for (header, advice) in [("name;lat;lon", "';'"), ("name\tlat\tlon", "'tab'"), ("name|lat|lon", "'|'")] {
            let error = #expect(throws: FormatError.self) { try Self.file(header + "\n") }
            #expect(error?.description.hasSuffix("; use --delimiter \(advice) if that separates them") == true)
        }
        let error = #expect(throws: FormatError.self) { try Self.file("name\n") }
        #expect(error?.description.hasSuffix("its columns are: name") == true)
    }

    @Test(.proves("12.7"), arguments: ["sep=;\n", "sep=;\r\n", "SEP=;\r", "\"sep=;\"\n", "\u{FEFF}sep=;\n"])
    func `accepts a first line with the delimiter`(line: String) throws {
        let end = line.hasSuffix("\r") ? "\r" : "\n"
        let text = line + ["name;lat;lon;tel", "A;37,5;127,1;x", ";1;2;"].joined(separator: end)
        for cut in [1, 3, 6, 8, text.utf8.count] {
            let bytes = Array(text.utf8)
            let file = try Self.file([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(file.places.map(\.coordinate) == [Coordinate(latitude: 37.5, longitude: 127.1)])
            // Lines are those of the file.
            #expect(file.places.map(\.line) == [3] && file.words == ["4 no-name"])
        }
    }

    @Test(arguments: ["sep=;;", "sep=", "sep=\"", "sep;", "separator=;"])
    func `reads any other first line as a header`(line: String) {
        #expect(throws: FormatError.self) { try Self.file(line + "\nA;1;2\n", delimiter: ";") }
    }

    @Test func `accepts a header that begins with sep=`() throws {
        let mapping = try PlaceMapping("name=sep=", "latitude=2", "longitude=3")
        #expect(try PlaceFile("sep=,lat,lon\nA,1,2\n", mapping: mapping).places.map(\.name) == ["A"])
    }

    @Test(.proves("12.7")) func `accepts lines that end in CR alone`() throws {
        let bytes = Array("name,lat,lon,tel\rA,1,2,x\r\"B\rb\",1,2,\r\r,1,2,\rC,1,2,y".utf8)
        for cut in 0...bytes.count {
            for end in [[], [UInt8(ascii: "\r")]] {
                let file = try Self.file([Array(bytes[..<cut]), Array(bytes[cut...]) + end])
                #expect(file.places.map(\.name) == ["A", "B b", "C"] && file.words == ["6 no-name"], "cut at \(cut)")
                #expect(file.places.map(\.line) == [2, 3, 7])
            }
        }
    }

    @Test func `rejects CR alone in a file with LF`() throws {
        let file = try Self.file("name,lat,lon,tel\nA,1,2,x\rB,1,2,y\nC,1,2,z\n")
        #expect(file.words == ["2 columns"] && file.places.map(\.name) == ["C"])
    }

    @Test(arguments: ["\u{FEFF}", "\u{FEFF}\u{FEFF}"])
    func `removes byte order marks from the first column's name`(marks: String) throws {
        #expect(try Self.file(marks + "name,lat,lon,tel\nA,1,2,x\n").places.map(\.name) == ["A"])
        #expect(try Self.file(marks + "\"name\",lat,lon,tel\nA,1,2,x\n").places.map(\.name) == ["A"])
    }

    @Test(
        .proves("12.7"),
        arguments: [("20-delimiter-at-line-ends.csv", ["A", "B", "C"]), ("22-cr-only.csv", ["A", "B"])]
    )
    func `reads the files of the field trial`(name: String, names: [String]) throws {
        let mapping = try PlaceMapping("name=name", "latitude=lat", "longitude=lon", category: "cafe")
        let file = try PlaceFile([try FieldSamples.bytes(name)], mapping: mapping)
        #expect(file.places.map(\.name) == names && file.refusals == [])
    }

    // MARK: - Positions

    @Test(
        .proves("12.7"),
        arguments: [
            ("49° 7' 9.345\"\"N", "8° 30' 0\"\"E", 49.119262_5, 8.5),
            ("S33°51'30\"\"", "E 151 12.6", -33.858333, 151.21),
            ("37.5665N", "126.978E", 37.5665, 126.978), ("37,5665° N", "126,978° W", 37.5665, -126.978),
            ("-33° 51′ 30″", "151:12:36 e", -33.858333, 151.21), ("0° 30' s", "000°30'00.0\"\"w", -0.5, -0.5),
        ]
    )
    func `reads degrees with minutes, seconds and a hemisphere`(
        latitude: String,
        longitude: String,
        north: Double,
        east: Double
    ) throws {
        let place = try #require(try Self.file("name,lat,lon,tel\nA,\"\(latitude)\",\"\(longitude)\",\n").places.first)
        #expect(abs(place.coordinate.latitude - north) < 1e-6 && abs(place.coordinate.longitude - east) < 1e-6)
    }

    @Test(arguments: [
        "49 7 9.345", "49°7'9\"\"E", "49° 60' 0\"\"N", "49.5° 7' N", "N49°S", "-49° N", "49° 7' 9\"\" 1 N", "N", "°",
    ])
    func `rejects other texts as positions`(latitude: String) throws {
        #expect(try Self.file("name,lat,lon,tel\nA,\"\(latitude)\",8.5,\n").words == ["2 bad-position"])
    }
}
