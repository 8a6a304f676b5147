import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@testable import PromisedOutside

/// The rules for every provider that the server requests over the network.
@Suite struct ProviderConformanceTests {
    /// A provider under test. The air quality is requested like a forecast.
    enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case kma
        case openMeteo
        case metNorway
        case air

        var testDescription: String { rawValue }

        /// The name of its recorded reply.
        var reply: String {
            switch self {
            case .kma: "kma.json"
            case .openMeteo: "open-meteo.json"
            case .metNorway: "met-norway.json"
            case .air: "open-meteo-air.json"
            }
        }

        /// `true` if it is sent the known version.
        var isConditional: Bool { self != .kma }

        func cell(at point: Coordinate) -> WeatherCell? {
            self == .kma ? WeatherCell(kmaAt: point) : WeatherCell(tenthAt: point)
        }

        /// Requests a cell: the instants of the answer's hours, nil for an unchanged answer.
        func ask(
            _ fetcher: FakeFetcher,
            cell: WeatherCell = WeatherCell.kma(x: 60, y: 127),
            since modified: String? = nil
        ) async throws -> [Instant]? {
            let key = try TemporaryFile("kma: secret\n")
            let kmaKey = ProviderKey(of: .kma, in: key.path)
            let noKey = ProviderKey(of: .openMeteo, in: nil)
            switch self {
            case .kma:
                let provider = KMAProvider(at: try OutsideURL(KMAProvider.defaultURL), key: kmaKey)
                return try await instants(provider, fetcher, cell, modified)
            case .openMeteo:
                let provider = OpenMeteoProvider(at: try OutsideURL(OpenMeteoProvider.defaultURL), key: noKey)
                return try await instants(provider, fetcher, cell, modified)
            case .metNorway:
                let provider = METNorwayProvider(at: try OutsideURL(METNorwayProvider.defaultURL))
                return try await instants(provider, fetcher, cell, modified)
            case .air:
                let provider = OpenMeteoAir(at: try OutsideURL(OpenMeteoAir.defaultURL), key: noKey)
                let answer = try await provider.air(of: cell, since: modified, at: Replies.now, through: fetcher)
                guard case .hours(let hours) = answer.content else { return nil }
                return hours.map(\.at)
            }
        }

