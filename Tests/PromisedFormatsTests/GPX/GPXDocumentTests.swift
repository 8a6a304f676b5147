import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct GPXDocumentTests {
    @Test func `writes a document as GPX 1.1`() {
        let place = Coordinate(latitude: 51.2297, longitude: -1.33885)
        let document = GPXDocument(
            name: "a <b> & \"c\" 'd'\u{1}\r",
            waypoints: [
                GPXDocument.Waypoint(
                    coordinate: place,
                    name: "시장",
                    comment: "]]>",
                    description: "d",
                    elevation: 80,
                    time: Instant(milliseconds: 0)
                )
            ],
            tracks: [
                GPXDocument.Track(
                    name: "n",
                    description: "d",
                    segments: [
                        [
                            GPXPoint(
                                coordinate: Coordinate(latitude: -0.00000004, longitude: 179.99999996),
                                elevation: -0.114380,
                                time: Instant(milliseconds: 1_575_028_800_250),
                                hdop: 1.5
                            )
                        ],
                        [GPXPoint(coordinate: place, elevation: 1e-7)],
                    ]
                ),
                GPXDocument.Track(),
            ]
        )
        #expect(
            document.text(creator: "test \"1\"") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="test &quot;1&quot;" xmlns="http://www.topografix.com/GPX/1/1">
                  <metadata>
                    <name>a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;\u{FFFD}&#13;</name>
                  </metadata>
                  <wpt lat="51.2297000" lon="-1.3388500">
                    <ele>80</ele>
                    <time>1970-01-01T00:00:00Z</time>
                    <name>시장</name>
                    <cmt>]]&gt;</cmt>
                    <desc>d</desc>
                  </wpt>
                  <trk>
                    <name>n</name>
                    <desc>d</desc>
                    <trkseg>
                      <trkpt lat="0.0000000" lon="180.0000000">
                        <ele>-0.11438</ele>
                        <time>2019-11-29T12:00:00.250Z</time>
                        <hdop>1.5</hdop>
                      </trkpt>
                    </trkseg>
                    <trkseg>
                      <trkpt lat="51.2297000" lon="-1.3388500">
                        <ele>0.0000001</ele>
                      </trkpt>
                    </trkseg>
                  </trk>
                  <trk>
                  </trk>
                </gpx>

                """
        )
    }

    @Test func `writes an empty document`() throws {
        let text = GPXDocument().text(creator: "test")
        #expect(try GPXFile(Array(text.utf8)).document == GPXDocument())
    }

    @Test(.proves("17.7")) func `reads a written document back unchanged`() throws {
        for seed in UInt64(1)...300 {
            var numbers = SeededNumbers(seed: seed)
            let document = GPXSamples.document(with: &numbers)
            let file = try GPXFile(Array(document.text(creator: "test").utf8))
            #expect(file.document == document, "seed \(seed)")
            #expect(file.droppedCount == 0)
        }
    }

    @Test func `rounds positions of more than seven places once`() throws {
        for seed in UInt64(1)...100 {
            var numbers = SeededNumbers(seed: seed)
            let points = (0..<20).map { _ in
                GPXPoint(
                    coordinate: Coordinate(
                        latitude: Double.random(in: -90...90, using: &numbers),
                        longitude: Double.random(in: -180...180, using: &numbers)
                    )
                )
            }
            let document = GPXDocument(tracks: [GPXDocument.Track(segments: [points])])
            let first = try GPXFile(Array(document.text(creator: "test").utf8))
            let second = try GPXFile(Array(first.document.text(creator: "test").utf8))
            #expect(first == second, "seed \(seed)")
            #expect(
                zip(points, first.points).allSatisfy {
                    abs($0.coordinate.latitude - $1.coordinate.latitude) <= 0.500001e-7
                        && abs($0.coordinate.longitude - $1.coordinate.longitude) <= 0.500001e-7
                },
                "seed \(seed)"
            )
        }
    }

    @Test func `omits invalid positions, numbers and times`() throws {
        let bad = Coordinate(latitude: .nan, longitude: 0)
        let place = Coordinate(latitude: 1, longitude: 2)
        let document = GPXDocument(
            waypoints: [
                GPXDocument.Waypoint(coordinate: bad), GPXDocument.Waypoint(coordinate: place, elevation: .infinity),
            ],
            tracks: [
                GPXDocument.Track(segments: [
                    [
                        GPXPoint(coordinate: bad), GPXPoint(coordinate: place, elevation: .nan, hdop: .infinity),
                        GPXPoint(coordinate: place, elevation: 1e8, time: Instant(milliseconds: .max)),
                        GPXPoint(coordinate: Coordinate(latitude: 91, longitude: 0)),
                    ]
                ])
            ]
        )
        let read = try GPXFile(Array(document.text(creator: "test").utf8)).document
        #expect(read.waypoints == [GPXDocument.Waypoint(coordinate: place)])
        let points = [GPXPoint](repeating: GPXPoint(coordinate: place), count: 2)
        #expect(read.tracks == [GPXDocument.Track(segments: [points])])
    }

    @Test func `writes a large document in pieces of bounded size`() throws {
        var numbers = SeededNumbers(seed: 1)
        let points = (0..<10_000).map { _ in GPXSamples.point(with: &numbers) }
        let document = GPXDocument(tracks: [GPXDocument.Track(segments: [points])])
        let chunks = Array(document.chunks(creator: "test"))
        #expect(chunks.count > 10)
        #expect(chunks.dropLast().allSatisfy { (65_536..<66_000).contains($0.count) })
        #expect(chunks.flatMap(\.self) == Array(document.text(creator: "test").utf8))
        #expect(try GPXFile(chunks.flatMap(\.self)).points == points)
    }
}
