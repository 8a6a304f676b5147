import Foundation
import PromisedDomain
import Testing

@testable import PromisedPlaces

@Suite struct ZoneEstimateTests {
    @Test(arguments: [
        (37.7749, -122.4194, "America/Los_Angeles"), (37.5665, 126.9780, "Asia/Seoul"),
        (52.52, 13.405, "Europe/Berlin"),
        (-33.8688, 151.2093, "Australia/Sydney"), (1.87, -157.4, "Pacific/Kiritimati"),
    ])
    func `the zone of a city is among those around it`(latitude: Double, longitude: Double, zone: String) {
        let zones = ZoneEstimate.zones(around: Coordinate(latitude: latitude, longitude: longitude))
        #expect(zones.contains(zone))
        #expect(Set(zones).count == zones.count)
    }

    @Test(arguments: [(90.0, 0.0), (-90, 180), (0, 180), (0, -180), (0, 0), (-48.9, -123.4)])
    func `finds a zone for every point`(latitude: Double, longitude: Double) {
        #expect(!ZoneEstimate.zones(around: Coordinate(latitude: latitude, longitude: longitude)).isEmpty)
    }

    @Test func `finds equal zones on both sides of the date line`() {
        let (west, east) = (Coordinate(latitude: -17, longitude: 179.9), Coordinate(latitude: -17, longitude: -179.9))
        #expect(ZoneEstimate.zones(around: west).first == "Pacific/Fiji")
        #expect(ZoneEstimate.zones(around: east).first == "Pacific/Fiji")
    }

    @Test func `the page uses the same table`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = root.appendingPathComponent("Clients/Web/zones.js").standardizedFileURL
        let script = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(script.split(separator: "`").first { $0.contains("Africa/Abidjan") })
        func entries(_ text: some StringProtocol) -> [String] {
            text.split { $0 == ";" || $0 == "\n" }.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }
        }
        #expect(entries(table) == entries(PrincipalPlaces.table))
        #expect(entries(table).count == 312)
    }
}
