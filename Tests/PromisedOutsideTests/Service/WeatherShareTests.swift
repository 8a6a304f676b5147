import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import Testing

@testable import PromisedOutside

/// The shares of accounts in the requests of a day: 5 of 100 by requests of users, 25 by promises, 10 by those that
/// begin soon.
@Suite(.timeLimit(.minutes(1))) struct WeatherShareTests {
    private static let ada = UserID(high: 1, low: 1)
    private static let bob = UserID(high: 1, low: 2)

    /// A point in a separate cell.
    private static func point(_ number: Int) -> Coordinate {
        Coordinate(latitude: Double(number / 100) - 50, longitude: Double(number % 100) - 50)
    }

    @Test(
        .proves("13.6"),
        arguments: [
            (5, 1, 10, 10), (20, 1, 10, 10), (21, 2, 10, 10), (40, 2, 10, 10), (41, 3, 11, 10), (100, 5, 25, 10),
            (101, 6, 26, 11), (1_000, 50, 250, 100), (1_001, 51, 251, 101),
        ]
    )
    func `the shares are a twentieth, a quarter and half of the reserve`(
        daily: Int,
        questions: Int,
        later: Int,
        soon: Int
    ) {
        let budget = WeatherBudget(daily: daily, spent: 0)
        #expect(budget.share(for: .ordinary, isOwnPromise: false) == questions)
        #expect(budget.share(for: .ordinary, isOwnPromise: true) == later)
        #expect(budget.share(for: .soon, isOwnPromise: true) == soon)
    }

    @Test(.proves("13.6"), .defends("spent-budget"))
    func `one account's 300 cells leave other accounts' promises their forecast`() async throws {
        let world = try WeatherWorld(daily: 100)
        try await world.run { world in
            for number in 0..<300 {
                let outlook = await world.ask(.ordinary, of: Self.ada, at: Self.point(number))
                #expect(outlook.state == (number < 5 ? .ready : .unavailable), "\(number)")
            }
            #expect(world.fetcher.requests.count == 5)
            // Its promises have a share of their own.
            for number in 300..<320 { _ = await world.ask(.soon, of: Self.ada, at: Self.point(number)) }
            #expect(world.fetcher.requests.count == 15)
            for number in 400..<410 {
                #expect(await world.ask(.soon, of: Self.bob, at: Self.point(number)).state == .ready)
            }
            for number in 410..<415 {
                #expect(await world.ask(.ordinary, of: Self.bob, at: Self.point(number)).state == .ready)
            }
            #expect(world.fetcher.requests.count == 30)
        }
    }

    @Test(.proves("13.6"))
    func `a promise has its forecast after requests have used their share`()
        async throws
    {
        let world = try WeatherWorld(daily: 100)
        try await world.run { world in
            for user in 0..<16 {
                for number in 0..<10 {
                    let account = UserID(high: 2, low: UInt64(user))
                    _ = await world.ask(.ordinary, of: account, at: Self.point(user * 10 + number))
                }
            }
            #expect(world.fetcher.requests.count == 80)
            for number in 200..<300 {
                await world.service.prefetch(
                    at: Self.point(number),
                    meetingAt: world.now + .hours(3),
                    owner: Self.ada
                )
            }
            #expect(await world.ask(.soon, of: Self.bob, at: Self.point(400)).state == .ready)
            #expect(world.fetcher.requests.count <= 91)
        }
    }

    @Test(.proves("13.6"))
    func `later promises of one account use a quarter, separately from its requests`() async throws {
        let world = try WeatherWorld(daily: 100)
        try await world.run { world in
            for number in 0..<60 {
                let point = Self.point(number)
                _ = await world.service.outlook(
                    at: point,
                    instant: world.now,
                    purpose: .ordinary,
                    payer: .owner(Self.ada)
                )
            }
            #expect(world.fetcher.requests.count == 25)
            for number in 60..<80 { _ = await world.ask(.ordinary, of: Self.ada, at: Self.point(number)) }
            #expect(world.fetcher.requests.count == 30)
        }
    }

    @Test(.proves("13.6")) func `a stored record uses no share, and operators have none`() async throws {
        let world = try WeatherWorld(daily: 100)
        try await world.run { world in
            for _ in 0..<20 { #expect(await world.ask(.ordinary, of: Self.ada, at: Self.point(0)).state == .ready) }
            for number in 1..<5 { _ = await world.ask(.ordinary, of: Self.ada, at: Self.point(number)) }
            #expect(await world.ask(.ordinary, of: Self.ada, at: Self.point(5)).state == .unavailable)
            // Another account causes the fetch; then all accounts have the record.
            #expect(await world.ask(.ordinary, of: Self.bob, at: Self.point(5)).state == .ready)
            #expect(await world.ask(.ordinary, of: Self.ada, at: Self.point(5)).state == .ready)
            for number in 6..<30 { #expect(await world.look(at: Self.point(number)).state == .ready) }
        }
    }

    @Test(.proves("13.6"))
    func `a fetch with air quality counts twice, and each day has a new share`() async throws {
        let world = try WeatherWorld(air: true, daily: 100)
        try await world.run { world in
            for day in 1...2 {
                for number in 0..<9 { _ = await world.ask(.ordinary, of: Self.ada, at: Self.point(day * 10 + number)) }
                // The third fetch begins within the share of five.
                #expect(world.fetcher.requests.count == 6 * day)
                world.pass(.days(1))
            }
        }
    }

    @Test(.proves("13.6")) func `counts unexpected requests after they were sent`() async throws {
        let file = try TemporaryFile("kma: key")
        let world = try WeatherWorld([.kma], daily: 100, key: ProviderKey(of: .kma, in: file.path)) {
            (_) throws(OutsideError) in Replies.reply("kma-no-data.json")
        }
        try await world.run { world in
            // Each cell unknown to KMA needs two.
            for number in 0..<20 {
                let point = Coordinate(latitude: 34 + Double(number) * 0.2, longitude: 127.5)
                _ = await world.ask(.ordinary, of: Self.ada, at: point)
            }
            #expect(world.fetcher.requests.count == 6)
        }
    }
}

extension WeatherWorld {
    /// The weather at a place now, for an account.
    fileprivate func ask(
        _ purpose: WeatherBudget.Purpose,
        of account: UserID,
        at point: Coordinate
    ) async -> WeatherOutlook {
        await service.outlook(
            at: point,
            instant: now,
            purpose: purpose,
            payer: purpose == .soon ? .owner(account) : .asker(account)
        )
    }
}
