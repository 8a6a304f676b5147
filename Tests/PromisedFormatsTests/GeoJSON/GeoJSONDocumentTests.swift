import PromisedDomain
import PromisedFormats
import Testing

@Suite struct GeoJSONDocumentTests {
    private typealias Document = GeoJSONDocument<[String: String]>

    private static func points(_ count: Int) -> [Coordinate] {
        (0..<count).map { Coordinate(latitude: 37.5 + Double($0), longitude: 127) }
    }

    @Test(arguments: [
        (1, #""geometry":{"coordinates":[127,37.5],"type":"Point"}"#),
        (2, #""geometry":{"coordinates":[[127,37.5],[127,38.5]],"type":"LineString"}"#),
    ])
    func `one coordinate is a point, several are a line`(count: Int, geometry: String) throws {
        let feature = Document.Feature(coordinates: Self.points(count), properties: ["name": "a/b"])
        let text = try Document(features: [feature]).text()
        let expected = #"{"features":[{\#(geometry),"properties":{"name":"a/b"},"type":"Feature"}],"#
        #expect(text == expected + #""type":"FeatureCollection"}"# + "\n")
    }

    @Test func `points are imported as places with the same positions`() throws {
        let features = Self.points(3).map {
            Document.Feature(coordinates: [$0], properties: ["name": "\($0.latitude)"])
        }
        let text = try Document(features: features).text()
        let file = try PlaceFile(text, .geoJSON, mapping: try PlaceMapping("name=name"))
        #expect(file.places.map(\.coordinate) == Self.points(3))
    }

    @Test func `a position that is no number is refused`() {
        let feature = Document.Feature(coordinates: [Coordinate(latitude: .nan, longitude: 0)], properties: [:])
        #expect(throws: FormatError.self) { try Document(features: [feature]).text() }
    }
}
