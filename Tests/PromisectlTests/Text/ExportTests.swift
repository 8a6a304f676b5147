import Foundation
import PromisedProtocol
import Testing

@testable import promisectl

@Suite("Exported tracks")
struct ExportTests {
    private func sample() throws -> TrackExport {
        var promise = try WirePromise.sample()
        promise.title = "Lunch <&> \"co\"\u{1}"
        return TrackExport(
            promise: promise,
            positions: [
                try .sample("ada", second: 1, latitude: 52.5), try .sample("ada", second: 6, latitude: 52.51),
                try .sample("ada", device: 2, second: 3, latitude: 52.49),
                try .sample("zoe", second: 2, latitude: 52.4), try .sample("zoe", second: 7, latitude: 52.41),
            ]
        )
    }

    @Test(arguments: ExportFormat.allCases)
    func `are documents of their kind`(format: ExportFormat) throws {
        try Golden.expect(try format.document(of: sample()), matches: "export.\(format.rawValue)")
    }

    @Test func `GeoJSON parses, and has a point where there is one position only`() throws {
        let text = try ExportFormat.geojson.document(of: sample())
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        let kinds = features.map { ($0["geometry"] as? [String: Any])?["type"] as? String }
        #expect(kinds == ["Point", "LineString", "Point", "LineString"])
    }

    @Test func `a promise without positions is still a document`() throws {
        let export = TrackExport(promise: try .sample(), positions: [])
        #expect(GPXText.text(of: export).hasSuffix("</gpx>\n"))
        #expect(CSVText.text(of: export).utf8.filter { $0 == 0x0A }.count == 1)
    }
}
