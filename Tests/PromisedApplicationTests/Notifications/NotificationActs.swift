import Logging
import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedSettings
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The use cases over the world's store; the users become friends where a promise needs that.
struct NotificationActs: Sendable {
    let friendships: Friendships
    let promises: Promises
    let liveActions: LiveActions
    private let world: NotificationWorld
    private let engine: Engine

    init(in world: NotificationWorld) async {
        self.world = world
        let news = RecordedNews(queue: world.queue, news: world.listener)
        let application = await Application.tested(over: world.store, at: world.clock, telling: news)
        engine = application.core.engine
        friendships = application.people.friendships
        (promises, liveActions) = (application.meetups.promises, application.meetups.liveActions)
    }

    /// User 1 creates a promise for some hours later, after befriending users 2 and 3.
    func makePromise(inviting users: [UserID], hoursAhead hours: Int64 = 2) async throws -> Promise {
        let now = world.clock.now
        for other in [.user(2), .user(3)] as [UserID] {
            _ = try await world.store.friendships.changeFriendship(between: .user(1), and: other, at: now) { pair, _ in
                pair.state = .friends
            }
        }
        let place = Place(name: "The pier", coordinate: .meetingPlace)
        let draft = try PromiseDraft(
            key: "key",
            title: "Tea",
            note: "",
            place: place,
            meetsAt: NotificationWorld.evening + .hours(hours),
            radiusMetres: nil,
            penalty: nil,
            rule: ArrivalRule(),
            inviteeIDs: users,
            by: .user(1),
            spans: promises.spans
        )
        return try await promises.create(draft, by: .user(1), at: now).view.promise
    }

    /// Moves the clock, and lets the promise see it.
    func pass(to instant: Instant, in id: PromiseID) async throws {
        world.clock.advance(to: instant)
        _ = try await engine.registry.withSession(of: id) { session throws(EngineError) in
            try await session.perform(.wake)
        }
    }
}
