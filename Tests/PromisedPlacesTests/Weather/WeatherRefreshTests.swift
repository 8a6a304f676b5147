import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct WeatherRefreshTests {
    /// 20:30 UTC, 05:30 in Korea: the base time of 05 h is out since 05:10.
    static let now = Instant(milliseconds: 1_795_206_600_000)
    static let cell = WeatherCell.tenth(latitude: 375, longitude: 1_269)

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var source = WeatherSource.openMeteo
        /// The age of the record in minutes; nil for none.
        var age: Int64?
        var isEmpty = false
        /// When the record expires, in minutes after it was fetched.
        var expires: Int64?
        var standing = ProviderHealth.Standing.free
        var requestsLeft = 1
        var isUnderway = false
        /// The requested instant, in minutes from now.
        var asked: Int64 = 60
        var step: WeatherRefresh.Step
        var state: WeatherState
        var testDescription: String { name }
    }

    private static let backingOff = ProviderHealth.Standing.backingOff(until: now + .minutes(1))

    static let cases: [Case] = [
        // No record.
        Case(name: "nothing is known", step: .fetch, state: .pending),
        Case(name: "it is being fetched", isUnderway: true, step: .wait, state: .pending),
        Case(name: "no budget", requestsLeft: 0, step: .skip, state: .unavailable),
        Case(name: "failing", standing: backingOff, step: .skip, state: .unavailable),
        Case(name: "refused", standing: .refused, step: .skip, state: .unavailable),
        // The horizon: before, on, after.
        Case(name: "an hour ago", asked: -60, step: .fetch, state: .pending),
        Case(name: "more than an hour ago", asked: -61, step: .serve, state: .beyond),
        Case(name: "16 days ahead", asked: 16 * 1_440, step: .fetch, state: .pending),
        Case(name: "more than 16 days ahead", asked: 16 * 1_440 + 1, step: .serve, state: .beyond),
        Case(name: "5 days ahead in Korea", source: .kma, asked: 5 * 1_440, step: .fetch, state: .pending),
        Case(name: "more than 5 days ahead in Korea", source: .kma, asked: 5 * 1_440 + 1, step: .serve, state: .beyond),
        // The age of the record.
        Case(name: "fresh", age: 0, step: .serve, state: .ready),
        Case(name: "3 h old", age: 180, step: .serve, state: .ready),
        Case(name: "older than 3 h", age: 181, step: .fetch, state: .stale),
        Case(name: "older than 3 h, being fetched", age: 181, isUnderway: true, step: .wait, state: .stale),
        Case(name: "older than 3 h, no budget", age: 181, requestsLeft: 0, step: .serve, state: .stale),
        Case(name: "older than 3 h, failing", age: 181, standing: backingOff, step: .serve, state: .stale),
        Case(name: "older than 3 h, refused", age: 181, standing: .refused, step: .skip, state: .stale),
        Case(name: "12 h old, failing", age: 720, standing: backingOff, step: .serve, state: .stale),
        Case(name: "older than 12 h, failing", age: 721, standing: backingOff, step: .skip, state: .unavailable),
        Case(name: "older than 12 h, no budget", age: 721, requestsLeft: 0, step: .skip, state: .unavailable),
        Case(name: "older than 12 h", age: 721, step: .fetch, state: .pending),
        Case(
            name: "fresh, whatever the provider does",
            age: 10,
            standing: .refused,
            requestsLeft: 0,
            step: .serve,
            state: .ready
        ),
        // The record ends 24 h after it was fetched.
        Case(name: "the last hour", age: 0, asked: 1_499, step: .serve, state: .ready),
        Case(name: "after the last hour", age: 0, asked: 1_500, step: .serve, state: .beyond),
        Case(name: "after the last hour of an old one", age: 181, asked: 1_500, step: .fetch, state: .pending),
        Case(
            name: "after the last hour of an old one, failing",
            age: 181,
            standing: backingOff,
            asked: 1_500,
            step: .skip,
            state: .unavailable
        ),
        // Published since: at 05:10, twenty minutes ago.
        Case(name: "from before the publication", source: .kma, age: 21, step: .fetch, state: .ready),
        Case(name: "from its instant", source: .kma, age: 20, step: .serve, state: .ready),
        Case(
            name: "from before it, being fetched",
            source: .kma,
            age: 21,
            isUnderway: true,
            step: .wait,
            state: .ready
        ),
        Case(name: "from before it, failing", source: .kma, age: 21, standing: backingOff, step: .serve, state: .stale),
        // Expires: before, on.
        Case(name: "not expired", age: 181, expires: 182, step: .serve, state: .ready),
        Case(name: "expired", age: 181, expires: 181, step: .fetch, state: .stale),
        Case(name: "published since, not expired", source: .kma, age: 21, expires: 22, step: .serve, state: .ready),
        Case(name: "expiring after more than 12 h", age: 721, expires: 10_000, step: .fetch, state: .pending),
        // A cell that the provider does not know.
        Case(name: "unknown cell", source: .kma, age: 10, isEmpty: true, step: .skip, state: .beyond),
        Case(name: "unknown cell, long ago", source: .kma, age: 181, isEmpty: true, step: .fetch, state: .pending),
        Case(
            name: "unknown cell, long ago, failing",
            source: .kma,
            age: 181,
            isEmpty: true,
            standing: backingOff,
            step: .skip,
            state: .beyond
        ),
    ]

    static func record(
        _ source: WeatherSource,
        fetchedAt: Instant,
        isEmpty: Bool = false,
        expiresAt: Instant? = nil
    ) -> WeatherRecord {
        WeatherRecord(
            cell: cell,
            source: source,
            fetchedAt: fetchedAt,
            expiresAt: expiresAt,
            hours: isEmpty ? [] : (-2...24).map { ForecastHour(at: fetchedAt + .hours($0), condition: .clear) }
        )
    }

    @Test(.proves("13.2"), arguments: cases)
    func `each case has its decision`(_ row: Case) {
        let record = row.age.map { age in
            let fetchedAt = Self.now - .minutes(age)
            return Self.record(
                row.source,
                fetchedAt: fetchedAt,
                isEmpty: row.isEmpty,
                expiresAt: row.expires.map { fetchedAt + .minutes($0) }
            )
        }
        let refresh = WeatherRefresh(
            source: row.source,
            record: record,
            now: Self.now,
            refresh: .hours(3),
            standing: row.standing,
            requestsLeft: row.requestsLeft,
            isUnderway: row.isUnderway
        )
        let decision = refresh.decision(at: Self.now + .minutes(row.asked))
        #expect(decision.step == row.step)
        #expect(decision.state == row.state)
    }

    @Test(arguments: [WeatherSource.kma, .openMeteo, .metNorway])
    func `fetches a cell requested every minute at most ten times a day`(_ source: WeatherSource) {
        var record: WeatherRecord?
        var fetches = 0
        for minute in Int64(0)..<1_440 {
            let now = Self.now + .minutes(minute)
            let refresh = WeatherRefresh(source: source, record: record, now: now, refresh: .hours(3), requestsLeft: 1)
            guard refresh.decision(at: now).step == .fetch else { continue }
            fetches += 1
            record = Self.record(source, fetchedAt: now)
        }
        #expect((8...10).contains(fetches))
    }

    @Test func `an answer without weather never has a usable record`() {
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<20_000 {
            let age = TimeSpan.minutes(Int64.random(in: 0...900, using: &generator))
            let record = generator.chance(0.9) ? Self.record(.openMeteo, fetchedAt: Self.now - age) : nil
            let asked = Self.now + .minutes(Int64.random(in: -120...1_600, using: &generator))
            let refresh = WeatherRefresh(
                source: .openMeteo,
                record: record,
                now: Self.now,
                refresh: .hours(3),
                standing: generator.chance(0.5) ? .free : Self.backingOff,
                requestsLeft: generator.chance(0.5) ? 0 : 5,
                isUnderway: generator.chance(0.2)
            )
            let decision = refresh.decision(at: asked)
            let isUsable = (record?.covers(asked) ?? false) && age <= .hours(12)
            #expect(isUsable == (decision.state == .ready || decision.state == .stale), "seed 24: \(refresh)")
            #expect(decision.step != .fetch || (refresh.requestsLeft > 0 && refresh.standing == .free && refresh.isDue))
        }
    }
}
