import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct WeatherStoreTests {
    static let now = Instant.meeting
    static let cell = WeatherCell.kma(x: 60, y: 127)
    static let one = WeatherFetcherID(high: 1, low: 1)
    static let other = WeatherFetcherID(high: 1, low: 2)

    static func record(
        at fetchedAt: Instant = now,
        source: WeatherSource = .kma,
        hours: [ForecastHour] = [ForecastHour(at: now, condition: .rain, temperatureCelsius: -0.4)]
    ) -> WeatherRecord {
        WeatherRecord(
            cell: cell,
            source: source,
            fetchedAt: fetchedAt,
            expiresAt: fetchedAt + .minutes(30),
            hours: hours,
            air: [AirHour(at: now, pm10: 12.5, pm25: nil)],
            forecastModified: "Sat, 21 Nov 2026 05:30:00 GMT"
        )
    }

    // MARK: - Records

    @Test func `reads a record back unchanged, one for each provider`() async throws {
        try await withStore { store async throws in
            let (mine, others) = (Self.record(), Self.record(source: .openMeteo, hours: []))
            #expect(try await store.weather.weather(of: Self.cell, from: .kma) == nil)
            try await store.weather.keepWeather(mine)
            try await store.weather.keepWeather(others)
            #expect(try await store.weather.weather(of: Self.cell, from: .kma) == mine)
            #expect(try await store.weather.weather(of: Self.cell, from: .openMeteo) == others)
            #expect(try await store.weather.weather(of: .kma(x: 60, y: 128), from: .kma) == nil)
        }
    }

    @Test func `a record replaces an earlier one and stays before a later one`() async throws {
        try await withStore { store async throws in
            let later = Self.record(at: Self.now + .hours(1), hours: [])
            try await store.weather.keepWeather(Self.record())
            try await store.weather.keepWeather(later)
            try await store.weather.keepWeather(Self.record())
            #expect(try await store.weather.weather(of: Self.cell, from: .kma) == later)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `reads random hours back bit by bit`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func measure(_ range: ClosedRange<Double>) -> Double? {
            let number = Double.random(in: range, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: return nil
            case 1: return number
            default: return (number * 100).rounded() / 100
            }
        }
        let hours = (0..<400).map { index in
            ForecastHour(
                at: Self.now + .hours(Int64(index) - 24),
                condition: WeatherCondition.allCases.randomElement(using: &generator) ?? .unknown,
                temperatureCelsius: measure(-60...60),
                feltCelsius: measure(-60...60),
                precipitationPercent: measure(0...100),
                precipitationMm: measure(0...80),
                snowCm: measure(0...80),
                windMps: measure(0...60),
                gustMps: measure(0...60),
                humidityPercent: measure(0...100)
            )
        }
        let air = hours.map { AirHour(at: $0.at, pm10: measure(0...100_000), pm25: measure(0...100_000)) }
        #expect(try WeatherCoding.hours(WeatherCoding.encode(hours)) == hours, "seed \(seed)")
        #expect(try WeatherCoding.air(WeatherCoding.encode(air)) == air, "seed \(seed)")
        let korean = air.map { $0.graded(on: .korea) }
        #expect(try WeatherCoding.air(WeatherCoding.encode(korean)) == korean, "seed \(seed)")
    }

    @Test func `treats truncated and unknown bytes as damage`() throws {
        let bytes = WeatherCoding.encode([ForecastHour(at: Self.now, condition: .snow, temperatureCelsius: 0.123456)])
        for length in 1..<bytes.count {
            #expect(throws: StoreError.self) { try WeatherCoding.hours(Array(bytes.prefix(length))) }
        }
        var unknown = bytes
        // The condition follows the last byte of the time.
        let code = try #require(bytes.firstIndex { $0 < 0x80 }) + 1
        unknown[code] = 200
        #expect(throws: StoreError.damaged("An unknown condition of the weather")) {
            try WeatherCoding.hours(unknown)
        }
    }

    @Test func `the scale of the air takes two bytes, and an unknown one is damage`() throws {
        let hour = AirHour(at: Self.now, pm10: 12.5, pm25: 3)
        let general = WeatherCoding.encode([hour])
        let korean = WeatherCoding.encode([hour.graded(on: .korea)])
        #expect(korean == [0, 1] + general && WeatherCoding.encode([AirHour]()).isEmpty)
        for code in [0, 2, 200] as [UInt8] {
            #expect(throws: StoreError.damaged("An unknown scale of the air")) {
                try WeatherCoding.air([0, code] + general)
            }
        }
        #expect(throws: StoreError.self) { try WeatherCoding.air([0]) }
    }

    // MARK: - Claims and requests

    @Test func `a claim excludes others until it ends or is released`() async throws {
        try await withStore { store async throws in
            func claim(
                _ holder: WeatherFetcherID,
                after minutes: Int64,
                source: WeatherSource = .kma
            ) async throws -> Bool {
                let now = Self.now + .minutes(minutes)
                return try await store.weather.claimWeather(
                    of: Self.cell,
                    from: source,
                    by: holder,
                    at: now,
                    until: now + .minutes(2)
                )
            }
            #expect(try await claim(Self.one, after: 0))
            #expect(try await !claim(Self.other, after: 1))
            #expect(try await claim(Self.other, after: 1, source: .openMeteo))
            #expect(try await claim(Self.other, after: 2))
            // The first one's claim has ended: it releases none.
            try await store.weather.releaseWeather(of: Self.cell, from: .kma, by: Self.one)
            #expect(try await !claim(Self.one, after: 3))
            try await store.weather.releaseWeather(of: Self.cell, from: .kma, by: Self.other)
            #expect(try await claim(Self.one, after: 3))
        }
    }

    @Test func `counts requests of each day up to the limit, also concurrent ones`() async throws {
        try await withStore { store async throws in
            let allowed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<30 { group.addTask { try await store.weather.spendWeatherRequest(on: 1, limit: 20) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(allowed == 20)
            #expect(try await store.weather.weatherRequests(on: 1) == 20)
            #expect(try await store.weather.weatherRequests(on: 2) == 0)
            #expect(try await store.weather.spendWeatherRequest(on: 2, limit: 1))
            #expect(try await !store.weather.spendWeatherRequest(on: 2, limit: 1))
            #expect(try await !store.weather.spendWeatherRequest(on: 3, limit: 0))
        }
    }

    @Test func `a sweep deletes only records older than its instant`() async throws {
        try await withStore { store async throws in
            let old = Self.record(at: Self.now - .milliseconds(1), source: .openMeteo)
            try await store.weather.keepWeather(Self.record())
            try await store.weather.keepWeather(old)
            let today = WeatherBudget.day(of: Self.now)
            for day in [today - 1, today] { _ = try await store.weather.spendWeatherRequest(on: day, limit: 5) }
            for (source, end) in [(.kma, Self.now), (.openMeteo, Self.now - .milliseconds(1))]
                as [(WeatherSource, Instant)]
            {
                let begin = end - .minutes(2)
                _ = try await store.weather.claimWeather(
                    of: Self.cell,
                    from: source,
                    by: Self.one,
                    at: begin,
                    until: end
                )
            }
            try await store.weather.sweepWeather(before: Self.now)
            #expect(try await store.weather.weather(of: Self.cell, from: .kma) != nil)
            #expect(try await store.weather.weather(of: Self.cell, from: .openMeteo) == nil)
            #expect(try await store.weather.weatherRequests(on: today) == 1)
            #expect(try await store.weather.weatherRequests(on: today - 1) == 0)
            #expect(try await store.read { db in try db.number("SELECT count(*) FROM weather_claim") } == 1)
        }
    }

    // MARK: - Promises

    @Test func `finds meetings within a span in order, without cancelled ones`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for (number, minutes) in [(1, 0), (2, 10), (3, 20), (4, 10)] as [(UInt64, Int64)] {
                try await store.open(.sample(number: number, meetsAt: Self.now + .minutes(minutes)))
            }
            var cancelled = Promise.sample(number: 4, meetsAt: Self.now + .minutes(10))
            cancelled.cancelledAt = Self.now - .hours(1)
            cancelled.version = 2
            var commit = SessionCommit(promiseID: cancelled.id)
            commit.promise = cancelled
            try await store.sessions.commit(commit, ownerEpoch: 1)
            let span = Self.now..<(Self.now + .minutes(20))
            let found = try await store.weather.meetings(in: span)
            #expect(found.map(\.promiseID) == [1, 2].map { Promise.sample(number: $0).id })
            #expect(found.first?.coordinate == .meetingPlace && found.first?.meetsAt == Self.now)
            #expect(try await store.weather.nextMeeting(from: Self.now + .milliseconds(1)) == Self.now + .minutes(10))
            #expect(try await store.weather.nextMeeting(from: Self.now + .minutes(10)) == Self.now + .minutes(10))
            #expect(try await store.weather.nextMeeting(from: Self.now + .minutes(21)) == nil)
        }
    }

    @Test func `the weather of a promise turns once, also after a restart`() async throws {
        let directory = TemporaryDirectory()
        let promise = Promise.sample()
        for isFirst in [true, false] {
            let store = try await Store.open(directory: directory.path)
            if isFirst {
                try await store.signUp(1...1)
                try await store.open(promise)
            }
            #expect(try await store.weather.noteWeatherTurn(of: promise.id, at: Self.now) == isFirst)
            #expect(try await !store.weather.noteWeatherTurn(of: promise.id, at: Self.now + .hours(1)))
            try await store.close()
        }
    }

    @Test func `the weather of an unknown promise does not turn`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.self) {
                try await store.weather.noteWeatherTurn(of: Promise.sample().id, at: Self.now)
            }
        }
    }

    // MARK: - Checks

    @Test func `verification finds an unreadable record`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.weather.keepWeather(Self.record())
        #expect(try await store.upkeep.verify() == [])
        for change in ["hours = x'01'", "air = x'80'", "cell = 'kma/0,0'"] {
            try await store.weather.keepWeather(Self.record())
            try await store.write { db in try db.script("UPDATE weather_cell SET \(change)") }
            #expect(try await store.upkeep.verify().map(\.check) == ["weather-readable"], "\(change)")
            try await store.write { db in try db.script("DELETE FROM weather_cell") }
        }
        try await store.close()
    }
}
