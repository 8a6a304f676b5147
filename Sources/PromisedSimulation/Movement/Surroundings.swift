/// The surroundings of a person, as far as they affect the receiver of a phone.
package enum Surroundings: String, Hashable, Sendable, CaseIterable, Codable {
    /// On foot in a town.
    case foot
    /// On a bicycle or a scooter.
    case wheels
    /// In a car or a bus.
    case car
    /// On foot between high buildings.
    case canyon
    /// Under a roof: positions come from nearby wireless networks.
    case indoors
}

/// The surroundings of a journey, one after the other.
package struct Scenery: Hashable, Sendable {
    private var changes: [(atSeconds: Double, surroundings: Surroundings)]

    /// The same surroundings for the whole journey.
    package init(_ surroundings: Surroundings) { changes = [(0, surroundings)] }

    /// The scenery with other surroundings from an instant on.
    ///
    /// - Precondition: the instant is not before an earlier change.
    package func then(_ surroundings: Surroundings, atSeconds seconds: Double) -> Scenery {
        precondition(seconds >= changes[changes.count - 1].atSeconds, "surroundings change in the order of time")
        var scenery = self
        scenery.changes.append((seconds, surroundings))
        return scenery
    }

    /// The surroundings at `seconds` since the start of the journey.
    package func surroundings(atSeconds seconds: Double) -> Surroundings {
        (changes.last { $0.atSeconds <= seconds } ?? changes[0]).surroundings
    }

    package static func == (left: Scenery, right: Scenery) -> Bool {
        left.changes.elementsEqual(right.changes) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        for change in changes {
            hasher.combine(change.atSeconds)
            hasher.combine(change.surroundings)
        }
    }
}

/// The numbers that describe the errors of satellite fixes in some surroundings, fitted to recordings of phones on one
/// body (docs/arrival.md).
struct ErrorFit: Sendable {
    /// Standard deviation along each axis on a journey of median quality, in metres.
    var sigmaMetres: Double
    /// Its variation between journeys (standard deviation of its logarithm).
    var logSpread: Double
    /// Share of the variance with the fast time constant, 0…1.
    var fastShare: Double
    /// Time constants of the two parts, in seconds.
    var fastSeconds: Double
    var slowSeconds: Double
    /// Probability that a report begins a spell of fixes from nearby wireless networks.
    var spellShare: Double

    init(_ sigma: Double, _ spread: Double, _ share: Double, _ fast: Double, _ slow: Double, spells: Double) {
        (sigmaMetres, logSpread, fastShare) = (sigma, spread, share)
        (fastSeconds, slowSeconds) = (fast, slow)
        spellShare = spells
    }

    /// The fit of some surroundings; indoors that of being on foot, for the part that continues in between.
    static func of(_ surroundings: Surroundings) -> ErrorFit {
        switch surroundings {
        case .foot, .indoors: ErrorFit(6, 0.45, 0.6, 25, 200, spells: 1 / 60)
        case .wheels: ErrorFit(4, 0.4, 0.65, 10, 110, spells: 1 / 200)
        case .car: ErrorFit(5.5, 0.5, 0.65, 10, 80, spells: 1 / 60)
        case .canyon: ErrorFit(18, 0.4, 0.6, 25, 200, spells: 1 / 12)
        }
    }
}
