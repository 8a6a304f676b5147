import PromisedDomain
import PromisedEngine
import PromisedOutside
import PromisedPlaces
import PromisedSettings
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct OutlookTests {
    static let place = FixedPlaces.id

    @Test func `without providers an outlook has only opening hours, and a promise without them none`() async throws {
        try await withWeatherStore { store async throws in
            var promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(2), isOn: false)
            try await world.run { world async throws in
                let outlook = try await world.weather.outlooks.outlook(ofPromise: promise.id, for: .user(1))
                #expect(outlook == PlaceOutlook(at: .meeting, weather: WeatherOutlook(without: .off)))
                #expect(await world.weather.outlooks.known(of: promise, for: .user(1)) == nil)
                promise.place.placeID = Self.place
                let known = try #require(await world.weather.outlooks.known(of: promise, for: .user(1)))
                #expect(known.opening == .open && known.weather.state == .off)
                #expect(world.sky.asked.all.isEmpty)
            }
        }
    }

    @Test(.proves("outlookReady"))
    func `sends a pending outlook after the fetch to all connections of the requesting user`()
        async throws
    {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(2))
            world.sky.hold()
            try await world.run { world async throws in
                for _ in 0..<3 {
                    let outlook = try await world.weather.outlooks.outlook(ofPromise: promise.id, for: .user(1))
                    #expect(outlook.weather == WeatherOutlook(without: .pending))
                }
                world.sky.release()
                let outlook = try await world.ready(after: 0, .promise(promise.id))
                #expect(outlook.at == .meeting && outlook.weather.state == .ready)
                #expect(outlook.weather.report?.hour.forecast.condition == .clear)
            }
            #expect(world.listener.news.all.count == 1)
            #expect(world.sky.asked.all.count == 1)
        }
    }

    @Test func `a reply with a promise starts the fetch without waiting`() async throws {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(2))
            world.sky.hold()
            try await world.run { world async throws in
                let known = try #require(await world.weather.outlooks.known(of: promise, for: .user(1)))
                #expect(known.weather.state == .pending)
                world.sky.release()
                #expect(try await world.ready(after: 0, .promise(promise.id)).weather.state == .ready)
                let again = try #require(await world.weather.outlooks.known(of: promise, for: .user(1)))
                #expect(again.weather.state == .ready)
            }
        }
    }

    @Test func `a place has opening and weather at the requested instant`() async throws {
        try await withWeatherStore { store async throws in
            let world = WeatherWorld(store, at: .meeting)
            let instant = Instant.meeting + .hours(20)
            try await world.run { world async throws in
                let outlooks = world.weather.outlooks
                let first = try await outlooks.outlook(ofPlace: Self.place, at: instant, for: .user(1))
                #expect(first.at == instant && first.opening == .open)
                if first.weather.state == .pending { _ = try await world.ready(after: 0, .place(Self.place)) }
                let outlook = try await outlooks.outlook(ofPlace: Self.place, at: instant, for: .user(1))
                #expect(outlook.weather.report?.hour.forecast.at == instant)
                #expect(try await outlooks.outlook(ofPlace: Self.place, at: nil, for: .user(1)).at == .meeting)
                await #expect(throws: Refusal.self) {
                    try await outlooks.outlook(ofPlace: PlaceID(high: 1, low: 1), at: nil, for: .user(1))
                }
            }
        }
    }

    @Test func `gives an outlook only to invited and accepted users`() async throws {
        try await withWeatherStore(users: 1...4) { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            let creation = try await store.promises.createPromise(
                promise,
                participants: [.accepted(.user(1)), .invited(.user(2)), .declined(.user(3))],
                events: [],
                key: "key",
                contentHash: [1],
                now: promise.createdAt
            )
            try #require(creation == .created)
            let world = WeatherWorld(store, at: .meeting - .hours(2))
            try await world.run { world async throws in
                for number in [1, 2] as [UInt64] {
                    _ = try await world.weather.outlooks.outlook(ofPromise: promise.id, for: .user(number))
                }
                for number in [3, 4] as [UInt64] {
                    await #expect(throws: Refusal.promiseNotFound) {
                        try await world.weather.outlooks.outlook(ofPromise: promise.id, for: .user(number))
                    }
                }
            }
        }
    }

    @Test(.proves("outlookReady")) func `sends nothing to a user who has left meanwhile`() async throws {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(2))
            world.sky.hold()
            try await world.run { world async throws in
                for number in [1, 2] as [UInt64] {
                    let outlook = try await world.weather.outlooks.outlook(ofPromise: promise.id, for: .user(number))
                    #expect(outlook.weather.state == .pending)
                }
                _ = try await world.engine.registry.withSession(of: promise.id) { session throws(EngineError) in
                    try await session.perform(.leave(.user(2)))
                }
                world.sky.release()
                _ = try await world.ready(after: 0, .promise(promise.id))
            }
            #expect(world.listener.news.all.count == 1)
        }
    }

    @Test func `uses a stale record for twelve hours, then the weather is unavailable`() async throws {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(20))
            try await world.run { world async throws in
                #expect(try await world.settled(promise).weather.state == .ready)
                let fetchedAt = world.clock.now
                world.sky.breakDown(true)
                for (age, state) in [
                    (.hours(3), .ready), (.hours(3) + .milliseconds(1), .stale), (.hours(12), .stale),
                    (.hours(12) + .milliseconds(1), .unavailable),
                ] as [(TimeSpan, WeatherState)] {
                    world.clock.advance(to: fetchedAt + age)
                    let weather = try await world.settled(promise).weather
                    #expect(weather.state == state, "after \(age.milliseconds) ms")
                    #expect(weather.report?.fetchedAt == (state == .unavailable ? nil : fetchedAt))
                }
            }
        }
    }

    @Test func `the claims of a killed server do not block its successor`() async throws {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let (now, killed) = (Instant.meeting - .hours(2), WeatherFetcherID(high: 1, low: 1))
            let cell = WeatherCell(tenthAt: FixedPlaces.seoul)
            let end = now + .minutes(2)
            #expect(try await store.weather.claimWeather(of: cell, from: .openMeteo, by: killed, at: now, until: end))
            let world = WeatherWorld(store, at: now)
            try await world.run { world async throws in
                #expect(try await world.settled(promise).weather.state == .ready)
                #expect(world.clock.now == now && world.sky.asked.all == [cell])
            }
        }
    }

    @Test func `the budget reserves a fifth for promises of the next day`() async throws {
        try await withWeatherStore { store async throws in
            var settings = ServerSettings().weather
            settings.dailyRequests = 10
            let now = Instant.meeting
            func promise(_ number: UInt64, in span: TimeSpan) async throws -> Promise {
                let point = Coordinate(latitude: Double(number), longitude: 127)
                let promise = Promise.sample(number: number, coordinate: point, meetsAt: now + span)
                try await store.add(promise)
                return promise
            }
            // After the longest lead and the pause of the timer: no prefetch occurs meanwhile.
            let later = try await asyncMap(1...9) { try await promise($0, in: .hours(60)) }
            let sooner = try await asyncMap(11...13) { try await promise($0, in: .hours(20)) }
            let world = WeatherWorld(store, at: now, settings: settings)
            try await world.run { world async throws in
                let late = try await asyncMap(later) { try await world.settled($0).weather.state }
                #expect(late == Array(repeating: .ready, count: 8) + [.unavailable])
                let soon = try await asyncMap(sooner) { try await world.settled($0).weather.state }
                #expect(soon == [.ready, .ready, .unavailable])
                #expect(try await world.weather.status().budget == WeatherBudget(daily: 10, spent: 10))
            }
            #expect(world.sky.asked.all.count == 10)
        }
    }

    @Test func `an administrator's refresh replaces a young record`() async throws {
        try await withWeatherStore { store async throws in
            let world = WeatherWorld(store, at: .meeting)
            let audit = AuditEntry(
                at: .meeting,
                actor: "office",
                action: "refreshWeather",
                subject: Self.place.description
            )
            try await world.run { world async throws in
                _ = try await world.weather.refresh(of: Self.place, at: .meeting, audit: audit)
                await world.sky.asked.wait { $0.count == 1 }
                // On a busy machine the answer precedes the end of the fetch, and a pending fetch is not repeated.
                while try await world.weather.status().fetches > 0 { await Task.yield() }
                world.clock.advance(by: .minutes(1))
                _ = try await world.weather.refresh(of: Self.place, at: .meeting, audit: audit)
                await world.sky.asked.wait { $0.count == 2 }
                #expect(try await world.weather.status().providers.map(\.failures) == [0])
            }
        }
    }

    @Test(.defends("telling-logs")) func `logs neither cells nor positions`() async throws {
        try await withWeatherStore { store async throws in
            let promise = Promise.sample(coordinate: FixedPlaces.seoul)
            try await store.add(promise)
            let world = WeatherWorld(store, at: .meeting - .hours(2))
            world.sky.breakDown(true)
            try await world.run { world async throws in _ = try await world.settled(promise) }
            #expect(world.log.records.contains { $0.hasPrefix("Weather could not be fetched") })
            let cell = WeatherCell(tenthAt: FixedPlaces.seoul)
            for secret in ["37.5", "126.9", cell.text, cell.degrees.longitude] {
                #expect(!world.log.records.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }
}

/// The results of a body for each element, one after the other.
private func asyncMap<Element, Value>(
    _ elements: some Sequence<Element>,
    _ body: (Element) async throws -> Value
) async rethrows -> [Value] {
    var values: [Value] = []
    for element in elements { values.append(try await body(element)) }
    return values
}
