import Foundation
import PromisedDomain
import PromisedPlaces
import Testing

@testable import PromisedOutside

/// Open-Meteo, MET Norway and recordings.
@Suite struct OpenProviderTests {
    private static let cell = WeatherCell(tenthAt: WeatherWorld.seoul)
    private static let noFetcher = FakeFetcher { (_) throws(OutsideError) in throw .hostNotAllowed }

    private static func hours<Hour>(_ answer: ProviderAnswer<Hour>) throws -> [Hour] {
        guard case .hours(let hours) = answer.content else { throw WeatherFailure.malformed }
        return hours
    }

    private static func openMeteo(_ fetcher: FakeFetcher, key: String? = nil) async throws -> [ForecastHour] {
        let provider = OpenMeteoProvider(
            at: try OutsideURL(OpenMeteoProvider.defaultURL),
            key: ProviderKey(of: .openMeteo, in: key)
        )
        return try hours(try await provider.forecast(of: cell, since: nil, at: Replies.now, through: fetcher))
    }

    private static func metNorway(_ fetcher: FakeFetcher) async throws -> ProviderAnswer<ForecastHour> {
        let provider = METNorwayProvider(at: try OutsideURL(METNorwayProvider.defaultURL))
        return try await provider.forecast(of: cell, since: nil, at: Replies.now, through: fetcher)
    }

    // MARK: - Open-Meteo

    @Test func `requests a cell from Open-Meteo in metres per second and UTC`() async throws {
        let fetcher = FakeFetcher(Replies.reply("open-meteo.json"))
        _ = try await Self.openMeteo(fetcher)
        let url = try #require(fetcher.requests.first?.url)
        #expect(url.hasPrefix("https://api.open-meteo.com:443/v1/forecast?latitude=37.55&longitude=126.95&hourly=temp"))
        for part in ["wind_speed_unit=ms", "timeformat=unixtime", "timezone=GMT", "forecast_days=16"] {
            #expect(url.contains(part))
        }
        #expect(!url.contains("apikey"))
    }

    @Test func `sends the key of Open-Meteo's customers`() async throws {
        let file = try TemporaryFile("open-meteo: k&y")
        let fetcher = FakeFetcher(Replies.reply("open-meteo.json"))
        _ = try await Self.openMeteo(fetcher, key: file.path)
        #expect(fetcher.requests.first?.url.hasSuffix("&apikey=k%26y") ?? false)
    }

