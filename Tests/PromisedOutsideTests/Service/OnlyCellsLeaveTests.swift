import Logging
import Metrics
import NIOHTTP1
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@testable import PromisedOutside

/// The complete service with its real client, over TLS, against a server that records the head of each request.
@Suite(
    "What leaves the server",
    .tags(.realTime),
    .timeLimit(.minutes(2)),
    .enabled(if: ServerCertificate.canBeMade, "the openssl command is missing")
)
struct OnlyCellsLeaveTests {
    /// A weather service whose providers are all one server on loopback.
    private static func service(
        _ server: FakeServer,
        _ certificate: ServerCertificate,
        key: String,
        time: Instant
    ) throws
        -> (WeatherService, OutsideClient)
    {
        let url = try OutsideURL("https://localhost:\(server.port)")
        var manners = OutsideManners(product: "promised", version: "1", contact: "ops@example.org", services: [url])
        manners.trustFile = certificate.certificate
        let client = OutsideClient(manners)
        let surroundings = WeatherSurroundings(
            providers: [
                KMAProvider(at: url, key: ProviderKey(of: .kma, in: key)), METNorwayProvider(at: url),
                OpenMeteoProvider(at: url, key: ProviderKey(of: .openMeteo, in: key)),
            ],
            air: OpenMeteoAir(at: url, key: ProviderKey(of: .openMeteo, in: key)),
            archive: MemoryWeatherArchive(),
            fetcher: client,
            audience: RecordingAudience(),
            clock: WeatherClock(now: { time })
        )
        var settings = WeatherService.Settings()
        settings.patience = .minutes(1)
        let service = WeatherService(
            surroundings,
            settings: settings,
            random: .system,
            metrics: NOOPMetricsHandler.instance,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return (service, client)
    }

    private static func answer(_ request: FakeServer.Request) -> FakeServer.Reply {
        let path = request.uri.prefix { $0 != "?" }
        switch path {
        case "/getVilageFcst": return .whole(body: Replies.body("kma.json"))
        case "/forecast": return .whole(body: Replies.body("open-meteo.json"))
        case "/air-quality": return .whole(body: Replies.body("open-meteo-air.json"))
        // Half of the cells are outside the Norwegian model and are requested from the third.
        default:
            return request.uri.contains("lat=35.") ? .whole(status: 422) : .whole(body: Replies.body("met-norway.json"))
        }
    }

    /// The allowed forms of requests: keys and fixed words, and cells.
    private static let shapes = [
        #"/getVilageFcst\?serviceKey=k1&pageNo=1&numOfRows=1000&dataType=JSON&base_date=20261121&base_time=0500"#
            + #"&nx=[0-9]{1,3}&ny=[0-9]{1,3}"#,
        #"/locationforecast/2\.0/compact\?lat=[0-9]+\.[0-9]5&lon=[0-9]+\.[0-9]5"#,
        #"/forecast\?latitude=[0-9]+\.[0-9]5&longitude=[0-9]+\.[0-9]5&hourly=[a-z_,0-9]+&wind_speed_unit=ms"#
            + #"&past_days=1&forecast_days=16&timeformat=unixtime&timezone=GMT&apikey=k2"#,
        #"/air-quality\?latitude=[0-9]+\.[0-9]5&longitude=[0-9]+\.[0-9]5&hourly=pm10,pm2_5"#
            + #"&past_days=1&forecast_days=5&timeformat=unixtime&timezone=GMT&apikey=k2"#,
    ]

    @Test(.proves("13.1"), .defends("provider-learns-places"))
    func `only cells leave the server for any request`() async throws {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate) { Self.answer($0) }
        let key = try TemporaryFile("kma: k1\nopen-meteo: k2")
        let (service, client) = try Self.service(server, certificate, key: key.path, time: Replies.now)
        let running = Task { await service.run() }  // Cancelled and awaited below.
        var generator = SeededGenerator(seed: 5)
        for index in 0..<60 {
            // Korea, then Japan.
            let point =
                index < 30
                ? Coordinate(latitude: generator.uniform(35...37), longitude: generator.uniform(126.5...129))
                : Coordinate(latitude: generator.uniform(35...36), longitude: generator.uniform(136...140))
            let instant = Replies.now + .minutes(Int64.random(in: 0...300, using: &generator))
            let outlook = await service.outlook(at: point, instant: instant, purpose: .soon)
            #expect(outlook.state == .ready, "seed 5")
        }
        running.cancel()
        await running.value
        try await client.shutdown()
        try await server.stop()
        let requests = server.requests
        let shapes = try Self.shapes.map { try Regex($0) }
        let seen = shapes.map { shape in requests.filter { (try? shape.wholeMatch(in: $0.uri)) != nil }.count }
        #expect(seen.reduce(0, +) == requests.count && seen.allSatisfy { $0 > 0 }, "seed 5: \(seen)")
        for request in requests {
            let names = Set(request.headers.map { $0.name.lowercased() })
            #expect(names == ["host", "user-agent", "accept"])
            #expect(request.headers["User-Agent"] == ["promised/1 (ops@example.org)"])
        }
    }
}
