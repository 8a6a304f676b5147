import PromisedSimulation
import PromisedTestSupport

/// The scenarios with phones that have recorded errors (``MeasuredPhone``).
extension ArrivalScenario {
    /// No arrival.
    static let stayingAwayMeasured: [ArrivalScenario] = [
        passing("walk past at 1.4 m/s, 15 m off", seed: 51, pace: .walking, metres: 350, phones: .measured(.foot)),
        passing("walk past at 1.05 m/s, 15 m off", seed: 52, pace: .strolling, metres: 350, phones: .measured(.foot)),
        passing("ride past by bicycle, 15 m off", seed: 53, pace: .cycling, phones: .measured(.wheels)),
        passing("drive past at 40 km/h, 15 m off", seed: 54, pace: .driving, phones: .measured(.car)),
        waiting("40 s red light beside the place", seed: 55, seconds: 40, phones: .measured(.car)),
        cafe("ten minutes in a café 60 m outside", seed: 56, phones: indoorsFromTheStop(.iPhone, .android)),
        passing(
            "walk past at 1.05 m/s, 15 m off, iPhone in low power",
            seed: 57,
            pace: .strolling,
            metres: 350,
            phones: lowPower(.iPhone),
            standing: nil
        ),
    ]

    /// A participant walks in and waits ten minutes.
    static let comingMeasured: [ArrivalScenario] = [
        walkIn(
            "R 50 m, on foot",
            seed: 61,
            demand: .comes(missed: 0.03, error: 4),
            radiusMetres: 50,
            phones: .measured(.foot)
        ),
        walkIn(
            "R 50 m, at 1.05 m/s",
            seed: 62,
            demand: .comes(missed: nil),
            radiusMetres: 50,
            phones: .measured(.foot),
            pace: .strolling
        ),
        walkIn(
            "R 50 m, an iPhone that goes indoors",
            seed: 63,
            demand: .comes(missed: 0.03, error: 4),
            radiusMetres: 50,
            phones: indoorsFromTheStop(.iPhone)
        ),
        walkIn(
            "R 30 m, an iPhone that goes indoors",
            seed: 64,
            demand: .comes(missed: nil),
            radiusMetres: 30,
            phones: indoorsFromTheStop(.iPhone)
        ),
        walkIn(
            "R 50 m, an iPhone between high buildings",
            seed: 65,
            demand: .comes(missed: nil),
            radiusMetres: 50,
            phones: .measured([MeasuredPhone(.iPhone)]) { _ in Scenery(.canyon) }
        ),
        walkIn(
            "R 100 m, on foot",
            seed: 66,
            demand: .comes(missed: 0.01, error: 4),
            radiusMetres: 100,
            phones: .measured(.foot)
        ),
        walkIn(
            "R 200 m, on foot",
            seed: 67,
            demand: .comes(missed: 0.01, error: 4),
            radiusMetres: 200,
            phones: .measured(.foot),
            wayMetres: 450
        ),
        walkIn(
            "R 50 m, by bicycle",
            seed: 68,
            demand: .comes(missed: 0.01, error: 1),
            radiusMetres: 50,
            phones: .measured(.wheels),
            pace: .cycling,
            wayMetres: 700
        ),
        walkIn(
            "R 50 m, by car",
            seed: 69,
            demand: .comes(missed: 0.01, error: 1),
            radiusMetres: 50,
            phones: .measured(.car),
            pace: .driving,
            wayMetres: 900
        ),
        walkIn(
            "R 50 m, an iPhone in low power",
            seed: 70,
            demand: .comes(missed: nil),
            radiusMetres: 50,
            phones: lowPower(.iPhone)
        ),
        walkIn(
            "R 100 m, an iPhone in low power",
            seed: 71,
            demand: .comes(missed: 0.01),
            radiusMetres: 100,
            phones: lowPower(.iPhone)
        ),
        walkIn(
            "R 50 m, the phone falls silent as they stop",
            seed: 72,
            demand: .comes(missed: 0.07),
            radiusMetres: 50,
            phones: .measured(.foot),
            staySeconds: 0
        ),
    ]

    /// On foot, and under a roof for the ten minutes at the end.
    private static func indoorsFromTheStop(_ systems: MeasuredPhone.System...) -> ScenarioPhones {
        .measured(systems.map { MeasuredPhone($0) }) { journey in
            Scenery(.foot).then(.indoors, atSeconds: journey.durationSeconds - 600)
        }
    }

    private static func lowPower(_ system: MeasuredPhone.System) -> ScenarioPhones {
        .measured([MeasuredPhone(system, power: .low)]) { _ in Scenery(.foot) }
    }
}
