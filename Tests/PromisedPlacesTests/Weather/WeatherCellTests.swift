import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@Suite struct WeatherCellTests {
    struct Spot: CustomTestStringConvertible, Sendable {
        var name: String
        var latitude: Double
        var longitude: Double
        var kma: String?
        var tenth: String
        var degrees: String
        var testDescription: String { name }
        var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    static let spots: [Spot] = [
        Spot(
            name: "Seoul",
            latitude: 37.57987,
            longitude: 126.98936,
            kma: "kma/60,127",
            tenth: "tenth/375,1269",
            degrees: "37.55,126.95"
        ),
        Spot(
            name: "Haeundae",
            latitude: 35.1587,
            longitude: 129.1604,
            kma: "kma/99,75",
            tenth: "tenth/351,1291",
            degrees: "35.15,129.15"
        ),
        Spot(
            name: "Jeju",
            latitude: 33.5009,
            longitude: 126.5466,
            kma: "kma/53,38",
            tenth: "tenth/335,1265",
            degrees: "33.55,126.55"
        ),
        Spot(
            name: "Baengnyeong",
            latitude: 37.9645,
            longitude: 124.7140,
            kma: "kma/21,135",
            tenth: "tenth/379,1247",
            degrees: "37.95,124.75"
        ),
        Spot(
            name: "Dokdo",
            latitude: 37.2426,
            longitude: 131.8597,
            kma: "kma/144,123",
            tenth: "tenth/372,1318",
            degrees: "37.25,131.85"
        ),
        // Outside Korea's grid.
        Spot(
            name: "Tokyo",
            latitude: 35.6812,
            longitude: 139.7671,
            kma: nil,
            tenth: "tenth/356,1397",
            degrees: "35.65,139.75"
        ),
        Spot(
            name: "south-west of nowhere",
            latitude: -0.001,
            longitude: -0.001,
            kma: nil,
            tenth: "tenth/-1,-1",
            degrees: "-0.05,-0.05"
        ),
        Spot(
            name: "Wellington",
            latitude: -41.29,
            longitude: 174.78,
            kma: nil,
            tenth: "tenth/-413,1747",
            degrees: "-41.25,174.75"
        ),
        // The edges of the world.
        Spot(
            name: "the north pole",
            latitude: 90,
            longitude: 0,
            kma: nil,
            tenth: "tenth/899,0",
            degrees: "89.95,0.05"
        ),
        Spot(
            name: "the south pole on the date line",
            latitude: -90,
            longitude: 180,
            kma: nil,
            tenth: "tenth/-900,-1800",
            degrees: "-89.95,-179.95"
        ),
    ]

    @Test(arguments: spots)
    func `a point has its cells`(_ spot: Spot) {
        #expect(WeatherSource.kma.cell(at: spot.coordinate)?.text == spot.kma)
        let tenth = WeatherCell(tenthAt: spot.coordinate)
        #expect(tenth.text == spot.tenth)
        #expect("\(tenth.degrees.latitude),\(tenth.degrees.longitude)" == spot.degrees)
        #expect(WeatherSource.openMeteo.cell(at: spot.coordinate) == tenth)
        #expect(WeatherSource.metNorway.cell(at: spot.coordinate) == tenth)
    }

    @Test func `each cell of the grid contains its centre`() {
        for x in stride(from: 1, through: 149, by: 4) {
            for y in 1...253 {
                let cell = WeatherCell.kma(x: x, y: y)
                guard WeatherCell(kmaAt: cell.centre) == cell else {
                    Issue.record("\(cell.text) has its middle at \(cell.centre)")
                    return
                }
            }
        }
    }

    @Test(arguments: [(0, 127), (150, 127), (60, 0), (60, 254)])
    func `limits the grid to its area`(x: Int, y: Int) {
        // The middle of a neighbour beyond the edge is one step farther than the middles at the edge.
        let inside = WeatherCell.kma(x: min(max(x, 1), 149), y: min(max(y, 1), 253)).centre
        let further = WeatherCell.kma(x: min(max(x, 2), 148), y: min(max(y, 2), 252)).centre
        let outside = Coordinate(
            latitude: 2 * inside.latitude - further.latitude,
            longitude: 2 * inside.longitude - further.longitude
        )
        #expect(WeatherCell(kmaAt: inside) != nil)
        #expect(WeatherCell(kmaAt: outside) == nil)
    }

    @Test func `the tenth of a grid cell depends only on the cell`() {
        let seoul = WeatherCell.kma(x: 60, y: 127)
        #expect(seoul.tenth.text == "tenth/375,1269")
        #expect(seoul.degrees.latitude == "37.55")
    }

    @Test func `reads cells from their names`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let point = Coordinate(latitude: generator.uniform(-90...90), longitude: generator.uniform(-180...180))
            let cell = WeatherCell(tenthAt: point)
            #expect(WeatherCell(text: cell.text) == cell, "seed 11: \(point)")
            #expect(WeatherCell(tenthAt: cell.centre) == cell, "seed 11: \(point)")
        }
        let cell = WeatherCell.kma(x: 1, y: 253)
        let json = try JSONEncoder().encode([cell])
        #expect(String(decoding: json, as: UTF8.self) == #"["kma\/1,253"]"#)
        #expect(try JSONDecoder().decode([WeatherCell].self, from: json) == [cell])
    }

    @Test(arguments: [
        "", "kma", "kma/", "kma/60", "kma/60,127,1", "kma/0,127", "kma/150,127", "kma/60,254", "kma/+60,127",
        "kma/060,127", "tenth/900,0", "tenth/-901,0", "tenth/0,1800", "tenth/0,-1801", "tenth/a,b", "town/60,127",
    ])
    func `rejects other texts as names of cells`(text: String) {
        #expect(WeatherCell(text: text) == nil)
    }

    struct Base: Sendable {
        var now: String
        var base: String
    }

    static let bases: [Base] = [
        // Published ten minutes after 05 h in Korea: before, at it, after.
        Base(now: "2026-11-20T20:09:59.999Z", base: "2026-11-20T17:00:00Z"),
        Base(now: "2026-11-20T20:10:00Z", base: "2026-11-20T20:00:00Z"),
        Base(now: "2026-11-20T23:09:59Z", base: "2026-11-20T20:00:00Z"),
        // Midnight in Korea lies between 23 h and 02 h.
        Base(now: "2026-11-20T15:00:00Z", base: "2026-11-20T14:00:00Z"),
        Base(now: "2026-11-20T17:10:00Z", base: "2026-11-20T17:00:00Z"),
    ]

    @Test(arguments: bases)
    func `derives the newest forecast of Korea from the clock`(_ row: Base) throws {
        let now = try #require(Instant(rfc3339: row.now))
        #expect(KMATimetable.lastBase(at: now).rfc3339 == row.base)
        #expect(WeatherSource.kma.lastPublication(at: now) == KMATimetable.lastBase(at: now) + .minutes(10))
        #expect(WeatherSource.openMeteo.lastPublication(at: now) == nil)
    }
}