        private func instants(
            _ provider: some WeatherProvider,
            _ fetcher: FakeFetcher,
            _ cell: WeatherCell,
            _ modified: String?
        ) async throws -> [Instant]? {
            let answer = try await provider.forecast(of: cell, since: modified, at: Replies.now, through: fetcher)
            guard case .hours(let hours) = answer.content else { return nil }
            return hours.map(\.at)
        }
    }

    @Test(arguments: Subject.allCases)
    func `reads hours of a recorded reply in order, starting near the current one`(
        _ subject: Subject
    ) async throws {
        let hours = try #require(try await subject.ask(FakeFetcher(Replies.reply(subject.reply))))
        #expect(hours.count >= 7)
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $0 < $1 })
        #expect(hours.contains { $0 > Replies.now - .hours(1) && $0 <= Replies.now + .hours(1) })
    }

    @Test(arguments: Subject.allCases)
    func `requests for all points of a cell are equal and contain only the cell`(
        _ subject: Subject
    ) async throws {
        var generator = SeededGenerator(seed: 35)
        var urls: [WeatherCell: Set<String>] = [:]
        for _ in 0..<300 {
            let point = Coordinate(
                latitude: generator.uniform(37.45...37.65),
                longitude: generator.uniform(126.85...127.15)
            )
            let cell = try #require(subject.cell(at: point))
            let fetcher = FakeFetcher(Replies.reply(subject.reply))
            _ = try await subject.ask(fetcher, cell: cell)
            for request in fetcher.requests { urls[cell, default: []].insert(request.url) }
        }
        #expect(urls.count > 4)
        #expect(urls.values.allSatisfy { $0.count == 1 }, "seed 35")
        // No number has more than two decimals.
        let long = try Regex(#"[0-9]\.[0-9]{3}"#)
        #expect(urls.values.joined().allSatisfy { !$0.contains(long) }, "seed 35")
    }

    struct Failing: Sendable {
        var status: Int
        var failure: WeatherFailure
    }

    static let failing: [Failing] = [
        Failing(status: 301, failure: .status(301)),
        Failing(status: 400, failure: .status(400)),
        Failing(status: 401, failure: .refused),
        Failing(status: 403, failure: .refused),
        Failing(status: 404, failure: .status(404)),
        Failing(status: 429, failure: .limited(retryAfter: .seconds(77))),
        Failing(status: 500, failure: .status(500)),
        Failing(status: 503, failure: .unavailable(retryAfter: .seconds(77))),
        // The request was unconditional.
        Failing(status: 304, failure: .status(304)),
        Failing(status: 204, failure: .status(204)),
    ]

    @Test(arguments: Subject.allCases, failing)
    func `reports an unsuccessful status as a failure`(_ subject: Subject, _ row: Failing) async throws {
        let fetcher = FakeFetcher(OutsideReply(status: row.status, retryAfter: .seconds(77)))
        let failure = await #expect(throws: WeatherFailure.self) { try await subject.ask(fetcher) }
        #expect(failure == row.failure)
        #expect(fetcher.requests.count == 1)
        #expect(failure?.retryAfter == ([429, 503].contains(row.status) ? .seconds(77) : nil))
    }

    @Test(
        arguments: Subject.allCases,
        [OutsideError.timedOut, .tooLarge, .certificate, .unreachable("x"), .budgetSpent]
    )
    func `reports a network error as a failure`(_ subject: Subject, _ error: OutsideError) async throws {
        let fetcher = FakeFetcher { (_) throws(OutsideError) in throw error }
        let failure = await #expect(throws: WeatherFailure.self) { try await subject.ask(fetcher) }
        #expect(failure == .outside(error))
    }

    @Test(arguments: Subject.allCases.filter(\.isConditional))
    func `sends the known version to a provider, which can reply with no change`(_ subject: Subject) async throws {
        let fetcher = FakeFetcher(OutsideReply(status: 304))
        #expect(try await subject.ask(fetcher, since: "Fri, 20 Nov 2026 19:00:00 GMT") == nil)
        #expect(fetcher.requests.map(\.modifiedSince) == ["Fri, 20 Nov 2026 19:00:00 GMT"])
    }

    @Test(arguments: Subject.allCases)
    func `reports a reply truncated anywhere as malformed`(_ subject: Subject) async throws {
        let body = Replies.body(subject.reply)
        for length in stride(from: 0, to: body.count - 8, by: 101) {
            let fetcher = FakeFetcher(OutsideReply(status: 200, body: Array(body.prefix(length))))
            let failure = await #expect(throws: WeatherFailure.self) { try await subject.ask(fetcher) }
            #expect(failure == .malformed)
        }
    }

    @Test(.defends("faulty-provider"), arguments: Subject.allCases)
    func `a reply with damaged bytes gives hours or a failure, never a crash`(
        _ subject: Subject
    ) async throws {
        var generator = SeededGenerator(seed: 404)
        let body = Replies.body(subject.reply)
        var failures = 0
        for _ in 0..<200 {
            var damaged = body
            for _ in 0..<3 { damaged[Int.random(in: body.indices, using: &generator)] = UInt8(generator.next() & 0x7f) }
            let fetcher = FakeFetcher(OutsideReply(status: 200, body: damaged))
            do {
                let hours = try #require(try await subject.ask(fetcher))
                #expect(zip(hours, hours.dropFirst()).allSatisfy { $0 < $1 }, "seed 404")
            } catch is WeatherFailure {
                failures += 1
            }
        }
        #expect(failures > 0, "seed 404")
    }

    @Test(
        arguments: Subject.allCases,
        ["", "null", "[]", "{}", "<html></html>", "\u{feff}", #"{"hourly":{"time":[]}}"#]
    )
    func `reports another text as malformed`(_ subject: Subject, _ text: String) async throws {
        let fetcher = FakeFetcher(OutsideReply(status: 200, body: Array(text.utf8)))
        let failure = await #expect(throws: WeatherFailure.self) { try await subject.ask(fetcher) }
        #expect(failure == .malformed)
    }

    @Test(.defends("provider-keys")) func `no description of a failure contains an address or a key`() {
        let failures: [WeatherFailure] = [
            .outside(.timedOut), .status(500), .limited(retryAfter: .seconds(1)), .unavailable(retryAfter: nil),
            .refused,
            .key(.noFile), .reported("99"), .malformed,
        ]
        for failure in failures {
            #expect(!failure.description.contains("http") && !failure.description.isEmpty)
            #expect(failure.word.allSatisfy { $0.isLowercase || $0 == "-" })
        }
    }
}
