import PromisedDomain
import PromisedOutside
import PromisedPlaces
import PromisedSettings
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct WeatherPrefetchTests {
    static let cell = WeatherCell(tenthAt: FixedPlaces.seoul)

    /// Records are stale after ten minutes, so that every prefetch sends a request.
    static var impatient: ServerSettings.Weather {
        var settings = ServerSettings().weather
        settings.refresh = .minutes(10)
        return settings
    }

    @Test(.proves("13.5")) func `fetches a promise's cell a day, three hours and half an hour ahead`() async throws {
        try await withWeatherStore { store async throws in
            try await store.add(.sample(coordinate: FixedPlaces.seoul))
            let world = WeatherWorld(store, at: .meeting - .hours(24) - .minutes(30), settings: Self.impatient)
            try await world.run { world async throws in
                for (number, lead) in WeatherWatch.leads.enumerated() {
                    if number == 0 { await world.clock.sleeper(until: .meeting - lead) }
                    #expect(world.sky.asked.all.count == number)
                    world.clock.advance(to: .meeting - lead - .milliseconds(1))
                    #expect(world.sky.asked.all.count == number)
                    world.clock.advance(to: .meeting - lead)
                    await world.sky.asked.wait { $0.count == number + 1 }
                    // A fetch that is still under way at the next instant would not be repeated.
                    while try await world.weather.status().fetches > 0 { await Task.yield() }
                }
            }
            #expect(world.sky.asked.all == [Self.cell, Self.cell, Self.cell])
        }
    }

    @Test func `fetches once for the promises of one cell`() async throws {
        try await withWeatherStore { store async throws in
            for number in 1...4 as ClosedRange<UInt64> {
                var point = FixedPlaces.seoul
                point.latitude += Double(number % 2) / 1_000
                try await store.add(.sample(number: number, coordinate: point))
            }
            let world = WeatherWorld(store, at: .meeting - .hours(3))
            try await world.run { world async throws in
                await world.sky.asked.wait { $0.count == 1 }
                await world.clock.sleeper(until: .meeting - .hours(2))
            }
            #expect(world.sky.asked.all == [Self.cell])
        }
    }

    @Test func `fetches in time for a promise created meanwhile`() async throws {
        try await withWeatherStore { store async throws in
            let world = WeatherWorld(store, at: .meeting - .hours(3) - .minutes(30), settings: Self.impatient)
            try await world.run { world async throws in
                await world.clock.sleeper(until: .meeting - .hours(2) - .minutes(30))
                let promise = Promise.sample(coordinate: FixedPlaces.seoul)
                try await store.add(promise)
                _ = await world.weather.outlooks.known(of: promise, for: .user(1))
                await world.sky.asked.wait { $0.count == 1 }
                while try await world.weather.status().fetches > 0 { await Task.yield() }
                await world.clock.sleeper(until: .meeting - .hours(3))
                world.clock.advance(to: .meeting - .hours(3))
                await world.sky.asked.wait { $0.count == 2 }
            }
        }
    }

    @Test(arguments: [(-150, 1), (-181, 0), (-1_439, 1), (-1_200, 0)])
    func `a start catches up on fetches due within the age of a fresh record`(minutes: Int64, count: Int) async throws {
        try await withWeatherStore { store async throws in
            try await store.add(.sample(coordinate: FixedPlaces.seoul))
            let start = Instant.meeting + .minutes(minutes)
            let world = WeatherWorld(store, at: start)
            try await world.run { world async throws in
                let next = WeatherWatch.nextPrefetch(forMeetingAt: .meeting, after: start)
                await world.clock.sleeper(until: min(next ?? .meeting, start + WeatherPrefetch.longestPause))
                if count > 0 { await world.sky.asked.wait { $0.count == count } }
            }
            #expect(world.sky.asked.all.count == count)
        }
    }

    @Test func `deletes old records`() async throws {
        try await withWeatherStore { store async throws in
            let now = Instant.meeting
            let old = WeatherRecord(cell: Self.cell, source: .openMeteo, fetchedAt: now - .days(1), hours: [])
            try await store.weather.keepWeather(old)
            let world = WeatherWorld(store, at: now)
            try await world.run { world async throws in
                await world.clock.sleeper(until: now + WeatherPrefetch.longestPause)
                #expect(try await store.weather.weather(of: Self.cell, from: .openMeteo) == old)
                world.clock.advance(by: WeatherPrefetch.longestPause)
                await world.clock.sleeper(until: now + WeatherPrefetch.longestPause + WeatherPrefetch.longestPause)
                #expect(try await store.weather.weather(of: Self.cell, from: .openMeteo) == nil)
            }
        }
    }
}
