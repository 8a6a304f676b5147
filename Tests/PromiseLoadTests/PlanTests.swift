import PromisedDomain
import Testing

@testable import promise_load

@Suite struct PlanTests {
    private let start = LoadTime(microseconds: 1_000)

    @Test func `returns due actions in order of their times`() {
        var queue = DueQueue()
        let moments = (0..<200).map { Int64($0) * 37 % 200 }
        for moment in moments { queue.add(Int(moment), at: LoadTime(microseconds: moment)) }
        var taken: [Int] = []
        while let (seat, due) = queue.pop(by: LoadTime(microseconds: 150)) {
            #expect(due == LoadTime(microseconds: Int64(seat)))
            taken.append(seat)
        }
        #expect(taken == Array(0...150))
        #expect(queue.next == LoadTime(microseconds: 151))
    }

    @Test func `an arriving phone crosses the radius at the planned time`() {
        let at = start + .seconds(100)
        let walk = Walk(
            place: Coordinate(latitude: 50, longitude: 8),
            radiusMetres: 50,
            bearingDegrees: 30,
            phase: 0,
            arrivesAt: at
        )
        #expect(walk.distance(at: at, since: start) == 50)
        #expect(abs(walk.distance(at: at + .seconds(-10), since: start) - 64) < 0.001)
        #expect(walk.distance(at: at + .seconds(600), since: start) == 4)
        #expect(walk.distance(at: at + .seconds(-6_000), since: start) == Walk.farthest)
        #expect(!walk.isMoving(at: 4))
        #expect(!walk.isMoving(at: Walk.farthest))
        #expect(walk.isMoving(at: 60))
    }

    @Test func `a phone that does not arrive walks between 300 and 1800 metres away`() {
        let walk = Walk(place: Coordinate(latitude: 50, longitude: 8), radiusMetres: 50, bearingDegrees: 0, phase: 0.3)
        var before = walk.distance(at: start, since: start)
        for second in 1...4_000 {
            let distance = walk.distance(at: start + .seconds(second), since: start)
            #expect((300...1_800).contains(distance))
            #expect(abs(distance - before) <= Walk.speed + 0.001)
            before = distance
        }
    }

    @Test(arguments: [0.0, 45, 137.508, 270])
    func `places a point at its distance`(bearing: Double) {
        let place = Coordinate(latitude: 50, longitude: 8)
        let walk = Walk(place: place, radiusMetres: 50, bearingDegrees: bearing, phase: 0)
        #expect(abs(place.distanceMetres(to: walk.point(at: 50)) - 50) < 0.05)
    }

    @Test func `spreads arrivals evenly over different seats`() {
        var generator = SystemRandomNumberGenerator()
        let arrivals = ArrivalPlan.arrivals(
            seats: 100,
            rate: 2,
            from: start,
            for: .seconds(30),
            margin: .seconds(10),
            using: &generator
        )
        #expect(Set(arrivals.map(\.seat)).count == 40)
        #expect(arrivals.map(\.at) == (0..<40).map { start + .milliseconds(500 * $0) })
    }

    @Test(arguments: [(3, 2.0, 3), (100, 0.0, 0), (0, 1.0, 0)])
    func `limits arrivals to the number of seats`(seats: Int, rate: Double, count: Int) {
        var generator = SystemRandomNumberGenerator()
        let arrivals = ArrivalPlan.arrivals(
            seats: seats,
            rate: rate,
            from: start,
            for: .seconds(30),
            margin: .zero,
            using: &generator
        )
        #expect(arrivals.count == count)
    }

    @Test func `writes durations with a unit`() {
        #expect(DurationArgument(argument: "250ms")?.duration == .milliseconds(250))
        #expect(DurationArgument(argument: "5s")?.duration == .seconds(5))
        #expect(DurationArgument(argument: "10m")?.duration == .seconds(600))
        for text in ["", "5", "s", "-5s", "5 s", "5x", "99999999999999999999s"] {
            #expect(DurationArgument(argument: text) == nil)
        }
    }
}
