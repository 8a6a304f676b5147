import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct GeoJSONDocumentTests {
    private typealias Document = GeoJSONDocument<[String: String]>

    private static func coordinate(_ index: Int) -> Coordinate {
        Coordinate(latitude: 37.5 + Double(index), longitude: 127)
    }

    /// A point; it has a time if its index is even, and an elevation if it is odd.
    private static func point(_ index: Int) -> GPXPoint {
        let time = Instant(milliseconds: Int64(index) * 500)
        return index.isMultiple(of: 2)
            ? GPXPoint(coordinate: coordinate(index), time: time)
            : GPXPoint(coordinate: coordinate(index), elevation: 8.5)
    }

    private static let zero = "[127,37.5]"
    private static let one = "[127,38.5,8.5]"
    private static let two = "[127,39.5]"

    @Test(arguments: [
        ([], "null", ""),
        ([[0]], #"{"coordinates":\#(zero),"type":"Point"}"#, #""coordTimes":["1970-01-01T00:00:00Z"],"#),
        ([[1]], #"{"coordinates":\#(one),"type":"Point"}"#, ""),
        (
            [[0, 1]], #"{"coordinates":[\#(zero),\#(one)],"type":"LineString"}"#,
            #""coordTimes":["1970-01-01T00:00:00Z",null],"#
        ),
        // A segment of one point is not a line.
        ([[0], [1, 3]], #"{"coordinates":[\#(one),[127,40.5,8.5]],"type":"LineString"}"#, ""),
        (
            [[0, 1], [], [2, 1]],
            #"{"coordinates":[[\#(zero),\#(one)],[\#(two),\#(one)]],"type":"MultiLineString"}"#,
            #""coordTimes":[["1970-01-01T00:00:00Z",null],["1970-01-01T00:00:01Z",null]],"#
        ),
    ])
    func `a track is a point, a line or lines, with its times in the same shape`(
        segments: [[Int]],
        geometry: String,
        times: String
    ) throws {
        let feature = Document.Feature(segments: segments.map { $0.map(Self.point) }, properties: ["name": "a/b"])
        let text = try Document(features: [feature]).text()
        let expected = #"{"geometry":\#(geometry),"properties":{\#(times)"name":"a/b"},"type":"Feature"}"#
        #expect(text == #"{"features":[\#(expected)],"type":"FeatureCollection"}"# + "\n")
    }

    @Test func `writes the way-points, then the tracks`() throws {
        let document = GPXDocument(
            name: "whole",
            waypoints: [GPXDocument.Waypoint(coordinate: Self.coordinate(0), name: "w", comment: "c", elevation: 1)],
            tracks: [GPXDocument.Track(name: "t", description: "d", segments: [[Self.point(1), Self.point(3)]])]
        )
        let place = #"{"geometry":{"coordinates":[127,37.5,1],"type":"Point"},"properties":{"cmt":"c","name":"w"},"#
        let way = #"{"geometry":{"coordinates":[\#(Self.one),[127,40.5,8.5]],"type":"LineString"},"#
        let names = #""properties":{"desc":"d","name":"t"},"type":"Feature"}],"type":"FeatureCollection"}"#
        #expect(try document.geoJSON() == #"{"features":["# + place + #""type":"Feature"},"# + way + names + "\n")
    }

    @Test(.proves("12.1")) func `imports points as places with the same positions`() throws {
        let features = (0..<3).map {
            Document.Feature(coordinate: Self.coordinate($0), properties: ["name": "place \($0)"])
        }
        let text = try Document(features: features).text()
        let file = try PlaceFile(text, .geoJSON, mapping: try PlaceMapping("name=name"))
        #expect(file.places.map(\.coordinate) == (0..<3).map(Self.coordinate))
    }

    @Test func `rejects a position that is not a number`() {
        let feature = Document.Feature(coordinate: Coordinate(latitude: .nan, longitude: 0), properties: [:])
        #expect(throws: FormatError.self) { try Document(features: [feature]).text() }
    }
}
