import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@Suite struct ProviderHealthTests {
    static let now = WeatherRefreshTests.now

    private static func pause(_ health: ProviderHealth, at now: Instant) -> TimeSpan {
        guard case .backingOff(let until) = health.standing(at: now) else { return .zero }
        return until - now
    }

    @Test(arguments: [
        (1, 30.0, 60.0), (2, 60, 120), (3, 120, 240), (6, 960, 1_920), (7, 1_800, 3_600), (8, 1_800, 3_600),
        (99, 1_800, 3_600),
    ])
    func `pauses increase from half a minute to an hour, with jitter`(failures: Int, shortest: Double, longest: Double)
    {
        var generator = SeededGenerator(seed: UInt64(failures))
        var pauses: Set<TimeSpan> = []
        for _ in 0..<200 {
            var health = ProviderHealth()
            for _ in 0..<failures { health.noteFailure(at: Self.now, retryAfter: nil, random: &generator) }
            let pause = Self.pause(health, at: Self.now)
            #expect(pause >= .seconds(shortest) && pause <= .seconds(longest))
            pauses.insert(pause)
        }
        #expect(pauses.count > 150)
    }

    @Test func `follows a later instant from the provider, up to a day`() {
        var generator = SeededGenerator(seed: 1)
        var health = ProviderHealth()
        health.noteFailure(at: Self.now, retryAfter: Self.now + .seconds(1), random: &generator)
        #expect(Self.pause(health, at: Self.now) >= .seconds(30))
        health = ProviderHealth()
        health.noteFailure(at: Self.now, retryAfter: Self.now + .hours(2), random: &generator)
        #expect(Self.pause(health, at: Self.now) == .hours(2))
        health.noteFailure(at: Self.now, retryAfter: Self.now + .days(365), random: &generator)
        #expect(Self.pause(health, at: Self.now) == .hours(24))
    }

    @Test func `a pause ends at its instant, or with a success`() {
        var generator = SeededGenerator(seed: 2)
        var health = ProviderHealth()
        health.noteFailure(at: Self.now, retryAfter: Self.now + .hours(2), random: &generator)
        #expect(health.standing(at: Self.now + .hours(2) - .milliseconds(1)) != .free)
        #expect(health.standing(at: Self.now + .hours(2)) == .free)
        #expect(health.failures == 1)
        health.noteSuccess()
        #expect(health.failures == 0 && health.standing(at: Self.now) == .free)
    }

    @Test func `a rejected credential disables the provider permanently`() {
        var generator = SeededGenerator(seed: 3)
        var health = ProviderHealth()
        health.noteRefusal()
        health.noteFailure(at: Self.now, retryAfter: nil, random: &generator)
        #expect(health.standing(at: Self.now + .days(365)) == .refused)
    }

    @Test(arguments: [(1_000, 200), (1_001, 201), (4, 1), (0, 0)])
    func `reserves a fifth of the budget for promises that begin soon`(daily: Int, reserve: Int) {
        let budget = WeatherBudget(daily: daily, spent: 0)
        #expect(budget.reserve == reserve)
        #expect(budget.left(for: .soon) == daily && budget.left(for: .ordinary) == daily - reserve)
        let spent = WeatherBudget(daily: daily, spent: daily - reserve)
        #expect(spent.left(for: .ordinary) == 0 && spent.left(for: .soon) == reserve)
        #expect(WeatherBudget(daily: daily, spent: daily + 1).left(for: .soon) == 0)
    }

    @Test func `a promise is soon from 24 h before its meeting time to it`() {
        let purposes = [-1, 0, 1_440, 1_441].map {
            WeatherBudget.Purpose(ofPromiseAt: Self.now + .minutes($0), now: Self.now)
        }
        #expect(purposes == [.ordinary, .soon, .soon, .ordinary])
    }

    @Test func `a day is counted in UTC`() {
        #expect(WeatherBudget.day(of: Instant(milliseconds: -1)) == -1)
        #expect(WeatherBudget.day(of: Instant(milliseconds: 0)) == 0)
        #expect(WeatherBudget.day(of: Instant(milliseconds: 86_400_000)) == 1)
    }
}
