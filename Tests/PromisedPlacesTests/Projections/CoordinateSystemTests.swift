import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@Suite struct CoordinateSystemTests {
    struct Place: CustomTestStringConvertible, Sendable {
        var system: CoordinateSystem
        var latitude: Double
        var longitude: Double
        var x: Double
        var y: Double
        var testDescription: String { "EPSG \(system.rawValue) at \(latitude), \(longitude)" }

        init(_ system: CoordinateSystem, _ place: (latitude: Double, longitude: Double), _ x: Double, _ y: Double) {
            self.system = system
            latitude = place.latitude
            longitude = place.longitude
            self.x = x
            self.y = y
        }
    }

    static let gwanghwamun = (latitude: 37.5796, longitude: 126.9770)
    static let haeundae = (latitude: 35.1587, longitude: 129.1604)
    static let jeju = (latitude: 33.5009, longitude: 126.5466)
    static let dokdo = (latitude: 37.2426, longitude: 131.8597)
    static let baengnyeong = (latitude: 37.9645, longitude: 124.7140)

    /// Computed with PROJ 9.5.1.
    static let places: [Place] = [
        Place(.wgs84, gwanghwamun, 126.9770, 37.5796),
        Place(.webMercator, gwanghwamun, 14_135_014.98, 4_520_206.44),
        Place(.webMercator, haeundae, 14_378_069.96, 4_185_468.81),
        Place(.webMercator, baengnyeong, 13_883_098.97, 4_574_412.07),
        Place(.koreanModifiedCentralBelt, gwanghwamun, 197_898.78, 453_033.83),
        Place(.koreanModifiedCentralBelt, haeundae, 396_780.66, 186_528.99),
        Place(.koreanModifiedCentralBelt, jeju, 157_792.77, 588.80),
        Place(.koreanModifiedCentralBelt, dokdo, 631_264.02, 426_709.13),
        Place(.koreanModifiedCentralBelt, baengnyeong, -965.54, 498_224.12),
        Place(.koreaUnified, gwanghwamun, 953_820.94, 1_953_485.95),
        Place(.koreaUnified, haeundae, 1_151_228.32, 1_686_089.53),
        Place(.koreaUnified, jeju, 911_442.39, 1_501_410.68),
        Place(.koreaUnified, dokdo, 1_386_773.68, 1_924_885.55),
        Place(.koreaUnified, baengnyeong, 755_255.11, 1_999_723.34),
        Place(.koreaCentralBelt, gwanghwamun, 197_968.38, 453_339.00),
        Place(.koreaCentralBelt, jeju, 157_869.18, 896.31),
        Place(.koreaCentralBelt2010, gwanghwamun, 197_968.38, 553_339.00),
        Place(.koreaCentralBelt2010, dokdo, 631_331.16, 527_022.20),
        Place(.koreaEastBelt2010, gwanghwamun, 21_295.79, 555_263.23),
        Place(.koreaEastBelt2010, baengnyeong, -176_717.42, 604_736.66),
    ]

    @Test(arguments: places)
    func `converts known places within a centimetre, both ways`(_ row: Place) throws {
        let coordinate = Coordinate(latitude: row.latitude, longitude: row.longitude)
        let point = row.system.point(of: coordinate)
        #expect(abs(point.x - row.x) < 0.01 && abs(point.y - row.y) < 0.01)
        let back = try #require(row.system.coordinate(of: ProjectedPoint(x: row.x, y: row.y)))
        // The datum shift is made in both directions with small angles and without heights.
        #expect(back.distanceMetres(to: coordinate) < (row.system == .koreanModifiedCentralBelt ? 0.05 : 0.01))
    }

    @Test(arguments: CoordinateSystem.allCases)
    func `converting to a system and back gives the same point`(_ system: CoordinateSystem) throws {
        var generator = SeededGenerator(seed: 5_174)
        for _ in 0..<2_000 {
            let start = Coordinate(latitude: generator.uniform(30...45), longitude: generator.uniform(120...135))
            let end = try #require(system.coordinate(of: system.point(of: start)))
            #expect(start.distanceMetres(to: end) < 0.05, "seed 5174: \(start)")
        }
    }

    @Test func `web Mercator covers all longitudes`() throws {
        var generator = SeededGenerator(seed: 3_857)
        for _ in 0..<2_000 {
            let start = Coordinate(latitude: generator.uniform(-85...85), longitude: generator.uniform(-180...180))
            let end = try #require(
                CoordinateSystem.webMercator.coordinate(of: CoordinateSystem.webMercator.point(of: start))
            )
            #expect(start.distanceMetres(to: end) < 1e-6, "seed 3857: \(start)")
        }
    }

    @Test func `a system has the code of the registry`() {
        #expect(CoordinateSystem.allCases.map(\.rawValue) == [4326, 3857, 5174, 5179, 5181, 5186, 5187])
        #expect(CoordinateSystem(rawValue: 5185) == nil)
    }

    struct Refusal: Sendable {
        var system: CoordinateSystem
        var x: Double
        var y: Double
        var isTaken: Bool
    }

    static let refusals: [Refusal] = [
        // Degrees: on the edge, and one after.
        Refusal(system: .wgs84, x: 180, y: 90, isTaken: true),
        Refusal(system: .wgs84, x: (180.0).nextUp, y: 90, isTaken: false),
        Refusal(system: .wgs84, x: 37.5, y: 126.9, isTaken: false),
        // The edge of the web map, and a metre beyond.
        Refusal(system: .webMercator, x: 20_037_508, y: 0, isTaken: true),
        Refusal(system: .webMercator, x: 20_037_509, y: 0, isTaken: false),
        // The range of the series, and beyond it.
        Refusal(system: .koreaCentralBelt, x: 3_200_000, y: 500_000, isTaken: true),
        Refusal(system: .koreaCentralBelt, x: 3_200_001, y: 500_000, isTaken: false),
        Refusal(system: .koreaCentralBelt, x: 200_000, y: -2_500_000, isTaken: true),
        Refusal(system: .koreaCentralBelt, x: 200_000, y: -2_500_001, isTaken: false),
        Refusal(system: .koreanModifiedCentralBelt, x: 1e9, y: 1e9, isTaken: false),
        // No numbers.
        Refusal(system: .koreaUnified, x: .nan, y: 2_000_000, isTaken: false),
        Refusal(system: .koreaUnified, x: 1_000_000, y: .infinity, isTaken: false),
        Refusal(system: .wgs84, x: .nan, y: 0, isTaken: false),
    ]

    @Test(arguments: refusals)
    func `rejects places outside the system`(_ row: Refusal) {
        let coordinate = row.system.coordinate(of: ProjectedPoint(x: row.x, y: row.y))
        #expect((coordinate != nil) == row.isTaken)
    }
}
