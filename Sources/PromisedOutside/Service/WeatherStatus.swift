package import PromisedPlaces

/// The state of the weather service, for operators.
package struct WeatherStatus: Sendable {
    /// The recent answers of a provider.
    package struct Provider: Sendable {
        /// The part of records that it provides.
        package let part: WeatherPart
        /// The failures since its last success.
        package let failures: Int
        /// The decision about querying it.
        package let standing: ProviderHealth.Standing
    }

    /// The configured providers, in the operator's order, the air's last.
    package let providers: [Provider]
    /// Today's requests.
    package let budget: WeatherBudget
    /// Fetches under way or waiting.
    package let fetches: Int
}
