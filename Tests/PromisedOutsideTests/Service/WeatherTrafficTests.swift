import PromisedConcurrency
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@testable import PromisedOutside

/// Failures, several providers and the budget.
@Suite(.timeLimit(.minutes(5))) struct WeatherTrafficTests {
    // MARK: - Failures

    @Test(.proves("13.4"))
    func `pauses a failing provider for at least half a minute, then longer`() async throws {
        let world = try WeatherWorld { (_) throws(OutsideError) in throw .timedOut }
        try await world.run { world in
            var attempts: [Instant] = []
            for _ in 0..<(4 * 3_600 / 10) {
                let count = world.fetcher.requests.count
                #expect(await world.look().state == .unavailable)
                if world.fetcher.requests.count > count { attempts.append(world.now) }
                world.pass(.seconds(10))
            }
            let pauses = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
            // Pauses end within ten seconds of a request.
            for (index, pause) in pauses.enumerated() {
                let longest = min(60 * Double(1 << index), 3_600)
                #expect(pause >= .seconds(longest / 2) && pause <= .seconds(longest + 10), "attempt \(index)")
            }
            #expect((8...14).contains(attempts.count))
        }
    }

    @Test(.proves("13.4")) func `respects Retry-After`() async throws {
        let world = try WeatherWorld { (_) throws(OutsideError) in
            OutsideReply(status: 429, retryAfter: .hours(2))
        }
        try await world.run { world in
            #expect(await world.look().state == .unavailable)
            world.pass(.hours(2) - .milliseconds(1))
            #expect(await world.look().state == .unavailable)
            #expect(world.fetcher.requests.count == 1)
            world.pass(.milliseconds(1))
            _ = await world.look()
            #expect(world.fetcher.requests.count == 2)
        }
    }

    @Test func `a failure for one cell pauses the provider for all`() async throws {
        let world = try WeatherWorld { (_) throws(OutsideError) in throw .timedOut }
        try await world.run { world in
            _ = await world.look()
            _ = await world.look(at: WeatherWorld.tokyo)
            #expect(world.fetcher.requests.count == 1)
        }
    }

    @Test(.proves("13.4"))
    func `a rejected key stops the provider until the configuration is reloaded`() async throws {
        let file = try TemporaryFile("kma: wrong")
        let world = try WeatherWorld([.kma], key: ProviderKey(of: .kma, in: file.path)) {
            (request) throws(OutsideError) in
            let isRight = request.query.contains { $0 == ("serviceKey", "right") }
            return isRight ? Replies.reply("kma.json") : Replies.reply("kma-key.xml")
        }
        try await world.run { world in
            #expect(await world.look().state == .unavailable)
            #expect(try await world.service.status().providers.map(\.standing) == [.refused])
            world.pass(.days(1))
            #expect(await world.look().state == .unavailable)
            #expect(world.fetcher.requests.count == 1)
            try file.write("kma: right")
            world.pass(.days(-1))
            #expect(await world.look().state == .unavailable)
            await world.service.reload()
            #expect(await world.look().state == .ready)
            #expect(try await world.service.status().providers.map(\.standing) == [.free])
        }
    }

    // MARK: - Several providers

    @Test func `uses the first provider with the cell`() async throws {
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma, .metNorway], key: ProviderKey(of: .kma, in: file.path))
        try await world.run { world in
            #expect(await world.look().report?.source == .kma)
            #expect(await world.look(at: WeatherWorld.tokyo).report?.source == .metNorway)
            #expect(world.fetcher.requests.map(\.path) == ["/getVilageFcst", "/locationforecast/2.0/compact"])
        }
    }

    @Test func `requests a cell unknown to the first provider only from the second`()
        async throws
    {
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma, .metNorway], key: ProviderKey(of: .kma, in: file.path)) {
            (request) throws(OutsideError) in
            request.path == "/getVilageFcst" ? Replies.reply("kma-no-data.json") : Replies.reply(to: request)
        }
        try await world.run { world in
            for _ in 0..<3 { #expect(await world.look().report?.source == .metNorway) }
            // The newest forecast and the one before it.
            let paths = ["/getVilageFcst", "/getVilageFcst", "/locationforecast/2.0/compact"]
            #expect(world.fetcher.requests.map(\.path) == paths)
        }
    }

    @Test func `a prefetch uses the second provider for cells unknown to the first`() async throws {
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma, .metNorway], key: ProviderKey(of: .kma, in: file.path)) {
            (request) throws(OutsideError) in
            request.path == "/getVilageFcst" ? Replies.reply("kma-no-data.json") : Replies.reply(to: request)
        }
        try await world.run { world in
            await world.service.prefetch(at: WeatherWorld.seoul, meetingAt: world.now + .hours(3))
            var updates = world.audience.updates.makeAsyncIterator()
            #expect(await updates.next()?.after?.isEmpty == true)
            #expect(await updates.next()?.after?.source == .metNorway)
            #expect(await world.look().report?.source == .metNorway)
            let paths = ["/getVilageFcst", "/getVilageFcst", "/locationforecast/2.0/compact"]
            #expect(world.fetcher.requests.map(\.path) == paths)
        }
    }

    @Test(arguments: [true, false])
    func `skips a rejecting or failing provider without a record`(isRefusing: Bool) async throws {
        let isDown = Guarded(true)
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma, .metNorway], key: ProviderKey(of: .kma, in: file.path)) {
            (request) throws(OutsideError) in
            guard request.path == "/getVilageFcst", isDown.withLock({ $0 }) else { return Replies.reply(to: request) }
            if isRefusing { return OutsideReply(status: 401) }
            throw .timedOut
        }
        try await world.run { world in
            #expect(await world.look().report?.source == .metNorway)
            guard !isRefusing else { return }
            isDown.withLock { $0 = false }
            world.pass(.hours(1))
            #expect(await world.look().report?.source == .kma)
            // Its old record precedes another provider's new one.
            isDown.withLock { $0 = true }
            world.pass(.hours(4))
            let stale = await world.look()
            #expect(stale.state == .stale && stale.report?.source == .kma)
        }
    }

    @Test func `one unexpected answer does not remove a known cell`() async throws {
        let isOdd = Guarded(false)
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma], key: ProviderKey(of: .kma, in: file.path)) { (_) throws(OutsideError) in
            Replies.reply(isOdd.withLock { $0 } ? "kma-no-data.json" : "kma.json")
        }
        try await world.run { world in
            #expect(await world.look().state == .ready)
            isOdd.withLock { $0 = true }
            world.pass(.minutes(181))
            #expect(await world.look().state == .stale)
        }
    }

    // MARK: - The budget

    @Test func `delivers a fetch that uses the last request to waiting callers`() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let world = try WeatherWorld(daily: 1, isPatient: false) { (request) throws(OutsideError) in
            for await _ in gate {}
            return Replies.reply(to: request)
        }
        try await world.run { world in
            #expect(await world.look(.soon).state == .pending)
            // The next caller has found no record; then the fetch ends.
            await world.archive.onNextCount { [audience = world.audience] in
                opener.finish()
                _ = await audience.next()
            }
            #expect(await world.look(.soon).state == .ready)
        }
    }

    @Test func `reserves the last fifth of the day's requests for promises that begin soon`() async throws {
        let world = try WeatherWorld(daily: 10)
        try await world.run { world in
            let cells = (0..<12).map { Coordinate(latitude: 10 + Double($0), longitude: 20) }
            for (index, cell) in cells.enumerated() {
                #expect(await world.look(at: cell).state == (index < 8 ? .ready : .unavailable))
            }
            #expect(world.fetcher.requests.count == 8)
            #expect(await world.look(.soon, at: cells[8]).state == .ready)
            #expect(await world.look(.soon, at: cells[9]).state == .ready)
            #expect(await world.look(.soon, at: cells[10]).state == .unavailable)
            let status = try await world.service.status()
            #expect(status.budget.left(for: .soon) == 0)
            world.pass(.minutes(210))
            // A new day in UTC.
            #expect(await world.look(at: cells[10]).state == .ready)
        }
    }

    @Test func `fetches no part of a record if the second exceeds the budget`() async throws {
        let world = try WeatherWorld(air: true, daily: 1)
        try await world.run { world in
            #expect(await world.look(.soon).state == .unavailable)
            #expect(world.fetcher.requests.map(\.path) == ["/forecast"])
            #expect(await world.archive.records.isEmpty)
            let status = try await world.service.status()
            #expect(status.providers.map(\.failures) == [0, 0])
        }
    }

    @Test(.proves("13.2"), .defends("spent-budget"))
    func `a day of traffic stays within the budget, with a fifth left for promises`() async throws {
        let answered = Guarded<[Int64: Int]>([:])
        let clock = Guarded<WeatherWorld?>(nil)
        let world = try WeatherWorld(air: true, daily: 100) { (request) throws(OutsideError) in
            let day = WeatherBudget.day(of: clock.withLock { $0 }?.now ?? Replies.now)
            answered.withLock { $0[day, default: 0] += 1 }
            // One request in ten fails.
            guard answered.withLock({ $0.values.reduce(0, +) }) % 10 != 0 else { throw .timedOut }
            return Self.endless(request, at: clock.withLock { $0 }?.now ?? Replies.now)
        }
        clock.withLock { $0 = world }
        defer { clock.withLock { $0 = nil } }
        var generator = SeededGenerator(seed: 1_000)
        var states: [WeatherBudget.Purpose: [WeatherState: Int]] = [:]
        // From midnight to midnight in UTC.
        world.pass(.minutes(210))
        let day = WeatherBudget.day(of: world.now)
        try await world.run { world in
            for _ in 0..<1_440 {
                // Most users look at places; towards the evening a few promises begin.
                let point = Coordinate(
                    latitude: 33 + generator.uniform(0...4),
                    longitude: 126 + generator.uniform(0...3)
                )
                let purpose: WeatherBudget.Purpose = generator.chance(0.03) ? .soon : .ordinary
                let state = await world.look(purpose, at: point).state
                states[purpose, default: [:]][state, default: 0] += 1
                #expect(await world.archive.spent[day, default: 0] <= 100)
                world.pass(.minutes(1) - .milliseconds(1))
            }
            let spent = await world.archive.spent
            #expect(spent.keys.allSatisfy { $0 == day } && spent == answered.withLock { $0 })
            // Ordinary requests used exactly their share; promises had the rest.
            #expect(spent[day, default: 0] > 80 && spent[day, default: 0] <= 100)
            #expect(states[.ordinary]?[.unavailable] ?? 0 > 1_000)
            #expect(states[.soon]?[.ready] ?? 0 >= 10, "seed 1000: \(states)")
        }
    }

    /// A reply with two days of hours around an instant.
    private static func endless(_ request: OutsideRequest, at now: Instant) -> OutsideReply {
        let hour = now.milliseconds / 3_600_000
        let times = (hour - 24..<hour + 24).map { "\($0 * 3_600)" }.joined(separator: ",")
        let ones = Array(repeating: "1", count: 48).joined(separator: ",")
        let body = #"{"hourly":{"time":[\#(times)],"weather_code":[\#(ones)],"pm10":[\#(ones)]}}"#
        return OutsideReply(status: 200, body: Array(body.utf8))
    }

    @Test(arguments: [WeatherSource.kma, .openMeteo, .metNorway])
    func `fetches a cell requested all day at most ten times`(_ source: WeatherSource) async throws {
        let clock = Guarded<WeatherWorld?>(nil)
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([source], key: ProviderKey(of: source, in: file.path)) {
            (request) throws(OutsideError) in
            request.path == "/forecast"
                ? Self.endless(request, at: clock.withLock { $0 }?.now ?? Replies.now) : Replies.reply(to: request)
        }
        clock.withLock { $0 = world }
        defer { clock.withLock { $0 = nil } }
        try await world.run { world in
            for _ in 0..<288 {
                _ = await world.look()
                world.pass(.minutes(5))
            }
            #expect((1...10).contains(world.fetcher.requests.count))
        }
    }
}
