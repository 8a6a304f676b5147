package import PromisedDomain
package import PromisedPlaces

extension ServerSettings {
    /// The providers of weather. Without any, the server connects to no other host.
    package struct Weather: Sendable, Hashable {
        /// The source of the air's quality.
        package enum Air: String, Sendable, Hashable, CaseIterable {
            /// No source.
            case none
            case openMeteo = "open-meteo"
        }

        /// Providers of forecasts in order: the first that has data for a cell is used.
        package var providers: [WeatherSource] = []
        /// The source of the air's quality.
        package var air = Air.none
        /// The choice of scales for grades of the air.
        package var airGrades = AirGrading.local
        /// The file of the providers' keys; nil for none.
        package var keyFile: String?
        /// The operator's address in the User-Agent of every request; nil for none.
        package var contact: String?
        /// Addresses that replace the providers' public ones, and the folder of recorded replies.
        package var addresses: [WeatherAddress] = []
        /// The age beyond which a forecast is fetched again.
        package var refresh = TimeSpan.hours(3)
        /// Requests a day, to all providers together.
        package var dailyRequests = 1_000

        /// `true` if forecasts or the air's quality come from another host.
        package var asksOutside: Bool { air != .none || providers.contains { $0 != .recorded } }

        /// The replacement address of a provider; nil for its public one.
        package func address(of provider: WeatherAddress.Provider) -> String? {
            addresses.first { $0.provider == provider }?.address
        }
    }

    static let weatherSettings: [Setting] = [
        Setting(
            "weather.providers",
            \.weather.providers,
            .weatherSources,
            "Providers of forecasts in order; none: no weather, and no connection to another host."
        ),
        Setting(
            "weather.air",
            \.weather.air,
            .choice(),
            "Provider of the air's quality; a recorded forecast brings its own."
        ),
        Setting(
            "weather.air-grades",
            \.weather.airGrades,
            .choice(),
            "Scale of the air's grades: local is Korea's official one in Korea and the general one elsewhere."
        ),
        Setting(
            "weather.key-file",
            \.weather.keyFile,
            .optionalText,
            "File of the providers' keys, a line \"PROVIDER: KEY\" for each; kma needs one. Read again on SIGHUP."
        ),
        Setting(
            "weather.contact",
            \.weather.contact,
            .contact,
            "E-mail or web address of the operator that providers see in each request; met-norway needs one."
        ),
        Setting(
            "weather.url",
            \.weather.addresses,
            .weatherAddresses,
            "Addresses instead of the providers' public ones, and the folder of the provider recorded."
        ),
        Setting(
            "weather.refresh",
            \.weather.refresh,
            .duration(.minutes(10)...(.hours(12))),
            "The server fetches a requested forecast again when it is older than this."
        ),
        Setting(
            "weather.daily-requests",
            \.weather.dailyRequests,
            .integer(5...1_000_000),
            "Requests to providers per day (UTC); a fifth is kept for promises of the next 24 hours."
        ),
    ]
}

extension ServerSettings {
    /// Conflicts among the weather settings, and with the clock.
    var weatherConflicts: [(key: String, reason: String)] {
        var found: [(key: String, reason: String)] = []
        func require(_ holds: Bool, _ key: String, _ reason: String) {
            if !holds { found.append((key, reason)) }
        }
        let isRecorded = weather.providers.contains(.recorded)
        require(
            (clock.rate == 1 && clock.start == nil) || !weather.asksOutside,
            "weather.providers",
            "expected only recorded, and weather.air none, because clock.rate or clock.start moves the server's clock"
        )
        require(
            !isRecorded || weather.providers.count == 1,
            "weather.providers",
            "expected recorded alone or not at all"
        )
        require(
            !isRecorded || weather.address(of: .recorded) != nil,
            "weather.url",
            "expected recorded=FOLDER, because weather.providers is recorded"
        )
        require(
            weather.air == .none || !(isRecorded || weather.providers.isEmpty),
            "weather.air",
            "expected none, because weather.providers is \(isRecorded ? "recorded" : "empty")"
        )
        require(
            !weather.providers.contains(.kma) || weather.keyFile != nil,
            "weather.key-file",
            "expected a file, because weather.providers has kma"
        )
        require(
            !weather.providers.contains(.metNorway) || weather.contact != nil,
            "weather.contact",
            "expected an address, because weather.providers has met-norway"
        )
        return found
    }
}
