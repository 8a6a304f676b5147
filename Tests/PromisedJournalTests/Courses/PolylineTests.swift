import PromisedDomain
import PromisedJournal
import PromisedSimulation
import Testing

@Suite struct PolylineTests {
    @Test func `encodes the example of the format's description`() {
        let coordinates = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(Polyline.encode(coordinates) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(Polyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@") == coordinates)
        #expect(Polyline.encode([]) == "")
        #expect(Polyline.decode("") == [])
    }

    @Test(arguments: 0..<100)
    func `decodes the coordinates within 0.8 m`(seed: UInt64) throws {
        let coordinates = RandomTrack(seed: seed).points.map(\.coordinate)
        let decoded = try #require(Polyline.decode(Polyline.encode(coordinates)))
        #expect(decoded.count == coordinates.count)
        #expect(zip(decoded, coordinates).allSatisfy { $0.distanceMetres(to: $1) < 0.8 }, "seed \(seed)")
        #expect(Polyline.decode(Polyline.encode(decoded)) == decoded, "seed \(seed)")
    }

    @Test func `encodes both poles and both sides of the date line`() {
        let corners = [(90, 180), (-90, -180), (90, -180), (0, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(Polyline.decode(Polyline.encode(corners)) == corners)
    }

    @Test(arguments: ["_", "_p~iF", "_p~iF~ps|", "_p~iF~ps|U ", "é", "~~~~~~~~~~~~~~~~", "_ajfE?_ajfE?_ajfE?"])
    func `rejects malformed texts and points beyond the earth`(text: String) {
        #expect(Polyline.decode(text) == nil)
    }
}
