import PromisedDomain
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Notifications whose cause ends before their delivery, or while they are listed.
@Suite(.timeLimit(.minutes(5))) struct NotificationCauseTests {
    /// User 1 sleeps until 07:00.
    private static func atNight(
        _ body: @Sendable @escaping (NotificationWorld, NotificationActs) async throws -> Void
    )
        async throws
    {
        try await NotificationWorld.with { world in
            try await world.quiet("20:00", "07:00")
            try await body(world, NotificationActs(in: world))
            try await world.settle()
            #expect(world.told() == [])
            try await world.advance(by: .hours(11))
            #expect(world.told() == [] && world.pushed() == [])
            #expect(try await world.list().isEmpty)
        }
    }

    @Test(.proves("14.5")) func `does not notify of a request withdrawn during quiet hours`() async throws {
        try await Self.atNight { world, acts in
            _ = try await acts.friendships.request(.id(.user(1)), by: .user(2), at: world.clock.now)
            try await world.settle()
            #expect(try await world.list().count == 1)
            _ = try await acts.friendships.cancel(.user(1), by: .user(2), at: world.clock.now)
            #expect(try await world.list().isEmpty)
        }
    }

    @Test(.proves("14.5"))
    func `does not notify of a request of an account deleted during quiet hours`() async throws {
        try await Self.atNight { world, acts in
            _ = try await acts.friendships.request(.id(.user(1)), by: .user(2), at: world.clock.now)
            try await world.settle()
            _ = try await world.store.deletions.beginDeletion(of: .user(2), at: world.clock.now) { _ in [] }
        }
    }

    @Test(.proves("14.5")) func `does not notify of an invitation withdrawn during quiet hours`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            try await world.quiet("20:00", "07:00", for: .user(2))
            // At 08:00, after the quiet hours.
            let made = try await acts.makePromise(inviting: [.user(2)], hoursAhead: 11)
            try await world.settle()
            #expect(try await world.list(.user(2)).count == 1 && world.told(.user(2)) == [])
            var edit = PromiseEdit(version: made.version)
            edit.remove = [.user(2)]
            _ = try await acts.promises.edit(made.id, edit, by: .user(1))
            try await world.advance(by: .hours(10) + .minutes(1))
            #expect(world.told(.user(2)) == [])
            #expect(try await world.list(.user(2)).isEmpty)
        }
    }

    @Test(.proves("14.5"))
    func `a list deletes notifications without a cause and adjusts the count`() async throws {
        try await NotificationWorld.with { world in
            let acts = await NotificationActs(in: world)
            for number in 1...3 {
                _ = try await acts.friendships.request(.id(.user(1)), by: .user(2), at: world.clock.now)
                try await world.settle()
                #expect(try await world.list().count == 1, "request \(number)")
                _ = try await acts.friendships.cancel(.user(1), by: .user(2), at: world.clock.now)
                if number == 1 {
                    #expect(try await world.list().isEmpty)
                    #expect(try await world.store.notifications.hasCauselessNotifications(.user(1)) == false)
                }
                world.clock.advance(by: .minutes(1))
            }
        }
    }
}

extension NotificationWorld {
    /// A user's notifications as they are listed.
    fileprivate func list(_ user: UserID = .user(1)) async throws -> [NotificationTopic] {
        let (page, unread) = try await notifications.list(of: user, after: nil, limit: 100)
        #expect(unread == page.items.count { !$0.entry.isRead })
        return page.items.map(\.entry.notification.topic)
    }
}
