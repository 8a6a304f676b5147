import PromisedSimulation
import PromisedTestSupport

extension ArrivalScenario {
    /// A participant walks in and waits ten minutes; the rule must detect it soon and with an exact time.
    static let coming: [ArrivalScenario] = [
        walkIn(
            "R 50 m, 68 % error 12 m",
            seed: 21,
            demand: .comes(missed: 0.01, delay: 12, error: 7),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 12))
        ),
        walkIn(
            "R 50 m, 25 m",
            seed: 22,
            demand: .comes(missed: 0.01),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 25))
        ),
        walkIn(
            "R 30 m, 25 m",
            seed: 23,
            demand: .comes(missed: 0.03),
            radiusMetres: 30,
            phones: .population(PhonePopulation(errorMetres: 25))
        ),
        walkIn(
            "R 50 m, 18 m",
            seed: 24,
            demand: .comes(missed: 0.01),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 18))
        ),
        walkIn(
            "R 50 m, 38 m",
            seed: 25,
            demand: .comes(missed: 0.01),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 38))
        ),
        walkIn(
            "R 30 m, 38 m",
            seed: 26,
            demand: .comes(missed: nil),
            radiusMetres: 30,
            phones: .population(PhonePopulation(errorMetres: 38))
        ),
        walkIn(
            "R 50 m, 12 m, all report half their error",
            seed: 27,
            demand: .comes(missed: 0.01, delay: 12, error: 7),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 12, claimFactor: 0.5))
        ),
        walkIn(
            "R 30 m, 25 m, all report 1.5 × their error",
            seed: 28,
            demand: .comes(missed: nil),
            radiusMetres: 30,
            phones: .population(PhonePopulation(errorMetres: 25, claimFactor: 1.5))
        ),
        walkIn(
            "R 50 m, 12 m, the phone falls silent as they stop",
            seed: 29,
            demand: .comes(missed: 0.01),
            radiusMetres: 50,
            phones: .population(PhonePopulation(errorMetres: 12)),
            staySeconds: 0
        ),
    ]

    /// A straight way, a walk of 250 m unless said otherwise, to a spot within a third of the radius, and ten minutes there.
    static func walkIn(
        _ name: String,
        seed: UInt64,
        demand: Demand,
        radiusMetres: Double,
        phones: ScenarioPhones,
        pace: Pace = .walking,
        wayMetres: Double = 250,
        staySeconds: Double = 600
    ) -> ArrivalScenario {
        ArrivalScenario(name: name, seed: seed, demand: demand, radiusMetres: radiusMetres, phones: phones) {
            generator in
            let spot = generator.point(within: radiusMetres / 3)
            let start = PlanePoint.polar(distanceMetres: wayMetres, bearingDegrees: generator.uniform(0...360))
            var itinerary = Itinerary(from: start)
            itinerary.move(to: spot, at: pace)
            itinerary.pause(seconds: staySeconds)
            return itinerary
        }
    }
}
