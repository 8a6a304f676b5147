internal import PromisedDomain
internal import PromisedSimulation

/// The errors of a phone on its walks.
struct WalkErrors: Sendable {
    /// A position measured by the phone.
    struct Position: Sendable {
        /// Metres north of the place.
        var metres: Double
        /// Metres east of the place.
        var eastMetres = 0.0
        /// Nil without one.
        var accuracyMetres: Double?
        /// Nil without one.
        var speedMps: Double?
    }

    private let system: MeasuredPhone.System?
    /// How often a phone with small errors omits its accuracy, and its speed.
    private let omits: (accuracy: Double, speed: Double)
    private var random: SeededGenerator
    /// The errors of the current walk, if they are measured ones.
    private var measured: MeasuredErrorWalk?

    /// Creates the errors of a phone.
    ///
    /// - Parameter system: whose measured errors it makes; nil: some metres along the way.
    init(_ system: MeasuredPhone.System?, omitting omits: (accuracy: Double, speed: Double), seed: UInt64) {
        self.system = system
        self.omits = omits
        random = SeededGenerator(seed: seed)
    }

    mutating func beginWalk() { measured = system.map { MeasuredErrorWalk(MeasuredPhone($0), using: &random) } }

    /// The position on the current walk at an instant; nil if the phone finds none.
    mutating func position(on walk: Walk, at now: Instant) -> Position? {
        let metres = walk.metres(at: now)
        guard system != nil else {
            return Position(
                metres: metres + random.normal() * 2,
                accuracyMetres: random.chance(omits.accuracy) ? nil : 8 + 4 * random.fraction(),
                speedMps: random.chance(omits.speed) ? nil : walk.metresPerSecond
            )
        }
        let report = measured?.report(
            atSeconds: (now - walk.startedAt).seconds,
            in: walk.surroundings(at: now),
            movingAtMps: walk.speedMps(at: now),
            using: &random
        )
        return report.map { report in
            Position(
                metres: metres + report.reading.error.northMetres,
                eastMetres: report.reading.error.eastMetres,
                accuracyMetres: report.reading.accuracyMetres,
                speedMps: report.speedMps
            )
        }
    }
}
