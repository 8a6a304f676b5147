package import PromisedPlaces

/// A part of a record: each has a provider with a separate health.
package enum WeatherPart: Hashable, Sendable, CaseIterable {
    /// A forecast of a provider.
    case forecast(WeatherSource)
    /// The air's quality.
    case air

    /// Every part that a configuration can name.
    package static let allCases: [WeatherPart] = WeatherSource.allCases.map { .forecast($0) } + [.air]

    /// The name in metrics and reports.
    package var name: String {
        switch self {
        case .forecast(let source): source.rawValue
        case .air: "air"
        }
    }
}

/// Why a part of a record is unavailable.
struct PartFailure: Error {
    let part: WeatherPart
    /// The reason.
    let failure: WeatherFailure
}
