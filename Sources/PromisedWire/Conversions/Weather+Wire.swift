package import PromisedPlaces
package import PromisedProtocol

extension WireOutlook {
    /// A place at an instant.
    package init(_ outlook: PlaceOutlook) {
        self.init()
        at = WireTimestamp(outlook.at)
        opening = WireOpening.Value(outlook.opening)
        if let opensAt = outlook.opensAt { self.opensAt = WireTimestamp(opensAt) }
        if let closesAt = outlook.closesAt { self.closesAt = WireTimestamp(closesAt) }
        weatherState = WireWeatherState.Value(outlook.weather.state)
        if let report = outlook.weather.report { weather = WireWeather(report) }
    }
}

extension WireWeather {
    /// The weather of a record.
    package init(_ report: WeatherOutlook.Report) {
        self.init()
        source = report.source.rawValue
        attribution = report.attribution.text
        attributionURL = report.attribution.url
        fetchedAt = WireTimestamp(report.fetchedAt)
        hours = report.hours.map { WireWeatherHour($0) }
    }
}

extension WireWeatherHour {
    /// An hour; unknown values are absent.
    package init(_ hour: WeatherHour) {
        self.init()
        let forecast = hour.forecast
        at = WireTimestamp(forecast.at)
        condition = WireWeatherCondition.Value(forecast.condition)
        if let value = forecast.temperatureCelsius { temperatureCelsius = value }
        if let value = forecast.feltCelsius { feltCelsius = value }
        if let value = forecast.precipitationPercent { precipitationPercent = value }
        if let value = forecast.precipitationMm { precipitationMm = value }
        if let value = forecast.snowCm { snowCm = value }
        if let value = forecast.windMps { windMps = value }
        if let value = forecast.gustMps { gustMps = value }
        if let value = forecast.humidityPercent { humidityPercent = value }
        if let value = hour.air?.pm10 { pm10 = value }
        if let value = hour.air?.pm25 { pm25 = value }
        pm10Grade = WireAirGrade.Value(hour.pm10Grade)
        pm25Grade = WireAirGrade.Value(hour.pm25Grade)
        advice = hour.advice.map(\.rawValue)
    }
}

extension WireWeatherState.Value {
    package init(_ state: WeatherState) {
        switch state {
        case .off: self = .off
        case .ready: self = .ready
        case .stale: self = .stale
        case .pending: self = .pending
        case .beyond: self = .beyond
        case .unavailable: self = .unavailable
        }
    }
}

extension WireWeatherCondition.Value {
    package init(_ condition: WeatherCondition) {
        switch condition {
        case .unknown: self = .unknown
        case .clear: self = .clear
        case .partlyCloudy: self = .partlyCloudy
        case .cloudy: self = .cloudy
        case .fog: self = .fog
        case .drizzle: self = .drizzle
        case .rain: self = .rain
        case .heavyRain: self = .heavyRain
        case .sleet: self = .sleet
        case .snow: self = .snow
        case .heavySnow: self = .heavySnow
        case .thunderstorm: self = .thunderstorm
        }
    }
}

extension WireAirGrade.Value {
    /// Unspecified if unknown.
    package init(_ grade: AirGrade) {
        switch grade {
        case .unspecified: self = .unspecified
        case .good: self = .good
        case .moderate: self = .moderate
        case .bad: self = .bad
        case .veryBad: self = .veryBad
        }
    }
}

// MARK: - For administrators

extension WireAdminWeatherStatus {
    /// The state of the providers, in the configured order.
    package init(_ providers: [WireAdminWeatherProvider], budget: WeatherBudget, fetches: Int) {
        self.init()
        self.providers = providers
        dailyRequests = UInt32(clamping: budget.daily)
        requestsSpent = UInt32(clamping: budget.spent)
        self.fetches = UInt32(clamping: fetches)
    }
}

extension WireAdminWeatherProvider {
    /// A provider with its name in the configuration.
    package init(name: String, standing: ProviderHealth.Standing, failures: Int) {
        self.init()
        self.name = name
        self.failures = UInt32(clamping: failures)
        switch standing {
        case .free: state = .ready
        case .refused: state = .refused
        case .backingOff(let until):
            state = .backingOff
            retryAt = WireTimestamp(until)
        }
    }
}