    @Test func `reads Open-Meteo's hours from its columns`() async throws {
        let hours = try await Self.openMeteo(FakeFetcher(Replies.reply("open-meteo.json")))
        #expect(hours.count == 14, "the last row knows nothing")
        #expect(
            hours.map(\.condition) == [
                .clear, .clear, .partlyCloudy, .cloudy, .fog, .drizzle, .rain, .heavyRain, .sleet, .snow, .heavySnow,
                .thunderstorm, .heavyRain, .heavySnow,
            ]
        )
        #expect(
            hours.first
                == ForecastHour(
                    at: Instant(milliseconds: 1_795_201_200_000),
                    condition: .clear,
                    temperatureCelsius: 4,
                    feltCelsius: 1.2,
                    precipitationPercent: 0,
                    precipitationMm: 0,
                    snowCm: 0,
                    windMps: 1.1,
                    gustMps: 2.5,
                    humidityPercent: 60
                )
        )
    }

    @Test func `each code of the WMO has its condition`() {
        var table: [WeatherCondition: [Int]] = [:]
        for code in -1...101 { table[OpenMeteo.condition(code: code), default: []].append(code) }
        table[.unknown] = nil
        #expect(
            table == [
                .clear: [0, 1], .partlyCloudy: [2], .cloudy: [3], .fog: [45, 48], .drizzle: Array(51...57),
                .rain: [61, 63, 80, 81], .heavyRain: [65, 82], .sleet: [66, 67], .snow: [71, 73, 77, 85],
                .heavySnow: [75, 86], .thunderstorm: Array(95...99),
            ]
        )
    }

    @Test(
        arguments: [
            // Missing or short columns, and times that do not increase.
            (#"{"hourly":{"time":[0,3600],"weather_code":[3]}}"#, 1), (#"{"hourly":{"time":[0,3600]}}"#, nil),
            (#"{"hourly":{"time":[3600,0],"weather_code":[3,3]}}"#, nil),
            (#"{"hourly":{"time":[0,0],"weather_code":[3,3]}}"#, nil),
            (#"{"hourly":{"time":[-1],"weather_code":[3]}}"#, nil),
            (#"{"hourly":{"time":[9000000000000000],"weather_code":[3]}}"#, nil),
            (#"{"hourly":{"time":[0],"weather_code":[3.5]}}"#, 1),
        ] as [(String, Int?)]
    )
    func `ignores unexpected columns`(body: String, count: Int?) {
        let hours = try? OpenMeteo.forecast(Array(body.utf8))
        #expect((hours ?? []).count == count ?? 0)
    }

    @Test func `reads the air quality and omits unknown values`() throws {
        let hours = try OpenMeteo.air(Replies.body("open-meteo-air.json"))
        #expect(hours.map(\.pm10) == [28.4, 30, 31.5, 52, 101, 90, 60])
        #expect(hours.map(\.pm25) == [12.1, 15, 15.5, 26, 51, nil, 30])
        #expect(hours[5].at == hours[4].at + .hours(2), "an hour without any value is left out")
    }

    // MARK: - MET Norway

    @Test func `requests a cell from MET Norway`() async throws {
        let fetcher = FakeFetcher(Replies.reply("met-norway.json"))
        _ = try await Self.metNorway(fetcher)
        #expect(
            fetcher.requests.map(\.url) == [
                "https://api.met.no:443/weatherapi/locationforecast/2.0/compact?lat=37.55&lon=126.95"
            ]
        )
    }

    @Test func `reads MET Norway's hours, then fills steps of six hours`() async throws {
        let hours = try Self.hours(try await Self.metNorway(FakeFetcher(Replies.reply("met-norway.json"))))
        #expect(
            hours.map(\.condition)
                == [
                    .clear, .clear, .partlyCloudy, .cloudy, .fog, .drizzle, .rain, .heavyRain, .sleet, .snow,
                    .heavySnow,
                    .thunderstorm,
                ] + Array(repeating: .rain, count: 6) + Array(repeating: .cloudy, count: 6)
        )
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $1.at - $0.at == .hours(1) })
        #expect(hours[7].precipitationMm == 8.1)
        // Interpolates numbers between the steps; an amount for six hours gives none for one hour.
        #expect(hours[12...18].map(\.temperatureCelsius) == [10, 9, 8, 7, 6, 5, 4])
        #expect(hours[12...18].map(\.windMps) == [4, 4.5, 5, 5.5, 6, 6.5, 7])
        #expect(hours[12...].allSatisfy { $0.precipitationMm == nil })
    }

    @Test(arguments: [
        ("clearsky_day", WeatherCondition.clear), ("fair_polartwilight", .clear), ("partlycloudy_night", .partlyCloudy),
        ("cloudy", .cloudy), ("fog", .fog), ("lightrain", .drizzle), ("lightrainshowers_day", .drizzle),
        ("rain", .rain),
        ("rainshowers_night", .rain), ("heavyrain", .heavyRain), ("heavyrainshowers_day", .heavyRain),
        ("lightsleet", .sleet), ("sleetshowers_day", .sleet), ("heavysleet", .sleet), ("lightsnow", .snow),
        ("snowshowers_day", .snow), ("heavysnow", .heavySnow), ("heavysnowshowers_day", .heavySnow),
        ("rainandthunder", .thunderstorm), ("lightssleetshowersandthunder_day", .thunderstorm), ("", .unknown),
        ("sandstorm", .unknown), ("day", .unknown),
    ])
    func `each symbol has its condition`(symbol: String, condition: WeatherCondition) {
        #expect(METNorwayReply.condition(symbol: symbol) == condition)
    }

    @Test func `reports a place outside the model as an unknown cell`() async throws {
        guard case .unknownCell = try await Self.metNorway(FakeFetcher(OutsideReply(status: 422))).content else {
            Issue.record("The cell is known")
            return
        }
    }

    // MARK: - Recordings

    private static func folder(_ files: [String: [UInt8]]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "promised-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, body) in files { try Data(body).write(to: folder.appending(path: name)) }
        return folder
    }

    @Test func `a recording starts with the current hour and repeats`() async throws {
        let folder = try Self.folder(["forecast.json": Replies.body("open-meteo.json")])
        defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder.
        let start = Instant(milliseconds: 1_900_000_000_000)
        let provider = RecordedProvider(folder: folder.path, startingAt: start)
        let recorded = try OpenMeteo.forecast(Replies.body("open-meteo.json"))
        for ahead in [0, 5, 14, 100] as [Int64] {
            let now = start + .hours(ahead)
            let hours = try Self.hours(
                try await provider.forecast(of: Self.cell, since: nil, at: now, through: Self.noFetcher)
            )
            let present = try #require(hours.lastIndex { $0.at <= now })
            #expect(now - hours[present].at < .hours(1) && present == 1)
            #expect(hours[present].condition == recorded[Int(ahead) % recorded.count].condition)
            #expect(hours[present].temperatureCelsius == recorded[Int(ahead) % recorded.count].temperatureCelsius)
            #expect(hours.count == 74)
        }
        #expect(Self.noFetcher.requests.isEmpty)
    }

    @Test func `a cell can have its own recording`() async throws {
        let air = Replies.body("open-meteo-air.json")
        let folder = try Self.folder(["forecast-37.55,126.95.json": Replies.body("open-meteo.json"), "air.json": air])
        defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder.
        let provider = RecordedProvider(folder: folder.path, startingAt: Replies.now)
        let known = try await provider.forecast(of: Self.cell, since: nil, at: Replies.now, through: Self.noFetcher)
        #expect(try Self.hours(known).count == 74)
        let elsewhere = WeatherCell(tenthAt: WeatherWorld.tokyo)
        let unknown = try await provider.forecast(of: elsewhere, since: nil, at: Replies.now, through: Self.noFetcher)
        guard case .unknownCell = unknown.content else {
            Issue.record("There is a recording of every cell")
            return
        }
        let quality = try await provider.air(of: elsewhere, since: nil, at: Replies.now, through: Self.noFetcher)
        #expect(try Self.hours(quality)[1].pm10 == 28.4)
    }

    @Test func `reports a damaged recording as malformed`() async throws {
        let folder = try Self.folder(["forecast.json": Array("{".utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder.
        let provider = RecordedProvider(folder: folder.path, startingAt: Replies.now)
        await #expect(throws: WeatherFailure.malformed) {
            try await provider.forecast(of: Self.cell, since: nil, at: Replies.now, through: Self.noFetcher)
        }
    }
}
