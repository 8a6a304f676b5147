import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct CoordinateTests {
    struct Distance: CustomTestStringConvertible, Sendable {
        var name: String
        var from: (latitude: Double, longitude: Double)
        var to: (latitude: Double, longitude: Double)
        var metres: Double
        var tolerance: Double = 0.001
        var testDescription: String { name }
    }

    /// One degree of a great circle of the sphere of 6 371 000 m.
    static let degree = Double.pi * 6_371_000 / 180

    static let distances: [Distance] = [
        // Plain.
        Distance(name: "nowhere at all", from: (37.5665, 126.978), to: (37.5665, 126.978), metres: 0, tolerance: 0),
        Distance(name: "a degree of latitude", from: (10, 20), to: (11, 20), metres: degree),
        Distance(name: "a degree of the equator", from: (0, 20), to: (0, 21), metres: degree),
        Distance(name: "a degree along 60° north", from: (60, 20), to: (60, 21), metres: 55_596.93, tolerance: 0.1),
        Distance(name: "a metre", from: (0, 20), to: (1 / degree, 20), metres: 1, tolerance: 1e-6),
        Distance(
            name: "Seoul to Busan",
            from: (37.5665, 126.978),
            to: (35.1796, 129.0756),
            metres: 325_110,
            tolerance: 500
        ),
        Distance(
            name: "Paris to London",
            from: (48.8566, 2.3522),
            to: (51.5074, -0.1278),
            metres: 343_560,
            tolerance: 500
        ),
        // The date line.
        Distance(name: "across ±180°", from: (0, 179.5), to: (0, -179.5), metres: degree),
        Distance(name: "−180° is 180°", from: (10, 180), to: (10, -180), metres: 0, tolerance: 1e-6),
        Distance(name: "a metre across ±180°", from: (0, 180 - 0.5 / degree), to: (0, -180 + 0.5 / degree), metres: 1),
        // The poles.
        Distance(name: "any longitude is the north pole", from: (90, 0), to: (90, 123), metres: 0, tolerance: 1e-6),
        Distance(name: "any longitude is the south pole", from: (-90, -77), to: (-90, 51), metres: 0, tolerance: 1e-6),
        Distance(name: "over the north pole", from: (89.5, 0), to: (89.5, 180), metres: degree),
        Distance(name: "pole to pole", from: (90, 0), to: (-90, 0), metres: 180 * degree),
        // Antipodes, where rounding may lift √h above 1.
        Distance(name: "antipodes on the equator", from: (0, 0.1), to: (0, -179.9), metres: 180 * degree),
        Distance(name: "antipodes anywhere", from: (37.5, 127), to: (-37.5, -53), metres: 180 * degree),
    ]

    @Test(.proves("5.14"), arguments: distances)
    func `measures known distances in both directions`(_ row: Distance) {
        let from = Coordinate(latitude: row.from.latitude, longitude: row.from.longitude)
        let to = Coordinate(latitude: row.to.latitude, longitude: row.to.longitude)
        #expect(abs(from.distanceMetres(to: to) - row.metres) <= row.tolerance)
        #expect(abs(to.distanceMetres(to: from) - row.metres) <= row.tolerance)
    }

    @Test(.proves("5.14")) func `the distance of antipodes is finite`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let latitude = Double.random(in: -90...90, using: &generator)
            let longitude = Double.random(in: -180...0, using: &generator)
            let here = Coordinate(latitude: latitude, longitude: longitude)
            let there = Coordinate(latitude: -latitude, longitude: longitude + 180)
            #expect(abs(here.distanceMetres(to: there) - 180 * CoordinateTests.degree) < 1)
        }
    }

    struct Validity: Sendable {
        var latitude: Double
        var longitude: Double
        var isValid: Bool
    }

    static let validities: [Validity] = [
        // Latitude: at the limit, and beyond it.
        Validity(latitude: 90, longitude: 0, isValid: true),
        Validity(latitude: (90.0).nextUp, longitude: 0, isValid: false),
        Validity(latitude: -90, longitude: 0, isValid: true),
        Validity(latitude: (-90.0).nextDown, longitude: 0, isValid: false),
        // Longitude: at the limit, and beyond it.
        Validity(latitude: 1, longitude: 180, isValid: true),
        Validity(latitude: 1, longitude: (180.0).nextUp, isValid: false),
        Validity(latitude: 1, longitude: -180, isValid: true),
        Validity(latitude: 1, longitude: (-180.0).nextDown, isValid: false),
        // No numbers.
        Validity(latitude: .nan, longitude: 0, isValid: false),
        Validity(latitude: 1, longitude: .nan, isValid: false),
        Validity(latitude: .infinity, longitude: 0, isValid: false),
        Validity(latitude: 1, longitude: -.infinity, isValid: false),
    ]

    @Test(arguments: validities)
    func `the ranges include their ends and reject values beyond`(_ row: Validity) {
        #expect(Coordinate(latitude: row.latitude, longitude: row.longitude).isValid == row.isValid)
    }

    @Test func `only the exact position 0, 0 is null`() {
        #expect(Coordinate(latitude: 0, longitude: 0).isNull)
        #expect(Coordinate(latitude: -0.0, longitude: 0).isNull)
        #expect(!Coordinate(latitude: .leastNonzeroMagnitude, longitude: 0).isNull)
        #expect(!Coordinate(latitude: 0, longitude: 1e-9).isNull)
    }

    @Test(arguments: [1.0, 45, 50, 60, 499.999, 1_500, -50])
    func `the builder places fixes at the exact distance`(metres: Double) {
        let point = Coordinate.meetingPlace.north(metres)
        #expect(point.distanceMetres(to: .meetingPlace) == abs(metres))
    }
}
