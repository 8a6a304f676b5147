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

/// Notifications from the use cases that cause them.
@Suite(.timeLimit(.minutes(5))) struct NotificationSourceTests {
    @Test func `notifies of a friend request once, but not a blocking user`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            _ = try await acts.friendships.request(.id(.user(1)), by: .user(2), at: world.clock.now)
            try await world.settle()
            #expect(world.told() == [.friendRequested(.user(2))])
            #expect(world.listener.told.all.first?.card?.nickname == "User_2")
            // A crossing request is an acceptance.
            _ = try await acts.friendships.request(.id(.user(2)), by: .user(1), at: world.clock.now)
            _ = try await acts.friendships.block(.user(3), by: .user(1), at: world.clock.now)
            await #expect(throws: Refusal.userNotFound) {
                try await acts.friendships.request(.id(.user(1)), by: .user(3), at: world.clock.now)
            }
            try await world.settle()
            #expect(world.listener.told.all.count == 1)
        }
    }

    @Test func `acknowledges a block after the last notification decided without it`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        for number in 1...2 as ClosedRange<UInt64> { _ = try await store.accounts.createUser(.sample(number)) }
        let clock = ManualClock(now: NotificationWorld.evening)
        let queue = PromisedApplication.NotificationQueue(clock: clock)
        let (steps, announcer) = (Signals<String>(), RecordingAnnouncer())
        let engine = Engine(
            archive: MemoryArchive(),
            announcer: announcer,
            connections: announcer,
            clock: clock,
            log: .silent
        )
        let friendships = Friendships(
            store: store,
            sessions: engine.registry,
            news: SilentNews(),
            notifications: queue,
            throttles: AccountThrottles(ServerSettings().throttle)
        )
        queue.beginRound()
        try await withThrowingTaskGroup { group in
            group.addTask {
                _ = try await friendships.block(.user(2), by: .user(1), at: clock.now)
                steps.note("acknowledged")
            }
            // The block is stored, and withdraws notifications of the other user.
            await queue.wait(until: clock.now + .hours(1))
            steps.note("told")
            queue.endRound()
            try await group.waitForAll()
        }
        #expect(steps.all == ["told", "acknowledged"])
        // Without a round in progress it does not wait.
        await queue.roundEnd()
        try await store.close()
    }

    @Test func `a block withdraws its request`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            _ = try await acts.friendships.request(.id(.user(1)), by: .user(2), at: world.clock.now)
            _ = try await acts.friendships.block(.user(2), by: .user(1), at: world.clock.now)
            try await world.settle()
            #expect(try await world.entries() == [])
        }
    }

    @Test func `notifies of invitations when a promise is created or edited`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            let made = try await acts.makePromise(inviting: [.user(2)])
            try await world.settle()
            let topic = NotificationTopic.invited(made.id, meetsAt: made.meetsAt)
            #expect(world.told(.user(2)) == [topic])
            #expect(world.listener.told.all.map(\.notification.userID) == [.user(1)])
            // A repeated key returns the same promise.
            _ = try await acts.makePromise(inviting: [.user(2)])
            var edit = PromiseEdit(version: made.version)
            edit.invite = [.user(3)]
            _ = try await acts.promises.edit(made.id, edit, by: .user(1))
            try await world.settle()
            #expect(world.told(.user(2)) == [topic] && world.told(.user(3)) == [topic])
            #expect(world.told(.user(1)) == [])
        }
    }

    @Test func `notifies the affected users of the opening, a reminder and the result`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            let made = try await acts.makePromise(inviting: [.user(2), .user(3)])
            _ = try await acts.promises.respond(made.id, accept: true, by: .user(2))
            try await acts.pass(to: made.opensAt, in: made.id)
            try await world.settle()
            let opening = NotificationTopic.trackingStarted(made.id)
            #expect(world.told(.user(1)) == [opening])
            #expect(world.told(.user(2)).last == opening)
            #expect(!world.told(.user(3)).contains(opening))
            try await acts.liveActions.nudge(.user(2), in: made.id, by: .user(1))
            try await world.settle()
            #expect(world.told(.user(2)).last == .nudged(made.id))
            await #expect(throws: (any Error).self) {
                try await acts.liveActions.nudge(.user(2), in: made.id, by: .user(1))
            }
            try await acts.pass(to: made.settlesAt, in: made.id)
            try await world.settle()
            let result = NotificationTopic.resultFinal(made.id)
            #expect(world.told(.user(1)) == [opening, result])
            #expect(world.told(.user(2)).suffix(2) == [.nudged(made.id), result])
            #expect(!world.told(.user(3)).contains(result))
        }
    }

    @Test func `suppresses a reminder across a block`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            let made = try await acts.makePromise(inviting: [.user(2)])
            _ = try await acts.promises.respond(made.id, accept: true, by: .user(2))
            try await acts.pass(to: made.opensAt, in: made.id)
            _ = try await acts.friendships.block(.user(1), by: .user(2), at: world.clock.now)
            try await acts.liveActions.nudge(.user(2), in: made.id, by: .user(1))
            try await world.settle()
            #expect(!world.told(.user(2)).contains(.nudged(made.id)))
        }
    }

    @Test func `a stored time zone moves the quiet hours`() async throws {
        try await NotificationWorld.with { world in
            let profiles = Profiles(
                store: world.store,
                cards: UserCardCache(),
                throttles: AccountThrottles(ServerSettings().throttle),
                notifications: world.queue
            )
            try await world.quiet("20:00", "07:00")
            try await world.arise(.resultFinal(.sample(1)))
            #expect(world.told() == [])
            var changes = Profiles.Changes()
            changes.timeZone = "Europe/Lisbon"
            _ = try await profiles.update(.user(1), changes)
            try await world.settle()
            #expect(world.told() == [.resultFinal(.sample(1))])
        }
    }
}
