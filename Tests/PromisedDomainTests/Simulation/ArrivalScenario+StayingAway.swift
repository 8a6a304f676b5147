import PromisedSimulation
import PromisedTestSupport

extension ArrivalScenario {
    /// No arrival, which the rule must recognize.
    static let stayingAway: [ArrivalScenario] = [
        passing("drive past at 40 km/h, 15 m off", seed: 1, pace: .driving),
        waiting("40 s red light beside the place", seed: 2, seconds: 40),
        cafe("ten minutes in a café 60 m outside", seed: 3, phones: .population(PhonePopulation(errorMetres: 12))),
        ArrivalScenario(
            name: "ten minutes 1.5 km away, 30 % of the fixes by cell tower",
            seed: 4,
            demand: .staysAway(standing: 0),
            phones: .population(PhonePopulation(errorMetres: 12, cellTowerShare: 0.3))
        ) { generator in
            let spot = PlanePoint.polar(distanceMetres: 1_500, bearingDegrees: generator.uniform(0...360))
            var itinerary = Itinerary(from: spot)
            itinerary.pause(seconds: 600)
            return itinerary
        },
        passing("ride past by bicycle, 15 m off", seed: 5, pace: .cycling),
        passing("walk past without stopping, 15 m off", seed: 6, pace: .walking, metres: 350),
        cafe("the same café, 68 % error 25 m", seed: 7, phones: .population(PhonePopulation(errorMetres: 25))),
        cafe(
            "the same café, 68 % error 38 m",
            seed: 8,
            phones: .population(PhonePopulation(errorMetres: 38)),
            standing: nil
        ),
        cafe(
            "the same café, 25 m, all report half their error",
            seed: 10,
            phones: .population(PhonePopulation(errorMetres: 25, claimFactor: 0.5))
        ),
        waiting("three minutes of standing traffic beside the place", seed: 9, seconds: 180, standing: nil),
    ]

    /// A street that passes the place at 15 m, from `metres` before it to `metres` after.
    private static func street(metres: Double, using generator: inout SeededGenerator) -> Route {
        let bearing = generator.uniform(0...360)
        return Route(
            [-metres, metres].map { PlanePoint(eastMetres: $0, northMetres: 15).turned(byDegrees: bearing) }
        )
    }

    static func passing(
        _ name: String,
        seed: UInt64,
        pace: Pace,
        metres: Double = 900,
        phones: ScenarioPhones = .population(PhonePopulation(errorMetres: 12)),
        standing: Double? = 0.01
    ) -> ArrivalScenario {
        ArrivalScenario(
            name: name,
            seed: seed,
            demand: .staysAway(standing: standing),
            phones: phones
        ) { generator in
            let street = street(metres: metres, using: &generator)
            var itinerary = Itinerary(from: street.start)
            itinerary.move(along: street, at: pace)
            return itinerary
        }
    }

    /// The stop line lies up to 30 m before or behind the point of the street that is nearest to the place.
    static func waiting(
        _ name: String,
        seed: UInt64,
        seconds: Double,
        phones: ScenarioPhones = .population(PhonePopulation(errorMetres: 12)),
        standing: Double? = 0.01
    ) -> ArrivalScenario {
        ArrivalScenario(
            name: name,
            seed: seed,
            demand: .staysAway(standing: standing),
            phones: phones
        ) { generator in
            let street = street(metres: 900, using: &generator)
            let line = generator.uniform(870...930)
            var itinerary = Itinerary(from: street.start)
            itinerary.move(along: street, at: .driving, stops: [.init(atMetres: line, seconds: seconds)])
            return itinerary
        }
    }

    /// A seat 110 m from the centre, walked to from farther out; the recording ends there.
    static func cafe(
        _ name: String,
        seed: UInt64,
        phones: ScenarioPhones,
        standing: Double? = 0.01
    ) -> ArrivalScenario {
        ArrivalScenario(name: name, seed: seed, demand: .staysAway(standing: standing), phones: phones) { generator in
            let bearing = generator.uniform(0...360)
            let start = PlanePoint.polar(
                distanceMetres: 300,
                bearingDegrees: bearing + generator.uniform(-40...40)
            )
            var itinerary = Itinerary(from: start)
            itinerary.move(to: .polar(distanceMetres: 110, bearingDegrees: bearing), at: .walking)
            itinerary.pause(seconds: 600)
            return itinerary
        }
    }
}
