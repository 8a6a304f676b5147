import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import Testing

@testable import PromisedJournal

/// The circles that hide one door repeatedly, seen by its user and by an attacker.
@Suite struct EndShiftTests {
    private static let door = Coordinate(latitude: 37.5665, longitude: 126.978)
    private static let plane = LocalPlane(origin: door)

    /// The secret of one of many users.
    private static func secret(_ number: Int) -> EndsSecret {
        EndsSecret(first: 11, second: 12).derived(for: .number(UInt64(number)))
    }

    /// The way from an end to the middle of its circle.
    private static func shift(of end: Coordinate, _ shift: EndShift) -> PlanePoint {
        LocalPlane(origin: end).point(of: shift.middle(of: end))
    }

    // MARK: - The secret

    @Test func `a number is the SipHash-2-4 of its words`() {
        // From the reference implementation, for the key 00 01 … 0f and 0, 8 and 16 bytes 00 01 ….
        let key = EndsSecret(first: 0x0706_0504_0302_0100, second: 0x0F0E_0D0C_0B0A_0908)
        #expect(key.number() == 0x726F_DB47_DD0E_0E31)
        #expect(key.number(0x0706_0504_0302_0100) == 0x93F5_F579_9A93_2462)
        #expect(key.number(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908) == 0x3F2A_CC7F_57C2_9BDB)
    }

    @Test(.proves("17.12")) func `each user of each server has a different secret, hidden from descriptions`() {
        let servers = [
            EndsSecret(first: 1, second: 2), EndsSecret(first: 1, second: 3), EndsSecret(first: 2, second: 2),
        ]
        let secrets = servers.flatMap { server in (1...100).map { server.derived(for: .number($0)) } }
        #expect(Set(secrets + servers).count == 303)
        #expect(Set(secrets.map(\.first) + secrets.map(\.second)).count == 600)
        #expect("\(secrets[0])" == "EndsSecret" && String(reflecting: secrets[0]) == "EndsSecret")
    }

    // MARK: - The circle

