import Foundation
import PromisedDomain
import PromisedFormats
import Testing

@Suite struct GPXFileTests {
    private static func file(_ points: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
            <metadata><time>2019-11-29T11:00:00Z</time></metadata>
            <wpt lat="1" lon="2"><time>2019-11-29T11:00:00Z</time></wpt>
            <trk><name>ride</name><trkseg>
            \(points)
            </trkseg></trk>
            </gpx>
            """.utf8
        )
    }

    private static let noon = Instant(milliseconds: 1_575_028_800_000)

    @Test func `a track point gives its position, time and dilution, and nothing else of the file counts`() throws {
        let gpx = try GPXFile(
            Self.file(
                """
                <trkpt lat="51.2297" lon="-1.33885"><ele>80</ele><time>2019-11-29T12:00:00Z</time><hdop>1.5</hdop>
                <extensions><gte:gps xmlns:gte="urn:x" speed="20"><time>x</time></gte:gps></extensions></trkpt>
                """
            )
        )
        let place = Coordinate(latitude: 51.2297, longitude: -1.33885)
        #expect(gpx.points == [GPXPoint(time: Self.noon, coordinate: place, hdop: 1.5)])
        #expect(gpx.points.first?.accuracyMetres == 7.5)
        #expect(gpx.timelessCount == 0)
    }

    @Test(
        arguments: [
            ("2019-11-29T12:00:00Z", 0),
            ("2019-11-29T12:00:00.250Z", 250),
            ("2019-11-29T12:00:00.5Z", 500),
            ("2019-11-29T12:00:00.9996Z", 1_000),
            ("2019-11-29T13:00:00+01:00", 0),
            ("2019-11-29T12:00:00", 0),
            (" 2019-11-29T12:00:01Z\n", 1_000),
        ] as [(String, Int64)]
    )
    func `a time is read with fractions, offsets, and as UTC without a zone`(text: String, milliseconds: Int64) throws {
        let gpx = try GPXFile(Self.file(#"<trkpt lat="1" lon="2"><time>\#(text)</time></trkpt>"#))
        #expect(gpx.points.map(\.time) == [Self.noon + .milliseconds(milliseconds)])
    }

    @Test func `points without a time are counted and ignored`() throws {
        let gpx = try GPXFile(
            Self.file(
                """
                <trkpt lat="1" lon="2"><ele>3</ele></trkpt>
                <trkpt lat="1" lon="2"/>
                <trkpt lat="1" lon="2"><time>2019-11-29T12:00:00Z</time></trkpt>
                """
            )
        )
        #expect(gpx.points.count == 1)
        #expect(gpx.timelessCount == 2)
    }

    @Test func `a track without points is empty, not an error`() throws {
        let gpx = try GPXFile(Self.file(""))
        #expect(gpx.points.isEmpty)
        #expect(gpx.timelessCount == 0)
    }

    @Test(arguments: ["", "   ", "no XML at all", "\u{1}"])
    func `text that is not XML is malformed on its first line`(text: String) {
        #expect(throws: GPXError.malformed(line: 1)) { try GPXFile(Data(text.utf8)) }
    }

    @Test func `another kind of XML is not GPX`() {
        #expect(throws: GPXError.notGPX) { try GPXFile(Data("<kml><trkpt lat='1' lon='2'/></kml>".utf8)) }
    }

    @Test func `a broken tag is reported with its line`() {
        let data = Self.file("<trkpt lat=\"1\" lon=\"2\">\n<time>2019-11-29T12:00:00Z</tiem></trkpt>")
        #expect(throws: GPXError.malformed(line: 7)) { try GPXFile(data) }
    }

    @Test func `a file that is cut off is malformed`() throws {
        let whole = Self.file(#"<trkpt lat="1" lon="2"><time>2019-11-29T12:00:00Z</time></trkpt>"#)
        let error = #expect(throws: GPXError.self) { try GPXFile(whole.dropLast(10)) }
        #expect(error == .malformed(line: 7))
    }

    @Test(
        arguments: [
            #"lon="2""#, #"lat="1""#, #"lat="north" lon="2""#, #"lat="90.5" lon="2""#, #"lat="nan" lon="2""#,
            #"lat="1" lon="181""#,
        ]
    )
    func `a point whose position makes no sense is reported with its line`(attributes: String) {
        let data = Self.file("<trkpt \(attributes)><time>2019-11-29T12:00:00Z</time></trkpt>")
        #expect(throws: GPXError.badPoint(line: 6, reason: "a point without a position")) { try GPXFile(data) }
    }

    @Test(arguments: ["yesterday", "2019-11-29", "2019-13-29T12:00:00Z", ""])
    func `a time that is none is reported with its line`(text: String) {
        let data = Self.file("<trkpt lat=\"1\" lon=\"2\">\n<time>\(text)</time></trkpt>")
        #expect(throws: GPXError.badPoint(line: 7, reason: "not a time: \(text)")) { try GPXFile(data) }
    }

    @Test(arguments: ["-1", "inf", "good"])
    func `a dilution that is none counts as missing`(text: String) throws {
        let point = #"<trkpt lat="1" lon="2"><time>2019-11-29T12:00:00Z</time><hdop>\#(text)</hdop></trkpt>"#
        let gpx = try GPXFile(Self.file(point))
        #expect(gpx.points.map(\.hdop) == [nil])
    }

    @Test func `a file that is not there is unreadable`() {
        #expect(throws: GPXError.self) { try GPXFile(contentsOf: URL(filePath: "/nowhere/at/all.gpx")) }
    }
}
