internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedOutside
internal import PromisedPlaces
internal import PromisedSimulation

/// The provider of forecasts, which survives the server's process: answers late, fails, or returns malformed data, by
/// seed.
final class SimulatedSky: Sendable {
    /// A temperature that only malformed replies contain, in degrees Celsius.
    static let nonsense = 66.6
    private static let timeout = TimeSpan.seconds(10)

    fileprivate struct State: Sendable {
        var random: SeededGenerator
        var told: Set<Double> = []
        var isCalm = false
    }

    private let state: Guarded<State>

    init(seed: UInt64) { state = Guarded(State(random: SeededGenerator(seed: seed ^ 0x736B_79))) }

    /// `true` if a provider has reported this temperature in a valid reply.
    func hasTold(_ temperature: Double) -> Bool { state.withLock { $0.told.contains(temperature) } }

    /// Makes all further replies immediate and valid.
    func calmDown() { state.withLock { $0.isCalm = true } }

    /// The delay of the next reply, and its content.
    fileprivate func next(at now: Instant) -> (delay: TimeSpan, reply: Result<OutsideReply, OutsideError>) {
        state.withLock { state in
            let delay = state.isCalm ? 0 : Int64.random(in: 0...12_000, using: &state.random)
            guard TimeSpan.milliseconds(delay) < Self.timeout else { return (Self.timeout, .failure(.timedOut)) }
            let kind = state.isCalm ? 11 : Int.random(in: 0..<12, using: &state.random)
            return (.milliseconds(delay), state.reply(kind, at: now))
        }
    }
}

extension SimulatedSky.State {
    /// A reply: a fault for the lowest kinds.
    fileprivate mutating func reply(_ kind: Int, at now: Instant) -> Result<OutsideReply, OutsideError> {
        switch kind {
        case 0: .failure(.unreachable("no route"))
        case 1: .success(OutsideReply(status: 500, body: Array("<html>".utf8)))
        case 2: .success(OutsideReply(status: 429, retryAfter: .seconds(90)))
        case 3: .success(OutsideReply(status: 200, body: Array(Self.nonsense(at: now).dropLast(9).utf8)))
        case 4: .success(OutsideReply(status: 200, body: Array(Self.nonsense(at: now, isText: true).utf8)))
        case 5: .success(OutsideReply(status: 200, body: Array("{\"hourly\":{\"time\":[]}}".utf8)))
        default: .success(OutsideReply(status: 200, body: Array(forecast(at: now).utf8)))
        }
    }

    /// A forecast of Open-Meteo with new temperatures and conditions each time.
    private mutating func forecast(at now: Instant) -> String {
        let temperatures = (0..<8).map { _ in Double(Int.random(in: -100...300, using: &random)) / 10 }
        let codes = (0..<8).map { _ in [0, 3, 61, 95][Int.random(in: 0..<4, using: &random)] }
        told.formUnion(temperatures)
        return Self.text(temperatures.map { "\($0)" }, codes, at: now)
    }

    /// A malformed reply, which must be discarded.
    private static func nonsense(at now: Instant, isText: Bool = false) -> String {
        let word = isText ? "\"\(SimulatedSky.nonsense)\"" : "\(SimulatedSky.nonsense)"
        return text(Array(repeating: word, count: 8), Array(repeating: 95, count: 8), at: now)
    }

    private static func text(_ temperatures: [String], _ codes: [Int], at now: Instant) -> String {
        let first = now.milliseconds / 3_600_000 * 3_600 - 3_600
        let times = (0..<Int64(codes.count)).map { "\(first + $0 * 3_600)" }.joined(separator: ",")
        let code = codes.map { "\($0)" }.joined(separator: ",")
        let temperature = temperatures.joined(separator: ",")
        return "{\"hourly\":{\"time\":[\(times)],\"temperature_2m\":[\(temperature)],\"weather_code\":[\(code)]}}"
    }
}

/// The connection of one run of a server to the sky.
struct SkyFetcher: HTTPFetching {
    let sky: SimulatedSky
    let clock: VirtualClock

    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply {
        let (delay, reply) = sky.next(at: clock.now)
        do {
            try await clock.sleep(until: clock.now + delay)
        } catch {
            throw .cancelled
        }
        return try reply.get()
    }
}

extension WeatherSetup {
    /// A provider whose requests a sky answers.
    init(asking sky: SimulatedSky, on clock: VirtualClock) {
        guard let address = try? OutsideURL("https://sky.example.org/v1") else {
            preconditionFailure("The address is a sound one")
        }
        let provider = OpenMeteoProvider(at: address, key: ProviderKey(of: .openMeteo, in: nil))
        self.init(providers: [provider], through: SkyFetcher(sky: sky, clock: clock))
    }
}
