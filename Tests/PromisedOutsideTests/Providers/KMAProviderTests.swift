import Foundation
import PromisedDomain
import PromisedPlaces
import Testing

@testable import PromisedOutside

@Suite struct KMAProviderTests {
    private static let cell = WeatherCell.kma(x: 60, y: 127)

    private func ask(
        _ fetcher: FakeFetcher,
        key: String = "kma: a+b/c==",
        now: Instant = Replies.now
    ) async throws -> ProviderAnswer<ForecastHour> {
        let file = try TemporaryFile(key)
        let key = ProviderKey(of: .kma, in: file.path)
        let provider = KMAProvider(at: try OutsideURL(KMAProvider.defaultURL), key: key)
        return try await provider.forecast(of: Self.cell, since: nil, at: now, through: fetcher)
    }

    private func failure(_ reply: OutsideReply) async throws -> WeatherFailure? {
        await #expect(throws: WeatherFailure.self) { try await self.ask(FakeFetcher(reply)) }
    }

    @Test func `requests the newest published forecast of the cell`() async throws {
        let fetcher = FakeFetcher(Replies.reply("kma.json"))
        _ = try await ask(fetcher)
        #expect(
            fetcher.requests.map(\.url) == [
                "https://apis.data.go.kr:443/1360000/VilageFcstInfoService_2.0/getVilageFcst"
                    + "?serviceKey=a%2Bb%2Fc%3D%3D&pageNo=1&numOfRows=1000&dataType=JSON"
                    + "&base_date=20261121&base_time=0500&nx=60&ny=127"
            ]
        )
    }

    @Test(arguments: [
        // 02:09 and 02:10 in Korea, where a new day has begun.
        ("2026-11-20T17:09:59Z", "20261120", "2300"), ("2026-11-20T17:10:00Z", "20261121", "0200"),
        ("2026-12-31T14:10:00Z", "20261231", "2300"), ("2026-12-31T17:10:00Z", "20270101", "0200"),
    ])
    func `uses Korea's clock for the base time`(now: String, date: String, time: String) async throws {
        let fetcher = FakeFetcher(Replies.reply("kma.json"))
        _ = try await ask(fetcher, now: try #require(Instant(rfc3339: now)))
        let query = try #require(fetcher.requests.first?.query)
        #expect(query.first { $0.name == "base_date" }?.value == date)
        #expect(query.first { $0.name == "base_time" }?.value == time)
    }

    @Test func `reads the hours from the rows`() async throws {
        guard case .hours(let hours) = try await ask(FakeFetcher(Replies.reply("kma.json"))).content else {
            Issue.record("There are no hours")
            return
        }
        #expect(hours.first?.at.rfc3339 == "2026-11-20T21:00:00Z")
        #expect(
            hours.map(\.condition) == [.clear, .partlyCloudy, .rain, .heavyRain, .sleet, .heavySnow, .snow, .unknown]
        )
        #expect(hours.map(\.temperatureCelsius) == [4, 6, 8, 7, 1, -1, -2, -2])
        #expect(hours.map(\.precipitationPercent) == [0, 10, 60, 80, 70, 90, 60, nil])
        #expect(hours.map(\.precipitationMm) == [0, 0, 0.5, 40, 2.4, 3, 0.5, nil])
        #expect(hours.map(\.snowCm) == [0, 0, 0, 0, 0.25, 5, 1.2, nil])
        #expect(hours.map(\.windMps) == [1.2, 2, 3.4, 9.1, 4, 4.2, 4.2, nil])
        #expect(hours.map(\.humidityPercent) == [62, 58, 71, 88, 90, 92, 90, nil])
        #expect(hours.allSatisfy { $0.feltCelsius == nil && $0.gustMps == nil })
    }

    @Test func `reads numeric values like their texts`() async throws {
        let rows = [("TMP", "4"), ("SKY", "3"), ("PTY", "0"), ("WSD", "1.2")].map { category, value in
            #"{"category":"\#(category)","fcstDate":"20261121","fcstTime":"0600","fcstValue":\#(value)}"#
        }
        let items = #""items":{"item":[\#(rows.joined(separator: ","))]},"totalCount":4"#
        let body = #"{"response":{"header":{"resultCode":"00"},"body":{\#(items)}}}"#
        let reply = OutsideReply(status: 200, body: Array(body.utf8))
        guard case .hours(let hours) = try await ask(FakeFetcher(reply)).content else {
            Issue.record("There are no hours")
            return
        }
        #expect(hours.map(\.condition) == [.partlyCloudy] && hours.map(\.temperatureCelsius) == [4])
        #expect(hours.map(\.windMps) == [1.2])
    }

    struct Text: Sendable {
        var text: String
        var value: Double?
    }

    static let texts: [Text] = [
        Text(text: "강수없음", value: 0),
        Text(text: "적설없음", value: 0),
        Text(text: "1mm 미만", value: 0.5),
        Text(text: "1.0mm 미만", value: 0.5),
        Text(text: "0.5cm 미만", value: 0.25),
        Text(text: "30.0~50.0mm", value: 40),
        Text(text: "30~50mm", value: 40),
        Text(text: "1.0mm~29.0mm", value: 15),
        Text(text: "50.0mm 이상", value: 50),
        Text(text: "5.0cm 이상", value: 5),
        Text(text: "6.2mm", value: 6.2),
        Text(text: "0", value: 0),
        Text(text: " 1.5 mm ", value: 1.5),
        // All others are absent.
        Text(text: "", value: nil),
        Text(text: "mm", value: nil),
        Text(text: "-", value: nil),
        Text(text: "-1mm", value: nil),
        Text(text: "50~30mm", value: nil),
        Text(text: "1~2~3mm", value: nil),
        Text(text: "1~2mm 미만", value: nil),
        Text(text: "~5mm", value: nil),
        Text(text: "1e3mm", value: nil),
        Text(text: "null", value: nil),
        Text(text: "많음", value: nil),
        Text(text: "이상", value: nil),
    ]

    @Test(arguments: texts)
    func `reads texts of amounts`(_ row: Text) {
        #expect(KMAAmount.value(row.text) == row.value)
    }

    @Test func `recognizes errors with status 200, in XML and in JSON`() async throws {
        #expect(try await failure(Replies.reply("kma-limit.xml")) == .limited(retryAfter: nil))
        #expect(try await failure(Replies.reply("kma-key.xml")) == .refused)
        #expect(try await failure(Replies.reply("kma-error.json")) == .reported("99"))
    }

    @Test(arguments: [
        ("22", WeatherFailure.limited(retryAfter: nil)), ("30", .refused), ("31", .refused), ("32", .reported("32")),
        ("04", .reported("04")), ("10", .reported("10")),
    ])
    func `reads a code equally from the portal's XML, the service's XML and JSON`(
        code: String,
        expected: WeatherFailure
    ) async throws {
        let bodies = [
            "<OpenAPI_ServiceResponse><cmmMsgHeader><returnReasonCode>\(code)</returnReasonCode></cmmMsgHeader>"
                + "</OpenAPI_ServiceResponse>",
            "\n<?xml version=\"1.0\"?><response><header><resultCode>\(code)</resultCode></header></response>",
            #"{"response":{"header":{"resultCode":"\#(code)","resultMsg":"x"}}}"#,
        ]
        for body in bodies {
            #expect(try await failure(OutsideReply(status: 200, body: Array(body.utf8))) == expected)
        }
    }

    @Test func `reports a cell without data as unknown`() async throws {
        guard case .unknownCell = try await ask(FakeFetcher(Replies.reply("kma-no-data.json"))).content else {
            Issue.record("The cell is known")
            return
        }
    }

    @Test func `requests the previous forecast if the newest is late`() async throws {
        let fetcher = FakeFetcher { request throws(OutsideError) in
            let isNewest = request.query.contains { $0.name == "base_time" && $0.value == "0500" }
            return Replies.reply(isNewest ? "kma-no-data.json" : "kma.json")
        }
        guard case .hours(let hours) = try await ask(fetcher).content else {
            Issue.record("The cell is unknown")
            return
        }
        #expect(!hours.isEmpty)
        #expect(fetcher.requests.map { $0.query.first { $0.name == "base_time" }?.value } == ["0500", "0200"])
    }

    // MARK: - Pages

    /// A page of rows of one temperature each, `count` in all.
    private static func page(_ number: Int, of count: Int) -> OutsideReply {
        let first = (number - 1) * 1_000
        let rows = (first..<min(first + 1_000, count)).map { row in
            let time = (Replies.now + .hours(9) + .minutes(30) + .hours(Int64(row))).rfc3339
            let date = time.prefix(10).filter { $0 != "-" }
            return
                #"{"category":"TMP","fcstDate":"\#(date)","fcstTime":"\#(time.dropFirst(11).prefix(2))00","fcstValue":"7"}"#
        }
        let body = """
            {"response":{"header":{"resultCode":"00"},"body":{"items":{"item":[\(rows.joined(separator: ","))]},
            "pageNo":\(number),"numOfRows":1000,"totalCount":\(count)}}}
            """
        return OutsideReply(status: 200, body: Array(body.utf8))
    }

    @Test(arguments: [(1, 1), (999, 1), (1_000, 1), (1_001, 2), (2_000, 2), (2_001, 3), (5_000, 5)])
    func `reads all pages`(rows: Int, pages: Int) async throws {
        let fetcher = FakeFetcher { (request) throws(OutsideError) in
            Self.page(request.query.first { $0.name == "pageNo" }.flatMap { Int($0.value) } ?? 0, of: rows)
        }
        guard case .hours(let hours) = try await ask(fetcher).content else {
            Issue.record("There are no hours")
            return
        }
        #expect(hours.count == rows && fetcher.requests.count == pages)
    }

    @Test func `rejects more than five pages`() async throws {
        let fetcher = FakeFetcher { (request) throws(OutsideError) in
            Self.page(request.query.first { $0.name == "pageNo" }.flatMap { Int($0.value) } ?? 0, of: 5_001)
        }
        await #expect(throws: WeatherFailure.malformed) { try await self.ask(fetcher) }
        #expect(fetcher.requests.count == 5)
    }

    @Test func `a failed page discards the forecast`() async throws {
        let fetcher = FakeFetcher { (request) throws(OutsideError) in
            if request.query.contains(where: { $0 == ("pageNo", "2") }) { throw .timedOut }
            return Self.page(1, of: 1_500)
        }
        await #expect(throws: WeatherFailure.outside(.timedOut)) { try await self.ask(fetcher) }
    }

    // MARK: - Keys

    struct KeyFile: Sendable {
        var text: String
        var kma: String?
        var openMeteo: String?
    }

    static let keyFiles: [KeyFile] = [
        KeyFile(text: "abc\n", kma: "abc"),
        KeyFile(text: "\n# the portal's key\n  kma :  abc== \r\nopen-meteo: xyz\n", kma: "abc==", openMeteo: "xyz"),
        KeyFile(text: "KMA: a%2Bb%3D%3D", kma: "a+b=="),
        KeyFile(text: "kma: 100%", kma: "100%"),
        KeyFile(text: "kma: a%zz", kma: "a%zz"),
        KeyFile(text: "open-meteo: xyz", openMeteo: "xyz"),
        KeyFile(text: "kma:\n"),
        KeyFile(text: "# nothing\n"),
        KeyFile(text: ""),
    ]

    @Test(arguments: keyFiles)
    func `a key file has a key for each provider`(_ row: KeyFile) throws {
        #expect(ProviderKey.key(of: .kma, in: row.text) == row.kma)
        #expect(ProviderKey.key(of: .openMeteo, in: row.text) == row.openMeteo)
        let file = try TemporaryFile(row.text)
        #expect(try ProviderKey(of: .openMeteo, in: file.path).valueIfAny() == row.openMeteo)
    }

    @Test func `rereads a discarded key`() throws {
        let file = try TemporaryFile("kma: one")
        let key = ProviderKey(of: .kma, in: file.path)
        #expect(try key.value() == "one")
        try file.write("kma: two")
        #expect(try key.value() == "one")
        key.forget()
        #expect(try key.value() == "two")
    }

    @Test func `a missing key's error has the next step`() throws {
        let file = try TemporaryFile("open-meteo: x")
        let missing = ProviderKey(of: .kma, in: file.path + "-missing")
        #expect(throws: ProviderKeyProblem.noFile) { try ProviderKey(of: .kma, in: nil).value() }
        #expect(throws: ProviderKeyProblem.unreadable(path: file.path + "-missing")) { try missing.value() }
        let problem = #expect(throws: ProviderKeyProblem.self) { try ProviderKey(of: .kma, in: file.path).value() }
        #expect(problem?.description.hasSuffix("add a line \"kma: KEY\"") ?? false)
        #expect(try ProviderKey(of: .openMeteo, in: nil).valueIfAny() == nil)
        try file.write(String(repeating: "x", count: 64 << 10 + 1))
        #expect(throws: ProviderKeyProblem.unreadable(path: file.path)) {
            try ProviderKey(of: .kma, in: file.path).value()
        }
    }

    @Test func `sends no request without a key`() async throws {
        let fetcher = FakeFetcher(Replies.reply("kma.json"))
        let failure = await #expect(throws: WeatherFailure.self) { try await self.ask(fetcher, key: "# none") }
        guard case .key(.noKey) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(fetcher.requests.isEmpty)
    }
}
