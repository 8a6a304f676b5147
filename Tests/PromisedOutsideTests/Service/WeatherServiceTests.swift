import PromisedConcurrency
import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import Testing

@testable import PromisedOutside

@Suite(.timeLimit(.minutes(1))) struct WeatherServiceTests {
    private static let key = WeatherKey(source: .openMeteo, cell: WeatherCell(tenthAt: WeatherWorld.seoul))
    /// The record of another node.
    private static let fog = WeatherRecord(
        cell: key.cell,
        source: key.source,
        fetchedAt: Replies.now,
        hours: [ForecastHour(at: Replies.now, condition: .fog)]
    )

    // MARK: - States

    @Test func `without a provider the weather is off and no request is sent`() async throws {
        let world = try WeatherWorld([], air: true)
        try await world.run { world in
            #expect(await world.look().state == .off)
            await world.service.prefetch(at: WeatherWorld.seoul, meetingAt: world.now)
            #expect(await world.service.refresh(at: WeatherWorld.seoul).state == .off)
            #expect(world.fetcher.requests.isEmpty)
        }
    }

    @Test(.proves("getOutlook"))
    func `the first request fetches, later ones use the record`() async throws {
        let world = try WeatherWorld(air: true)
        try await world.run { world in
            let outlook = await world.look()
            #expect(outlook.state == .ready)
            let report = try #require(outlook.report)
            #expect(report.source == .openMeteo && report.fetchedAt == world.now && report.hours.count == 5)
            #expect(report.hour.forecast.at == world.now - .minutes(30) && report.hour.air?.pm10 == 30)
            #expect(report.hour.air?.scale == .korea)
            for _ in 0..<10 { #expect(await world.look().state == .ready) }
            #expect(world.fetcher.requests.map(\.path) == ["/forecast", "/air-quality"])
            let update = try #require(await world.audience.next())
            #expect(update.isFetched && update.before == nil && update.after?.hours.count == 14)
        }
    }

    @Test(.proves("13.2")) func `a hundred simultaneous requests cause one call`() async throws {
        let gate = Gate()
        let world = try WeatherWorld { (request) throws(OutsideError) in
            await gate.pass()
            return Replies.reply(to: request)
        }
        try await world.run { world in
            let states = await withTaskGroup(of: WeatherState.self) { group in
                for _ in 0..<100 { group.addTask { await world.look().state } }
                var waits = world.waits.makeAsyncIterator()
                for _ in 0..<100 { await waits.next() }
                gate.open()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states == Array(repeating: .ready, count: 100))
            #expect(world.fetcher.requests.count == 1)
        }
    }

    @Test func `a slow fetch is pending, and an update follows`() async throws {
        let gate = Gate()
        let world = try WeatherWorld(isPatient: false) { (request) throws(OutsideError) in
            await gate.pass()
            return Replies.reply(to: request)
        }
        try await world.run { world in
            #expect(await world.look().state == .pending)
            #expect(await world.look().state == .pending)
            gate.open()
            let update = try #require(await world.audience.next())
            #expect(update.isFetched && update.key.cell == WeatherCell(tenthAt: WeatherWorld.seoul))
            #expect(await world.look().state == .ready)
            #expect(world.fetcher.requests.count == 1)
        }
    }

    @Test func `a slow failure also sends an update`() async throws {
        let gate = Gate()
        let world = try WeatherWorld(isPatient: false) { (_) throws(OutsideError) in
            await gate.pass()
            throw .timedOut
        }
        try await world.run { world in
            #expect(await world.look().state == .pending)
            gate.open()
            let update = try #require(await world.audience.next())
            #expect(!update.isFetched && update.after == nil)
            #expect(await world.look().state == .unavailable)
        }
    }

    @Test func `uses the old record for callers that time out during its replacement`() async throws {
        let gate = Gate()
        gate.open()
        let world = try WeatherWorld { (request) throws(OutsideError) in
            await gate.pass()
            return Replies.reply(to: request)
        }
        try await world.run { world in
            #expect(await world.look().state == .ready)
            gate.close()
            world.pass(.minutes(181))
            async let outlook = world.look()
            var waits = world.waits.makeAsyncIterator()
            for _ in 0..<2 { await waits.next() }
            world.losePatience()
            #expect(await outlook.state == .stale)
            gate.open()
        }
    }

    @Test(.proves("13.3"))
    func `uses an old record for 12 h while the provider fails`() async throws {
        let isFailing = Guarded(false)
        let world = try WeatherWorld { (request) throws(OutsideError) in
            if isFailing.withLock({ $0 }) { throw .timedOut }
            return Replies.reply(to: request)
        }
        try await world.run { world in
            #expect(await world.look().state == .ready)
            isFailing.withLock { $0 = true }
            world.pass(.hours(3))
            #expect(await world.look().state == .ready)
            world.pass(.milliseconds(1))
            #expect(await world.look().state == .stale)
            world.pass(.hours(9) - .milliseconds(1))
            let last = await world.look()
            #expect(last.state == .stale && last.report?.fetchedAt == Replies.now)
            world.pass(.milliseconds(1))
            let none = await world.look()
            #expect(none.state == .unavailable && none.report == nil)
            isFailing.withLock { $0 = false }
            world.pass(.minutes(10))
            #expect(await world.look().state == .ready)
        }
    }

    @Test func `Tokyo lies beyond Korea's grid, and next month beyond every horizon`() async throws {
        let world = try WeatherWorld([.kma])
        try await world.run { world in
            #expect(await world.look(at: WeatherWorld.tokyo).state == .beyond)
            let outlook = await world.service.outlook(
                at: WeatherWorld.seoul,
                instant: world.now + .days(30),
                purpose: .ordinary
            )
            #expect(outlook.state == .beyond)
            #expect(world.fetcher.requests.isEmpty)
        }
    }

    // MARK: - Parts

    @Test(.proves("13.3")) func `a failed part keeps the complete old record`() async throws {
        let isFailing = Guarded(false)
        let world = try WeatherWorld(air: true) { (request) throws(OutsideError) in
            if request.path == "/air-quality", isFailing.withLock({ $0 }) { throw .timedOut }
            return Replies.reply(to: request)
        }
        try await world.run { world in
            _ = await world.look()
            let before = await world.archive.records
            isFailing.withLock { $0 = true }
            world.pass(.minutes(181))
            let outlook = await world.look()
            #expect(outlook.state == .stale && outlook.report?.hasAir == true)
            #expect(await world.archive.records == before)
            let status = try await world.service.status()
            #expect(status.providers.map(\.part) == [.forecast(.openMeteo), .air])
            #expect(status.providers.map(\.failures) == [0, 1])
        }
    }

    @Test func `keeps an unchanged part and replaces the other`() async throws {
        let world = try WeatherWorld(air: true) { (request) throws(OutsideError) in
            if request.modifiedSince == "forecast" { return OutsideReply(status: 304) }
            var reply = Replies.reply(to: request)
            reply.lastModified = request.path == "/forecast" ? "forecast" : nil
            if request.path == "/air-quality", request.modifiedSince == nil { reply.lastModified = "air" }
            return reply
        }
        try await world.run { world in
            _ = await world.look()
            let before = try #require(await world.archive.records.values.first)
            world.pass(.minutes(181))
            #expect(await world.look().state == .ready)
            let after = try #require(await world.archive.records.values.first)
            #expect(after.hours == before.hours && after.air == before.air)
            #expect(after.fetchedAt == world.now && after.forecastModified == "forecast" && after.airModified == nil)
            #expect(world.fetcher.requests.map(\.modifiedSince) == [nil, nil, "forecast", "air"])
        }
    }

    @Test func `does not repeat a request before its reply expires`() async throws {
        let world = try WeatherWorld { (request) throws(OutsideError) in
            var reply = Replies.reply(to: request)
            reply.freshFor = .hours(5)
            return reply
        }
        try await world.run { world in
            _ = await world.look()
            world.pass(.hours(5) - .milliseconds(1))
            #expect(await world.look().state == .ready)
            #expect(await world.service.refresh(at: WeatherWorld.seoul).state == .ready)
            #expect(world.fetcher.requests.count == 1)
            world.pass(.milliseconds(1))
            #expect(await world.look().state == .ready)
            #expect(world.fetcher.requests.count == 2)
        }
    }

    @Test func `an operator's refresh replaces a young record`() async throws {
        let world = try WeatherWorld()
        try await world.run { world in
            _ = await world.look()
            world.pass(.minutes(1))
            let outlook = await world.service.refresh(at: WeatherWorld.seoul)
            #expect(outlook.state == .ready && outlook.report?.fetchedAt == world.now)
            #expect(world.fetcher.requests.count == 2)
        }
    }

    @Test func `a prefetch fetches only due cells`() async throws {
        let world = try WeatherWorld()
        try await world.run { world in
            await world.service.prefetch(at: WeatherWorld.seoul, meetingAt: world.now + .hours(3))
            #expect(await world.audience.next()?.isFetched == true)
            await world.service.prefetch(at: WeatherWorld.seoul, meetingAt: world.now + .hours(3))
            #expect(await world.look().state == .ready)
            #expect(world.fetcher.requests.count == 1)
        }
    }

    @Test func `reports unreadable records as unavailable without a request`() async throws {
        let world = try WeatherWorld()
        await world.archive.breakDown(true)
        try await world.run { world in
            #expect(await world.look().state == .unavailable)
            #expect(world.fetcher.requests.isEmpty)
            await world.archive.breakDown(false)
            #expect(await world.look().state == .ready)
        }
    }

    @Test(arguments: [TimeSpan.zero, WeatherJob.claimSpan])
    func `waits for a fetch of another node until its claim ends`(span: TimeSpan) async throws {
        let world = try WeatherWorld()
        #expect(try await world.archive.claim(Self.key, from: world.now, until: world.now + WeatherJob.claimSpan))
        try await world.run { world in
            async let outlook = world.look()
            var waits = world.waits.makeAsyncIterator()
            // The caller and the fetch.
            for _ in 0..<2 { await waits.next() }
            world.pass(span)
            try await world.archive.keep(Self.fog)
            world.losePatience()
            let update = try #require(await world.audience.next())
            #expect(update.before == nil && update.after == Self.fog)
            #expect(await outlook.report?.hour.forecast.condition == .fog)
            #expect(world.fetcher.requests.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `does not fetch a record stored by another node meanwhile`(isClaimed: Bool) async throws {
        let world = try WeatherWorld(isPatient: false)
        if isClaimed {
            #expect(try await world.archive.claim(Self.key, from: world.now, until: world.now + WeatherJob.claimSpan))
        }
        // The request has found no record.
        await world.archive.onNextCount { [archive = world.archive] in try? await archive.keep(Self.fog) }
        try await world.run { world in
            _ = await world.look()
            let update = try #require(await world.audience.next())
            #expect(update.before == nil && update.after == Self.fog)
            #expect(await world.look().report?.hour.forecast.condition == .fog)
            #expect(world.fetcher.requests.isEmpty)
            #expect(try await world.archive.claim(Self.key, from: world.now, until: world.now) != isClaimed)
        }
    }
}

/// A gate that callers pass while it is open.
final class Gate: Sendable {
    private let waiting = Guarded<(isOpen: Bool, callers: [AsyncStream<Void>.Continuation])>((false, []))

    func pass() async {
        let (way, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waiting.withLock { gate in
            if gate.isOpen { caller.finish() } else { gate.callers.append(caller) }
        }
        for await _ in way {}
    }

    func open() {
        let callers = waiting.withLock { gate in
            defer { gate = (true, []) }
            return gate.callers
        }
        for caller in callers { caller.finish() }
    }

    func close() { waiting.withLock { $0.isOpen = false } }
}
