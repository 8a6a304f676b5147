import Logging
import PromisedDomain
import PromisedPlaces

/// The recent answers of the providers.
struct WeatherHealths: Sendable {
    private var healths: [WeatherPart: ProviderHealth] = [:]
    private var random: RandomSource
    private let logger: Logger

    /// No provider has been queried yet. Pauses after failures draw from `random`.
    init(random: RandomSource, logger: Logger) {
        self.random = random
        self.logger = logger
    }

    /// The recent answers for one part.
    subscript(part: WeatherPart) -> ProviderHealth { healths[part] ?? ProviderHealth() }

    /// The worst of the standings of all these parts.
    func standing(of parts: [WeatherPart], at now: Instant) -> ProviderHealth.Standing {
        parts.map { self[$0].standing(at: now) }.reduce(.free) { worst, other in
            switch (worst, other) {
            case (.refused, _), (_, .refused): .refused
            case (.backingOff(let first), .backingOff(let second)): .backingOff(until: max(first, second))
            case (.free, _): other
            case (_, .free): worst
            }
        }
    }

    /// Records an answer for all these parts.
    mutating func noteSuccess(of parts: [WeatherPart]) {
        for part in parts { healths[part] = nil }
    }

    /// Records the failure of a part.
    mutating func note(_ failure: PartFailure, at now: Instant) {
        let reason: Logger.Metadata = ["provider": "\(failure.part.name)", "reason": "\(failure.failure.description)"]
        switch failure.failure {
        // The provider is not at fault.
        case .outside(.budgetSpent), .outside(.cancelled), .outside(.busy):
            logger.info("Weather was not fetched", metadata: reason)
        case .refused, .key:
            healths[failure.part, default: ProviderHealth()].noteRefusal()
            logger.error("A provider of weather is stopped until the configuration is read again", metadata: reason)
        case .outside, .status, .limited, .unavailable, .reported, .malformed:
            healths[failure.part, default: ProviderHealth()].noteFailure(
                at: now,
                retryAfter: failure.failure.retryAfter.map { now + $0 },
                random: &random
            )
            logger.warning("Weather could not be fetched", metadata: reason)
        }
    }

    /// The configuration was reloaded: providers that refused may be queried again.
    mutating func forgetRefusals(at now: Instant) {
        healths = healths.filter { $0.value.standing(at: now) != .refused }
    }
}
