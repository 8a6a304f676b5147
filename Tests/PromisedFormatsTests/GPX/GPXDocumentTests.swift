import Foundation
import PromisedDomain
import PromisedFormats
import Testing

@Suite struct GPXDocumentTests {
    @Test func `a track is read as it was written`() throws {
        for seed in UInt64(1)...100 {
            var numbers = SeededNumbers(seed: seed)
            let points = (0..<20).map { _ in
                GPXPoint(
                    time: Instant(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &numbers)),
                    coordinate: Coordinate(
                        latitude: Double.random(in: -90...90, using: &numbers),
                        longitude: Double.random(in: -180...180, using: &numbers)
                    ),
                    hdop: Bool.random(using: &numbers) ? Double.random(in: 0...9, using: &numbers) : nil
                )
            }
            let text = GPXDocument(
                creator: "test",
                name: "",
                waypoints: [],
                tracks: [GPXDocument.Track(name: "", points: points)]
            ).text
            let read = try GPXFile(Data(text.utf8))
            #expect(read.points == points, "seed \(seed)")
        }
    }

    @Test func `names are escaped, and characters that XML does not have are replaced`() throws {
        let text = GPXDocument(
            creator: "a \"b\"",
            name: "<&>'\u{1}시장",
            waypoints: [GPXDocument.Waypoint(name: "]]>", coordinate: Coordinate(latitude: 1, longitude: -2.5))],
            tracks: []
        ).text
        #expect(text.contains("creator=\"a &quot;b&quot;\""))
        #expect(text.contains("<name>&lt;&amp;&gt;&apos;\u{FFFD}시장</name>"))
        #expect(text.contains("<wpt lat=\"1.0\" lon=\"-2.5\">\n    <name>]]&gt;</name>"))
        #expect(try GPXFile(Data(text.utf8)).points.isEmpty)
    }
}
