import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("The doctor", .timeLimit(.minutes(1)))
struct DoctorTests {
    /// A server of this version with one finding.
    private static func answer(
        _ state: WireAdminHealthState.Value,
        version: String = ProgramVersion.text
    )
        -> StubAdministration.Answer
    {
        { request in
            switch request {
            case .getStats: return .success(.stats(WireAdminStats.with { $0.version = version }))
            case .listSources: return .success(.sources(WireAdminSources()))
            case .findPlaces: return .success(.places(WirePlaces()))
            case .getWeatherStatus: return .success(.weatherStatus(WireAdminWeatherStatus()))
            default:
                let check = WireAdminHealthCheck.with {
                    $0.name = "disk"
                    $0.state = state
                    $0.detail = "80 % full"
                }
                let health = WireAdminHealth.with { $0.checks = [check] }
                return .success(.health(health))
            }
        }
    }

    private func run(
        _ answer: @escaping StubAdministration.Answer,
        ahead: Double = 0,
        _ options: String...
    ) async -> Run {
        let clock = ClockReading(serverMs: ahead * 1_000, ownMs: 0, tookMs: 2)
        let administration = StubAdministration(clock: clock, answer)
        return await Run(["doctor"] + options, StubConnector(administration: administration))
    }

    /// Names and states of the checks of a table, in order.
    private func checks(_ run: Run) -> [String] {
        run.output.split(separator: "\n").dropFirst().map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).prefix(2).joined(separator: " ")
        }
    }

    @Test func `merges its own checks with the server's`() async {
        let run = await run(Self.answer(.ok))
        #expect(run.status == .done)
        let seen = ["connection ok", "encryption skipped", "token ok", "clock-difference ok", "client-version ok"]
        #expect(checks(run) == seen + ["disk ok", "places skipped", "place-index ok", "weather skipped"])
    }

    @Test func `warnings are not failures`() async {
        let run = await run(Self.answer(.warning, version: "0.0.1"), ahead: -3, "--url", "ws://meet.example/ws")
        #expect(run.status == .done)
        let warned = ["encryption", "clock-difference", "client-version", "disk"].map { "\($0) warning" }
        #expect(checks(run).filter { $0.hasSuffix("warning") } == warned)
        #expect(run.output.contains("3.00 s behind this machine's"))
    }

    @Test(arguments: [(2.0, "ok"), (-2.0, "ok"), (2.01, "warning"), (-2.01, "warning")])
    func `clocks may differ by two seconds`(ahead: Double, state: String) async {
        let run = await run(Self.answer(.ok), ahead: ahead)
        #expect(checks(run).contains("clock-difference \(state)"))
    }

    @Test func `a failed check of the server exits with 1`() async {
        let run = await run(Self.answer(.failed), ahead: 0, "--json")
        #expect(run.status == .refused)
        #expect(run.output.contains(#"{"name":"disk","state":"FAILED","detail":"80 % full"}"#))
    }

    /// A server of this version with these sources and this weather.
    private static func answer(
        _ sources: WireAdminSources,
        _ weather: WireAdminWeatherStatus,
        index: Result<StubAdministration.Reply, Failure> = .success(.places(WirePlaces()))
    ) -> StubAdministration.Answer {
        { request in
            switch request {
            case .listSources: .success(.sources(sources))
            case .findPlaces: index
            case .getWeatherStatus: .success(.weatherStatus(weather))
            default: Self.answer(.ok)(request)
            }
        }
    }

    @Test func `reports places, each provider and the budget`() async {
        let weather = WireAdminWeatherStatus.sample([("kma", .ready), ("open-meteo", .backingOff)], spent: 80)
        let run = await run(Self.answer(.sample(["cafes": 2, "markets": 3]), weather))
        #expect(run.status == .done)
        let found = [
            "places ok", "place-index ok", "weather-kma ok", "weather-open-meteo warning", "weather-budget ok",
        ]
        #expect(checks(run).suffix(5) == found[...])
        #expect(run.output.contains("5 places, 2 sources") && run.output.contains("80 of 100 requests spent today"))
    }

    @Test func `warns of a source without places, a missing index and a used budget`() async {
        let weather = WireAdminWeatherStatus.sample([("kma", .ready)], spent: 81)
        let absent = Result<StubAdministration.Reply, Failure>.failure(.refused("is being read"))
        let run = await run(Self.answer(.sample(["cafes": 2, "markets": 0]), weather, index: absent))
        #expect(run.status == .done)
        let found = ["places warning", "place-index warning", "weather-kma ok", "weather-budget warning"]
        #expect(checks(run).suffix(4) == found[...])
        #expect(run.output.contains("without places: markets"))
    }

    @Test func `a key rejected by a provider exits with 1`() async {
        let weather = WireAdminWeatherStatus.sample([("kma", .refused)], spent: 0)
        let run = await run(Self.answer(WireAdminSources(), weather))
        #expect(run.status == .refused)
        #expect(checks(run).contains("weather-kma FAILED"))
    }

    @Test func `no server exits with 3, an invalid token with 4, both with the results so far`() async {
        let gone = await Run(["doctor"], StubConnector(isThere: false))
        #expect(gone.status == .unreachable)
        #expect(checks(gone) == ["connection FAILED"])
        let refused = await Run(
            ["doctor", "--url", "wss://meet.example"],
            StubConnector(failure: .notPermitted("bad token"))
        )
        #expect(refused.status == .notPermitted)
        #expect(checks(refused) == ["connection ok", "encryption ok", "token FAILED"])
    }
}
