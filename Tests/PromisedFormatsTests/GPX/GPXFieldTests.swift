import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

/// Times and numbers inside points.
@Suite struct GPXFieldTests {
    private static let noon = Instant(milliseconds: 1_575_028_800_000)

    private static func point(_ fields: String) throws -> GPXPoint? {
        try GPXFile(GPXSamples.track(#"<trkpt lat="1" lon="2">\#(fields)</trkpt>"#)).points.first
    }

    @Test(
        arguments: [
            ("2019-11-29T12:00:00Z", 0), ("2019-11-29T12:00:00.250Z", 250), ("2019-11-29T12:00:00.5Z", 500),
            ("2019-11-29T12:00:00.2504Z", 250), ("2019-11-29T12:00:00.9996Z", 1_000),
            ("2019-11-29T12:00:00.123456789Z", 123), ("2019-11-29T13:00:00+01:00", 0), ("2019-11-29T21:00:00+0900", 0),
            ("2019-11-29T21:00:00+09", 0), ("2019-11-29T06:30:00-05:30", 0), ("2019-11-29T12:00:00", 0),
            ("2019-11-29t12:00:00z", 0), (" 2019-11-29T12:00:01Z\n", 1_000), ("2019-11-29T11:59:60Z", 0),
        ] as [(String, Int64)]
    )
    func `reads a time with fractions and offsets, and as UTC without a zone`(text: String, milliseconds: Int64) throws
    {
        #expect(try Self.point("<time>\(text)</time>")?.time == Self.noon + .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            "", "yesterday", "2019-11-29", "2019-13-29T12:00:00Z", "2019-02-29T12:00:00Z", "2019-11-29T24:00:00Z",
            "2019-11-29T12:60:00Z", "2019-11-29T12:00:61Z", "2019-11-29T12:00Z", "2019-11-29T12:00:00.Z",
            "0000-11-29T12:00:00Z", "2019-11-29T12:00:00+24:00", "2019-11-29T12:00:00+01:60", "2019-11-29T12:00:00+1",
            "2019-11-29T12:00:00Z+", "2019-11-29 12:00:00", "-019-11-29T12:00:00Z",
            // In UTC before the year 1 and after 9999: not representable in a file.
            "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:00-00:01", "9999-12-31T23:59:60Z",
            "9999-12-31T23:59:59.9996Z",
        ]
    )
    func `treats an invalid time as missing and keeps the point`(text: String) throws {
        #expect(try Self.point("<time>\(text)</time>") == GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2)))
    }

    @Test(
        arguments: [
            ("80", 80), ("80.", 80), (".5", 0.5), ("-0.114380", -0.11438), ("+3.5", 3.5), (" 7\n", 7), ("-0", 0),
            ("191.5999756", 191.5999756), ("0.00000004999", 0), ("0.00000005", 0.0000001), ("-0.00000015", -0.0000002),
            ("1.99999995", 2), ("1.9999999499999999999999", 1.9999999), ("99999999.9999999", 99_999_999.9999999),
            ("007", 7),
            ("1e2", 100), ("1.5E-3", 0.0015), ("&#52;2", 42), ("<!-- a -->4<x:b>1</x:b>2", 42), ("<![CDATA[42]]>", 42),
        ] as [(String, Double)]
    )
    func `reads a number to seven decimal places`(text: String, number: Double) throws {
        #expect(try Self.point("<ele>\(text)</ele>")?.elevation == number)
    }

    @Test(
        arguments: [
            "", ".", "-", "+-1", "NaN", "INF", "-inf", "1,5", "0x10", "1e", "e5", "1e400", "12 m", "1.2.3", "100000000",
            "99999999.99999999", "-1e8",
            "1\(String(repeating: "0", count: 400))", "١",
        ]
    )
    func `treats an invalid number as missing`(text: String) throws {
        let point = try Self.point("<ele>\(text)</ele><hdop>\(text)</hdop>")
        #expect(point == GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2)))
    }

    @Test(arguments: [("0", 0), ("1.25", 1.25), ("-1", nil)] as [(String, Double?)])
    func `treats a negative dilution as missing`(text: String, dilution: Double?) throws {
        #expect(try Self.point("<hdop>\(text)</hdop>")?.hdop == dilution)
    }

    @Test func `reads positions like the standard library, rounded to seven places`() throws {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<3_000 {
            let places = Int.random(in: 0...7, using: &numbers)
            let digits = String((0..<places).compactMap { _ in "0123456789".randomElement(using: &numbers) })
            let text = "\(Int.random(in: -89...89, using: &numbers)).\(digits)"
            let file = try GPXFile(GPXSamples.bytes(#"<wpt lat="\#(text)" lon="\#(text)000"/>"#))
            let expected = try #require(Double(text + "0"))
            #expect(file.document.waypoints.map(\.coordinate.latitude) == [expected], "\(text)")
            #expect(file.document.waypoints.map(\.coordinate.longitude) == [expected], "\(text)")
        }
    }

    @Test(
        .proves("17.7"),
        arguments: [
            ("-180.096", 179.904), ("180.0000001", -179.9999999), ("-180.0000001", 179.9999999), ("180", 180),
            ("-180", -180), ("359.9", -0.1), ("-233.00998", 126.99002), ("360", 0), ("-360", 0),
        ] as [(String, Double)]
    )
    func `normalizes a longitude beyond the date line`(text: String, longitude: Double) throws {
        let file = try GPXFile(GPXSamples.bytes(#"<wpt lat="1" lon="\#(text)"/>"#))
        #expect(file.document.waypoints.map(\.coordinate.longitude) == [longitude])
    }

    @Test(
        arguments: [
            ("90", "180", true), ("-90", "-180", true), ("90.00000004", "180.00000004", true),
            ("90.00000005", "0", false), ("0", "-180.0000001", true),
            ("0", "360", true), ("0", "-360", true), ("0", "360.0000001", false), ("0", "-360.0000001", false),
            ("0", "540", false), ("181", "0", false), ("4.9E-5", "-1e-7", true),
        ]
    )
    func `a position is valid up to the poles and the date line`(
        latitude: String,
        longitude: String,
        isValid: Bool
    ) throws {
        let file = try GPXFile(GPXSamples.bytes(#"<wpt lat="\#(latitude)" lon="\#(longitude)"/>"#))
        #expect(file.document.waypoints.count == (isValid ? 1 : 0))
        #expect(file.droppedCount == (isValid ? 0 : 1))
    }
}