    @Test(
        .proves("17.8"),
        arguments: [
            door, Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: -16.8, longitude: 180),
            Coordinate(latitude: -16.8, longitude: -180), Coordinate(latitude: 89.999_9, longitude: 12),
            Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 180),
        ]
    )
    func `hides all points within the distance and none beyond its double`(end: Coordinate) {
        let around = LocalPlane(origin: end)
        for metres in [1, 2, 20, 49, 50, 99, 100, 199, 200, 201, 399, 400, 799, 800, 1_000] {
            for number in 1...20 {
                let secret = Self.secret(number)
                let middle = EndShift(metres: metres, secret: secret).middle(of: end)
                #expect(middle.isValid)
                let shift = middle.distanceMetres(to: end) / Double(metres)
                #expect((0.149...0.501).contains(shift), "\(metres) m, user \(number)")
                let hidden = HiddenEnds(of: Track([TrackPoint(end)]), metres: metres, secret: secret)
                for bearing in 0..<24 {
                    func point(_ factor: Double) -> Coordinate {
                        let away = factor * Double(metres)
                        return around.coordinate(
                            of: .polar(distanceMetres: away, bearingDegrees: Double(bearing) * 15)
                        )
                    }
                    #expect(hidden.hides(point(1)), "\(metres) m, user \(number)")
                    #expect(!hidden.hides(point(2 + 1 / Double(metres))), "\(metres) m, user \(number)")
                }
            }
        }
    }

    @Test(.proves("17.12")) func `the circle follows a receiver's offset of the entrance`() {
        var generator = SeededGenerator(seed: 1)
        var differences: [Double] = []
        for number in 1...1_000 {
            let rule = EndShift(metres: 200, secret: Self.secret(number))
            let noise = PlanePoint.polar(distanceMetres: 10, bearingDegrees: generator.uniform(0...360))
            let (one, other) = (Self.shift(of: Self.door, rule), Self.shift(of: Self.plane.coordinate(of: noise), rule))
            differences.append((one - other).lengthMetres)
        }
        differences.sort()
        #expect(differences[500] < 2 && differences[990] < 7 && differences[999] < 10, "\(differences.suffix(9))")
    }

    @Test func `the shift is continuous at the meridian of 180°`() {
        for number in 1...100 {
            let rule = EndShift(metres: 200, secret: Self.secret(number))
            let west = Self.shift(of: Coordinate(latitude: -16.8, longitude: 179.999_999), rule)
            let east = Self.shift(of: Coordinate(latitude: -16.8, longitude: -179.999_999), rule)
            #expect((west - east).lengthMetres < 0.5)
        }
    }

    // MARK: - Independence of two shifts

    private static let pairs = ["users", "doors", "distances"]

    /// Two shifts of one user or two.
    private static func shifts(_ pair: String, _ number: Int) -> (PlanePoint, PlanePoint) {
        let rule = EndShift(metres: 200, secret: secret(number))
        let one = shift(of: door, rule)
        switch pair {
        case "users": return (one, shift(of: door, EndShift(metres: 200, secret: secret(number + 10_000))))
        case "doors": return (one, shift(of: plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: 3_000)), rule))
        default: return (one, shift(of: door, EndShift(metres: 400, secret: secret(number))))
        }
    }

    @Test(.proves("17.12"), arguments: pairs)
    func `shifts of different users, entrances and distances are unrelated`(pair: String) {
        var (cosines, octants) = (0.0, [Int](repeating: 0, count: 8))
        for number in 1...4_000 {
            let (one, other) = Self.shifts(pair, number)
            cosines +=
                (one.eastMetres * other.eastMetres + one.northMetres * other.northMetres)
                / (one.lengthMetres * other.lengthMetres)
            for shift in [one, other] { octants[shift.octant] += 1 }
        }
        #expect(abs(cosines / 4_000) < 0.05)
        #expect(octants.allSatisfy { (880...1_120).contains($0) }, "\(octants)")
    }

    @Test(.proves("17.12")) func `distances up to the double share a centre`() {
        for number in 1...20 {
            let middles = [100, 199, 200, 201, 399, 400, 799, 800, 1_000].map { metres in
                EndShift(metres: metres, secret: Self.secret(number)).middle(of: Self.door)
            }
            #expect(middles[0] == middles[1] && middles[2] == middles[3] && middles[3] == middles[4])
            #expect(middles[5] == middles[6] && middles[7] == middles[8])
            #expect(Set(middles).count == 4)
        }
    }
}

// MARK: - The attacker

extension EndShiftTests {
    /// The distance from the door of the best circle through the first visible points of many ways.
    ///
    /// - Parameters:
    ///   - spacing: metres between two points of a way.
    ///   - edge: `true` if others see a point of a way that begins at an end.
    private static func miss(
        ways: Int,
        noise: Double,
        spacing: Double,
        seed: UInt64,
        edge: (_ end: PlanePoint) -> (_ point: PlanePoint) -> Bool
    ) -> Double {
        var generator = SeededGenerator(seed: seed)
        let seen = (0..<ways).map { number in
            let end = PlanePoint(eastMetres: noise * generator.normal(), northMetres: noise * generator.normal())
            let bearing = (Double(number) + generator.uniform(0...1)) / Double(ways) * 360
            let isShown = edge(end)
            var metres = generator.uniform(0...spacing)
            while !isShown(.polar(distanceMetres: metres, bearingDegrees: bearing)) { metres += spacing }
            return PlanePoint.polar(distanceMetres: metres, bearingDegrees: bearing)
        }
        return CircleFit(seen).middle.lengthMetres
    }

    private static func shifted(_ metres: Int, _ secret: EndsSecret) -> (PlanePoint) -> (PlanePoint) -> Bool {
        { end in
            let hidden = HiddenEnds(of: Track([TrackPoint(plane.coordinate(of: end))]), metres: metres, secret: secret)
            return { !hidden.hides(plane.coordinate(of: $0)) }
        }
    }

    @Test func `circles centred on the entrance would reveal it`() {
        let edge = { (end: PlanePoint) in { (point: PlanePoint) in point.distanceMetres(to: end) > 200 } }
        #expect(Self.miss(ways: 3, noise: 0, spacing: 0.005, seed: 1, edge: edge) < 0.05)
        for noise in [5, 10, 15] as [Double] {
            #expect(Self.miss(ways: 200, noise: noise, spacing: 10, seed: 2, edge: edge) < 5)
        }
    }

