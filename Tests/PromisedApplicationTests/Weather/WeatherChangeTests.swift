import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct WeatherChangeTests {
    static let promise = Promise.sample(coordinate: FixedPlaces.seoul)
    static let phone = SubscriberID(rawValue: 9)
    private static let turns = [UserID.user(1), .user(2)].map { RecordingListener.Told.turned(promise.id, $0) }

    /// Subscribes a connection of user 1.
    private func subscribe(_ world: WeatherWorld) async throws {
        try await world.engine.registry.withSession(of: Self.promise.id) { session throws(EngineError) in
            try await session.subscribe(Self.phone, of: .user(1)) { _ in }
        }
    }

    /// Waits until `count` changes were sent to subscribers.
    private func told(_ count: Int, _ world: WeatherWorld) async {
        await world.listener.news.wait { news in
            news.count { if case .changed = $0 { true } else { false } } == count
        }
    }

    private func changes(_ world: WeatherWorld) -> [PlaceOutlook] {
        world.listener.news.all.compactMap { news in
            if case .changed([Self.phone], Self.promise.id, let outlook) = news { outlook } else { nil }
        }
    }

    @Test(.proves("13.5", "weatherChanged"))
    func `notifies subscribers only of new advice and changes of three degrees`() async throws {
        try await withWeatherStore { store async throws in
            try await store.add(Self.promise)
            let world = WeatherWorld(store, at: .meeting - .hours(20))
            try await world.run { world async throws in
                try await subscribe(world)
                _ = try await world.settled(Self.promise)
                try await world.renew(Self.promise, .clear, temperature: 12.9)
                try await world.renew(Self.promise, .cloudy, temperature: 15.9)
                await told(1, world)
                try await world.renew(Self.promise, .fog, temperature: 15.9)
                await told(2, world)
                try await world.renew(Self.promise, .fog, temperature: 13)
            }
            let hours = changes(world).compactMap(\.weather.report?.hour.forecast)
            #expect(hours.map(\.condition) == [.cloudy, .fog])
            #expect(hours.map(\.temperatureCelsius) == [15.9, 15.9])
            #expect(changes(world).allSatisfy { $0.at == .meeting && $0.weather.state == .ready })
            #expect(world.listener.counts.turned == 0)
        }
    }

    @Test(.proves("weatherChanged")) func `sends no notice earlier than a day ahead`() async throws {
        try await withWeatherStore { store async throws in
            try await store.add(Self.promise)
            let world = WeatherWorld(store, at: .meeting - .hours(30))
            try await world.run { world async throws in
                try await subscribe(world)
                _ = try await world.settled(Self.promise)
                try await world.renew(Self.promise, .thunderstorm)
            }
            #expect(world.listener.counts == (0, 0))
        }
    }

    @Test(.proves("13.5"))
    func `notifies participants once of weather that turns within three hours, also after a restart`()
        async throws
    {
        try await withWeatherStore { store async throws in
            try await store.add(Self.promise)
            let first = WeatherWorld(store, at: .meeting - .hours(7) - .minutes(1))
            try await first.run { world async throws in
                _ = try await world.settled(Self.promise)
                // Four hours ahead: too early, and no news once it is known.
                try await world.renew(Self.promise, .rain)
                try await world.renew(Self.promise, .thunderstorm)
                await world.listener.news.wait { $0.count(where: \.isTurn) == 2 }
            }
            #expect(first.clock.now < .meeting - .minutes(30) && first.clock.now > .meeting - .hours(3))
            #expect(first.listener.news.all.filter(\.isTurn) == Self.turns)
            var edit = PromiseEdit(version: 1)
            edit.meetsAt = .meeting + .hours(6)
            let move = edit
            let second = WeatherWorld(store, at: first.clock.now)
            try await second.run { world async throws in
                try await world.engine.registry.withSession(of: Self.promise.id) { session throws(EngineError) in
                    _ = try await session.perform(.edit(move, by: .user(1)))
                }
                try await world.renew(Self.promise, .clear)
                try await world.renew(Self.promise, .snow)
            }
            #expect(second.clock.now > .meeting + .hours(3))
            #expect(second.listener.counts.turned == 0)
        }
    }

    @Test func `a cancelled promise sends no notice`() async throws {
        try await withWeatherStore { store async throws in
            try await store.add(Self.promise)
            try await store.add(.sample(number: 3, coordinate: FixedPlaces.seoul))
            let world = WeatherWorld(store, at: .meeting - .hours(5))
            try await world.run { world async throws in
                _ = try await world.engine.registry.withSession(of: Promise.sample(number: 3).id) {
                    session throws(EngineError) in
                    try await session.perform(.cancel(by: .user(1), reason: ""))
                }
                _ = try await world.settled(Self.promise)
                try await world.renew(Self.promise, .rain)
                await world.listener.news.wait { $0.count(where: \.isTurn) == 2 }
            }
            #expect(world.listener.news.all.filter(\.isTurn) == Self.turns)
        }
    }
}

extension RecordingListener.Told {
    fileprivate var isTurn: Bool { if case .turned = self { true } else { false } }
}
