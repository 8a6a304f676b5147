import Foundation
import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct GPXFileTests {
    private static let noon = Instant(milliseconds: 1_575_028_800_000)
    private static let place = Coordinate(latitude: 51.2297, longitude: -1.33885)

    @Test func `reads name, description and segments of a track with the stored fields of each point`() throws {
        let file = try GPXFile(
            GPXSamples.bytes(
                """
                <metadata><name>whole</name><time>2019-11-29T11:00:00Z</time></metadata>
                <trk><name>ride</name><cmt>no</cmt><desc>a &lt;long&gt; one</desc><trkseg>
                <trkpt lat="51.2297" lon="-1.33885"><ele>80.5</ele><time>2019-11-29T12:00:00.250Z</time><hdop>1.5</hdop>
                <name>no</name><extensions><x:gps speed="20"><time>x</time><ele>9</ele></x:gps></extensions></trkpt>
                </trkseg><trkseg/><trkseg><trkpt lat='51.2297' lon='-1.33885'/></trkseg></trk>
                """
            )
        )
        let first = GPXPoint(
            coordinate: Self.place,
            elevation: 80.5,
            time: Self.noon + .milliseconds(250),
            hdop: 1.5
        )
        let track = GPXDocument.Track(
            name: "ride",
            description: "a <long> one",
            segments: [[first], [GPXPoint(coordinate: Self.place)]]
        )
        #expect(file.document == GPXDocument(name: "whole", tracks: [track]))
        #expect(file.accuracyMetres(of: first) == 7.5)
        #expect(file.droppedCount == 0)
    }

    @Test func `reads a route as a track of one segment, in the order of the file`() throws {
        let file = try GPXFile(
            GPXSamples.bytes(
                """
                <trk><name>1</name></trk>
                <rte><name>2</name><desc>d</desc><rtept lat="1" lon="2"><name>no</name></rtept><rtept lat="3" lon="4"/></rte>
                <trk><name>3</name></trk>
                """
            )
        )
        let route = [(1.0, 2.0), (3, 4)].map { GPXPoint(coordinate: Coordinate(latitude: $0, longitude: $1)) }
        #expect(
            file.document.tracks == [
                GPXDocument.Track(name: "1"), GPXDocument.Track(name: "2", description: "d", segments: [route]),
                GPXDocument.Track(name: "3"),
            ]
        )
    }

    @Test func `reads name, comment, description, elevation and time of a way-point`() throws {
        let file = try GPXFile(
            GPXSamples.bytes(
                """
                <wpt lat="51.2297" lon="-1.33885"><ele>-0.5</ele><time>2019-11-29T12:00:00Z</time><magvar>1</magvar>
                <name>n</name><cmt> c&#10;c </cmt><desc><![CDATA[<d>&amp;]]></desc><sym>City</sym></wpt>
                <wpt lat="51.2297" lon="-1.33885"><name>  </name></wpt>
                """
            )
        )
        let first = GPXDocument.Waypoint(
            coordinate: Self.place,
            name: "n",
            comment: "c\nc",
            description: "<d>&amp;",
            elevation: -0.5,
            time: Self.noon
        )
        #expect(file.document == GPXDocument(waypoints: [first, GPXDocument.Waypoint(coordinate: Self.place)]))
    }

    @Test(arguments: ["a\r\nb\rc\nd", "a\r&#10;b&#13;c\nd", "<![CDATA[a\r\nb\rc\nd]]>"])
    func `reads line ends of a text as LF, except references`(text: String) throws {
        let file = try GPXFile(GPXSamples.bytes(#"<wpt lat="1" lon="2"><name>\#(text)</name></wpt>"#))
        let expected = text.contains("&") ? "a\n\nb\rc\nd" : "a\nb\nc\nd"
        #expect(file.document.waypoints.map(\.name) == [expected])
    }

    @Test(
        arguments: [
            "<gpx><trk><trkseg>…</trkseg></trk></gpx>",
            "<gpx version='1.0' xmlns='http://www.topografix.com/GPX/1/0'><trk><trkseg>…</trkseg></trk></gpx>",
            "<a:gpx xmlns:a='http://www.topografix.com/GPX/1/1'><a:trk><a:trkseg>…</a:trkseg></a:trk></a:gpx>",
            "<a:gpx xmlns:a='http://www.topografix.com/GPX/1/1'><trk><trkseg>…</trkseg></trk></a:gpx>",
            "<gpx xmlns='http://www.topografix.com/GPX/1/1'><b:trk xmlns:b='http://www.topografix.com/GPX/1/1'>"
                + "<trkseg>…</trkseg></b:trk></gpx>",
            "<gpx xmlns='http&#58;//www.topografix.com/GPX/1/1'><trk><trkseg>…</trkseg></trk></gpx>",
            "\u{FEFF}<?xml version='1.0' encoding='utf-8' standalone='no'?>\r\n<!-- a - b --><?x y?>"
                + "<gpx><trk><trkseg>…</trkseg ></trk></gpx><!---->",
        ]
    )
    func `recognizes elements of GPX by their namespace with any prefix`(text: String) throws {
        let prefix = text.contains("a:trkseg") ? "a:" : ""
        for point in [#"lat="1" lon="2"/>"#, #"lon = '&#50;' lat='1' ></\#(prefix)trkpt >"#] {
            let file = try GPXFile(Array(text.replacing("…", with: "<\(prefix)trkpt \(point)").utf8))
            #expect(file.points == [GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))])
        }
    }

    @Test(
        .proves("17.7"),
        arguments: [
            // As Komoot, Wahoo and OruxMaps write it: their own version.
            "<gpx version='8.2' xmlns='http://www.topografix.com/GPX/1/1'>…", "<gpx version='5.8'>…",
            "<gpx version=''>…",
            "<gpx version='1.1.0' creator='a'>…", "<gpx version='2.0' xmlns='http://www.topografix.com/GPX/1/0'>…",
            // The namespace, written otherwise.
            "<gpx xmlns='https://www.topografix.com/GPX/1/1'>…", "<gpx xmlns='http://topografix.com/gpx/1/1/'>…",
            "<gpx xmlns='http://www.topografix.com/GPX/1.1'>…", "<gpx xmlns='http://www.topografix.com/GPX/2/0'>…",
            // Before the root.
            "   <?xml version='1.0' encoding='UTF-8'?><gpx>…", "\r\n\t<?xml version='1.0'?>\n<gpx>…",
            "\u{FEFF}\n<?xml version='1.0'?><gpx>…", "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><gpx>…",
            "\u{FEFF}<?xml version='1.0' encoding='windows-1252'?><gpx>…",
            "<?xml version='1.0' encoding='UTF-16LE'?><gpx>…", "<?xml version='1.0' encoding='utf8'?><gpx>…",
            " \n<gpx>…",
        ]
    )
    func `reads a file despite wrong version, namespace and encoding`(text: String) throws {
        let content = #"<trk><name>é</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#
        let file = try GPXFile(Array(text.replacing("…", with: content).utf8))
        #expect(file.points == [GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))])
        #expect(file.document.tracks.map(\.name) == ["é"])
    }

    @Test func `skips extensions by the publisher of GPX`() throws {
        let file = try GPXFile(
            Array(
                """
                <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:o="http://www.topografix.com/GPX/gpx_overlay/0/3">
                <o:trk><o:trkseg><o:trkpt lat="1" lon="2"/></o:trkseg></o:trk></gpx>
                """.utf8
            )
        )
        #expect(file.points.isEmpty && file.droppedCount == 0)
    }

    @Test(
        arguments: [
            #"<x:trkpt lat="1" lon="2"/>"#, #"<y:trkpt lat="1" lon="2"/>"#, #"<trkpt xmlns="urn:x" lat="1" lon="2"/>"#,
            #"<x:a xmlns:x="urn:y"><trkpt lat="1" lon="2"/></x:a>"#, #"<trkpts lat="1" lon="2"/>"#,
            #"<!-- <trkpt lat="1" lon="2"/> -->"#, #"<![CDATA[<trkpt lat="1" lon="2"/>]]>"#,
        ]
    )
    func `skips other elements with their content`(content: String) throws {
        let file = try GPXFile(GPXSamples.track(content))
        #expect(file.document.tracks == [GPXDocument.Track()])
        #expect(file.droppedCount == 0)
    }

    @Test(
        arguments: [
            "", #"lon="2""#, #"lat="1""#, #"lat="north" lon="2""#, #"lat="90.5" lon="2""#, #"lat="NaN" lon="2""#,
            #"lat="1" lon="inf""#, #"lat="1" lon="360.1""#, #"lat="" lon="2""#, #"x:lat="1" lon="2""#,
            #"lat="0x1" lon="2""#,
        ]
    )
    func `drops and counts a point without a valid position`(attributes: String) throws {
        let file = try GPXFile(
            GPXSamples.bytes(
                """
                <wpt \(attributes)><name>a</name></wpt>
                <trk><trkseg><trkpt \(attributes)><ele>1</ele></trkpt><trkpt lat="1" lon="2"/></trkseg></trk>
                <rte><rtept \(attributes)/></rte>
                """
            )
        )
        #expect(file.droppedCount == 3)
        #expect(file.points == [GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))])
        #expect(file.document.waypoints.isEmpty)
    }

    @Test(arguments: [
        "<kml/>", "<gpx xmlns='urn:x'/>", "<x:gpx/>", "<GPX/>",
        "<gpx xmlns='http://www.topografix.com/GPX/gpx_style/0/2'/>",
    ])
    func `rejects other XML`(text: String) {
        #expect(throws: GPXError.notGPX(line: 2)) { try GPXFile(Array("\n\(text)".utf8)) }
    }

    @Test(
        arguments: [
            ("OsmAnd 4.6.6", 12), ("OsmAnd~ 4.7", 12), ("OsmAndRouterV2", 12), ("OsmAnd Maps 4.5.1 (iOS)", 12),
            ("Locus Android", 12), (" locus map 4, android ", 12), ("Garmin Connect", 60), ("", 60),
        ] as [(String, Double)]
    )
    func `reads a dilution as metres from programs that write metres, else as five metres a unit`(
        creator: String,
        metres: Double
    ) throws {
        let point = #"<trk><trkseg><trkpt lat="1" lon="2"><hdop>12</hdop></trkpt></trkseg></trk>"#
        let file = try GPXFile(Array("<gpx version='1.1' creator='\(creator)'>\(point)</gpx>".utf8))
        #expect(file.creator == creator.trimmingCharacters(in: .whitespaces))
        #expect(file.points.map(file.accuracyMetres) == [metres])
    }

    @Test func `a file without a creator, and a point without a dilution, have none`() throws {
        let file = try GPXFile(Array("<gpx><rte><rtept lat='1' lon='2' creator='Locus'/></rte></gpx>".utf8))
        #expect(file.creator == nil)
        #expect(file.points.map(file.accuracyMetres) == [nil])
    }

    @Test func `reports a missing file as unreadable`() {
        let error = #expect(throws: GPXError.self) { try GPXFile(contentsOf: URL(filePath: "/nowhere/at/all.gpx")) }
        #expect(error?.word == "unreadable" && error?.line == nil)
    }
}
