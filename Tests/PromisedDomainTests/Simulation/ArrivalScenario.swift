import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

/// A way of arriving, passing or staying away, the source of seeded runs.
struct ArrivalScenario: Sendable, CustomTestStringConvertible {
    /// The required result.
    enum Demand: Sendable {
        /// No arrival: at most this share of the runs may end with one.
        case staysAway(standing: Double?)
        /// An arrival: at most this share may be missed, with at most these medians, in seconds.
        case comes(missed: Double?, delay: Double? = nil, error: Double? = nil)
    }

    /// Its name in the table.
    let name: String
    /// The seed that all its runs are drawn from.
    let seed: UInt64
    /// The result required of the robust rule; nil if the table only reports it.
    let demand: Demand
    /// The radius of the circle around the plane's origin, in metres.
    var radiusMetres = 50.0
    let phones: ScenarioPhones
    /// The movement in one run.
    let itinerary: @Sendable (inout SeededGenerator) -> Itinerary

    var testDescription: String { "\(name) (seed \(seed))" }

    /// The place is the origin.
    static let plane = LocalPlane(origin: Coordinate(latitude: 37.5665, longitude: 126.9780))
    /// When every journey begins, and the window opens.
    static let start = Instant(milliseconds: 1_790_000_000_000)

    /// The events of run number `index`.
    func run(_ index: Int) -> ArrivalRun {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(index))
        var walk = generator.fork()
        let journey = Journey(itinerary(&walk), using: &walk)
        let samples = phones.samples(of: journey, run: index, using: &generator)
        return ArrivalRun(
            fixes: samples.settled(),
            crossing: journey.firstEntrySeconds(within: radiusMetres, of: .origin).map { Self.start + .seconds($0) },
            end: Self.start + .seconds(journey.durationSeconds)
        )
    }
}

/// The fixes of one run and the truth about it.
struct ArrivalRun: Equatable {
    /// The fixes that the server received, in order of time.
    let fixes: [SettledFix]
    /// The true time of entering the circle; nil for never.
    let crossing: Instant?
    /// When the recording ends.
    let end: Instant
}