    @Test(.proves("17.12"), .defends("home-of-many-courses")) func `three ways from one entrance do not reveal it`() {
        for number in 1...10 {
            let edge = Self.shifted(200, Self.secret(number))
            let miss = Self.miss(ways: 3, noise: 0, spacing: 0.05, seed: UInt64(number), edge: edge)
            #expect((59...101).contains(miss), "user \(number)")
        }
    }

    @Test(
        .proves("17.12"),
        .defends("home-of-many-courses"),
        arguments: [(50, 5.0), (50, 15), (200, 5), (200, 10), (200, 15), (1_000, 15)]
    )
    func `two hundred noisy ways from one entrance do not reveal it`(metres: Int, noise: Double) {
        let misses = (1...60).map { number in
            let edge = Self.shifted(metres, Self.secret(number))
            return Self.miss(ways: 200, noise: noise, spacing: 10, seed: UInt64(number), edge: edge) / Double(metres)
        }.sorted()
        #expect(misses[0] > 0.2, "\(misses.prefix(3))")
        #expect(misses[30] > 0.3, "\(misses[30])")
    }

    /// All points consistent with the centres are equally probable, so the attacker guesses their centre.
    @Test(
        .defends("home-of-many-courses"),
        arguments: [([200], 0.35), ([200, 399], 0.35), ([200, 400], 0.2), ([100, 200, 400, 800], 0.1)]
    )
    func `centres of several distances reveal no more than those of the smallest`(
        distances: [Int],
        least: Double
    ) {
        let misses = (1...100).map { number in
            let middles = distances.map { metres in
                let middle = EndShift(metres: metres, secret: Self.secret(number)).middle(of: Self.door)
                return (Self.plane.point(of: middle), step: Double([100, 200, 400, 800].last { $0 <= metres } ?? 0))
            }
            var (sum, count) = (PlanePoint.origin, 0.0)
            for east in -60...60 {
                for north in -60...60 {
                    let point = PlanePoint(eastMetres: Double(east) * 4, northMetres: Double(north) * 4)
                    guard middles.allSatisfy({ (0.3...0.5).contains(($0.0 - point).lengthMetres / $0.step) }) else {
                        continue
                    }
                    (sum, count) = (sum + point, count + 1)
                }
            }
            return (sum * (1 / max(1, count))).lengthMetres / Double(distances[0])
        }.sorted()
        #expect(misses[50] > least, "\(misses[50])")
    }
}

/// The circle nearest to some points, by Gauss and Newton.
private struct CircleFit {
    private(set) var middle: PlanePoint
    private var radius: Double

    init(_ points: [PlanePoint]) {
        let sum = points.reduce(.origin) { $0 + $1 }
        middle = sum * (1 / Double(points.count))
        radius = points.map { [middle] in ($0 - middle).lengthMetres }.reduce(0, +) / Double(points.count)
        for _ in 0..<100 { step(points) }
    }

    private mutating func step(_ points: [PlanePoint]) {
        // The normal equations for east, north and radius.
        var rows = [[Double]](repeating: [0, 0, 0, 0], count: 3)
        for point in points {
            let away = point - middle
            let length = away.lengthMetres
            let slope = [away.eastMetres / length, away.northMetres / length, 1]
            for row in 0..<3 {
                for column in 0..<3 { rows[row][column] += slope[row] * slope[column] }
                rows[row][3] += slope[row] * (length - radius)
            }
        }
        for pivot in 0..<3 {
            for row in 0..<3 where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in 0..<4 { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        let change = (0..<3).map { rows[$0][3] / rows[$0][$0] }
        middle = middle + PlanePoint(eastMetres: change[0], northMetres: change[1])
        radius += change[2]
    }
}

extension PlanePoint {
    fileprivate var octant: Int {
        Int(((arcTangent(northMetres, eastMetres) / .pi + 1) * 4).rounded(.down)) & 7
    }
}
