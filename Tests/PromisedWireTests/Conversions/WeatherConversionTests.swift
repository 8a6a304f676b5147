import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

/// Outlooks and the weather in replies and events.
@Suite struct WeatherConversionTests {
    private static let now = DomainSamples.meetsAt

    private static func record(_ hours: [ForecastHour], air: [AirHour] = []) -> WeatherRecord {
        WeatherRecord(cell: .kma(x: 60, y: 127), source: .kma, fetchedAt: now - .hours(1), hours: hours, air: air)
    }

    private static func outlook(_ weather: WeatherOutlook) -> PlaceOutlook { PlaceOutlook(at: now, weather: weather) }

    @Test func `an outlook has opening, state and weather`() {
        let hours = (-2...5).map { ForecastHour(at: Self.now + .hours($0), condition: .clear) }
        let outlook = PlaceOutlook(
            at: Self.now,
            opening: .closed,
            opensAt: Self.now + .hours(3),
            closesAt: Self.now + .hours(4),
            weather: WeatherOutlook(.stale, from: Self.record(hours), at: Self.now)
        )
        let wire = WireOutlook(outlook)
        #expect(wire.at == WireTimestamp(Self.now) && wire.opening == .closed && wire.weatherState == .stale)
        #expect(wire.opensAt == WireTimestamp(Self.now + .hours(3)))
        #expect(wire.closesAt == WireTimestamp(Self.now + .hours(4)))
        #expect(wire.weather.source == "kma" && wire.weather.fetchedAt == WireTimestamp(Self.now - .hours(1)))
        #expect(wire.weather.attribution == WeatherSource.kma.attribution.text)
        #expect(wire.weather.attributionURL == WeatherSource.kma.attribution.url)
        #expect(wire.weather.hours.map(\.at) == (-1...3).map { WireTimestamp(Self.now + .hours($0)) })
    }

    @Test(arguments: [WeatherState.off, .pending, .beyond, .unavailable])
    func `has only the state without weather`(state: WeatherState) {
        let wire = WireOutlook(Self.outlook(WeatherOutlook(without: state)))
        #expect(!wire.hasWeather && !wire.hasOpensAt && !wire.hasClosesAt && wire.opening == .unknown)
        #expect(wire.weatherState == WireWeatherState.Value(state))
    }

    @Test func `an hour has all its values`() throws {
        let hour = ForecastHour(
            at: Self.now,
            condition: .rain,
            temperatureCelsius: 0,
            feltCelsius: -6,
            precipitationPercent: 80,
            precipitationMm: 7.5,
            snowCm: 0,
            windMps: 9.5,
            gustMps: 12,
            humidityPercent: 95
        )
        let record = Self.record([hour], air: [AirHour(at: Self.now, pm10: 30, pm25: 50.5)])
        let wire = WireOutlook(Self.outlook(WeatherOutlook(.ready, from: record, at: Self.now)))
        let shown = try #require(wire.weather.hours.first)
        #expect(shown.condition == .heavyRain && shown.hasTemperatureCelsius && shown.temperatureCelsius == 0)
        #expect(shown.feltCelsius == -6 && shown.precipitationPercent == 80 && shown.precipitationMm == 7.5)
        #expect(shown.hasSnowCm && shown.snowCm == 0 && shown.windMps == 9.5 && shown.gustMps == 12)
        #expect(shown.humidityPercent == 95 && shown.pm10 == 30 && shown.pm25 == 50.5)
        #expect(shown.pm10Grade == .good && shown.pm25Grade == .veryBad)
        #expect(shown.advice == ["dangerous", "slippery", "careful", "dusty", "freezing"])
        #expect(wire.weather.attribution.contains("CAMS"))
    }

    @Test func `omits unknown values`() throws {
        let record = Self.record([ForecastHour(at: Self.now, condition: .cloudy)])
        let wire = WireOutlook(Self.outlook(WeatherOutlook(.ready, from: record, at: Self.now)))
        let expected = WireWeatherHour.with {
            $0.at = WireTimestamp(Self.now)
            $0.condition = .cloudy
            $0.advice = ["good"]
        }
        #expect(wire.weather.hours == [expected])
    }

    @Test func `every state, condition and grade has a unique value`() {
        let states = WeatherState.allCases.map { WireWeatherState.Value($0) }
        #expect(Set(states).count == states.count && !states.contains(.unspecified))
        let conditions = WeatherCondition.allCases.map { WireWeatherCondition.Value($0) }
        #expect(Set(conditions).count == conditions.count && !conditions.contains(.unspecified))
        let grades = AirGrade.allCases.map { WireAirGrade.Value($0) }
        #expect(Set(grades).count == grades.count && WireAirGrade.Value(AirGrade.unspecified) == .unspecified)
    }

    // MARK: - Replies and events

    @Test func `a reply about a promise has an outlook only if there is one`() {
        let outlook = Self.outlook(WeatherOutlook(without: .pending))
        #expect(WirePromiseReply(WirePromise(), outlook: outlook).outlook == WireOutlook(outlook))
        #expect(!WirePromiseReply(WirePromise()).hasOutlook)
    }

    @Test func `a pending outlook follows for a promise or for a place`() {
        let outlook = Self.outlook(WeatherOutlook(without: .unavailable))
        let place = PlaceID(high: 1, low: 2)
        let ofPromise = WireEvent(personal: .outlookReady(outlook, of: DomainSamples.promiseID), at: Self.now)
        #expect(ofPromise.promiseID.isEmpty && ofPromise.outlookReady.placeID.isEmpty && ofPromise.seq == 0)
        #expect(ofPromise.outlookReady.promiseID == DomainSamples.promiseID.wireText)
        let ofPlace = WireEvent(personal: .outlookReady(outlook, of: place), at: Self.now)
        #expect(ofPlace.outlookReady.promiseID.isEmpty && ofPlace.outlookReady.placeID == place.wireText)
        #expect(ofPlace.outlookReady.outlook == WireOutlook(outlook))
    }

    @Test func `changed weather is a transient event of the promise`() {
        let outlook = Self.outlook(WeatherOutlook(without: .unavailable))
        let event = WireEvent(.weatherChanged(outlook), of: DomainSamples.promiseID, at: Self.now)
        #expect(event.promiseID == DomainSamples.promiseID.wireText && event.seq == 0)
        #expect(event.weatherChanged.outlook == WireOutlook(outlook))
    }

    // MARK: - For administrators

    @Test func `shows administrators the state of each provider and the remaining budget`() {
        let until = Self.now + .minutes(1)
        let providers = [
            WireAdminWeatherProvider(name: "kma", standing: .backingOff(until: until), failures: 2),
            WireAdminWeatherProvider(name: "open-meteo", standing: .free, failures: 0),
            WireAdminWeatherProvider(name: "air", standing: .refused, failures: 1),
        ]
        let wire = WireAdminWeatherStatus(providers, budget: WeatherBudget(daily: 1_000, spent: 12), fetches: 3)
        #expect(wire.providers.map(\.state) == [.backingOff, .ready, .refused])
        #expect(
            wire.providers.map(\.failures) == [2, 0, 1] && wire.providers.map(\.hasRetryAt) == [true, false, false]
        )
        #expect(wire.providers[0].retryAt == WireTimestamp(until))
        #expect(wire.dailyRequests == 1_000 && wire.requestsSpent == 12 && wire.fetches == 3)
    }
}
