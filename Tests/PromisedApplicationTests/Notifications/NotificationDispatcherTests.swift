import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedStore

@Suite(.timeLimit(.minutes(5))) struct NotificationDispatcherTests {
    private let writing = NotificationFocus(.writing)
    private let nudge = NotificationTopic.nudged(.sample(1))
    private let result = NotificationTopic.resultFinal(.sample(1))

    // MARK: - Holding

    @Test(.proves("14.2")) func `replaces held notifications by the latest of their kind and subject`() async throws {
        try await NotificationWorld.with { world in
            try await world.focus(1, writing)
            try await world.arise(nudge, by: .user(2))
            world.clock.advance(by: .seconds(30))
            try await world.arise(result)
            try await world.arise(nudge, by: .user(3))
            let entries = try await world.entries()
            #expect(Set(entries.map(\.notification.userID)) == [.user(3), nil])
            #expect(entries.allSatisfy { $0.hold?.reason == .writing })
            try await world.focus(1, NotificationFocus(.home))
            #expect(Set(world.told()) == [nudge, result] && world.told().count == 2)
            #expect(world.pushed() == [])
            #expect(world.listener.told.all.map(\.card?.nickname).contains("User_3"))
        }
    }

    @Test(.proves("setFocus")) func `writing ends when the last of two connections ends`() async throws {
        try await NotificationWorld.with { world in
            try await world.focus(1, writing)
            try await world.focus(2, writing)
            try await world.arise(nudge)
            try await world.disconnect(1)
            #expect(world.told() == [])
            try await world.disconnect(2)
            #expect(world.told() == [nudge] && world.pushed() == [nudge])
        }
    }

    @Test func `frames extend writing, and the timer ends it`() async throws {
        try await NotificationWorld.with { world in
            let start = world.clock.now
            try await world.focus(1, writing)
            try await world.arise(nudge)
            world.clock.advance(to: start + .seconds(119))
            world.leases.frame(1, at: world.clock.now)
            await world.clock.sleeper(until: start + .minutes(2))
            world.clock.advance(to: start + .minutes(2))
            // None was delivered: the timer waits for the end of the frames instead.
            await world.clock.sleeper(until: start + .seconds(239))
            #expect(world.told() == [])
            world.clock.advance(to: start + .seconds(239))
            await world.listener.pushed.wait { !$0.isEmpty }
            #expect(world.told() == [nudge])
        }
    }

    @Test(.proves("14.1")) func `writing holds ten minutes at most`() async throws {
        try await NotificationWorld.with { world in
            try await world.focus(1, writing)
            try await world.arise(nudge)
            for minute in 1...10 as ClosedRange<Int64> {
                #expect(world.told() == [], "minute \(minute)")
                world.leases.frame(1, at: world.clock.now)
                try await world.advance(by: .minutes(1))
            }
            #expect(world.told() == [nudge] && world.pushed() == [])
        }
    }

    @Test(.proves("14.1")) func `quiet hours end by the user's clock, also after a change of zone`() async throws {
        try await NotificationWorld.with { world in
            try await world.quiet("20:00", "07:00")
            try await world.arise(result)
            #expect(world.told() == [])
            // Noon in Lisbon.
            _ = try await world.store.accounts.changeAccount(.user(1), AccountChanges(timeZone: "Europe/Lisbon"))
            world.queue.timeZoneChanged(of: .user(1))
            try await world.settle()
            #expect(world.told() == [result])
        }
    }

    @Test func `the timer delivers at the end of the quiet hours`() async throws {
        try await NotificationWorld.with { world in
            try await world.quiet("20:00", "07:00")
            try await world.arise(result)
            let morning = world.clock.now + .hours(10)
            world.clock.advance(to: morning - .milliseconds(1))
            try await world.settle()
            #expect(world.told() == [])
            await world.clock.sleeper(until: morning)
            world.clock.advance(to: morning)
            await world.listener.pushed.wait { !$0.isEmpty }
            #expect(world.told() == [result])
            #expect(try await world.entries().map(\.hold) == [nil])
        }
    }

    // MARK: - Restarts

    @Test func `delivers held notifications once and on time after a restart`() async throws {
        let directory = TemporaryDirectory()
        try await NotificationWorld.with(in: directory) { world in
            try await world.quiet("20:00", "07:00")
            try await world.arise(result)
            try await world.focus(2, writing, of: .user(2))
            try await world.arise(nudge, for: .user(2))
            #expect(world.listener.told.all.isEmpty)
        }
        let morning = NotificationWorld.evening + .hours(10)
        try await NotificationWorld.with(in: directory, at: NotificationWorld.evening + .minutes(1)) { world in
            // Connections end with the process, and writing with them.
            await world.listener.pushed.wait { $0.contains { $0.userID == .user(2) } }
            await world.clock.sleeper(until: NotificationWorld.evening + .minutes(61))
            world.clock.advance(to: morning)
            await world.listener.pushed.wait { $0.contains { $0.userID == .user(1) } }
            #expect(world.listener.told.all.count == 2)
        }
        try await NotificationWorld.with(in: directory, at: morning + .minutes(1)) { world in
            try await world.settle()
            #expect(world.listener.told.all.isEmpty)
        }
    }

    @Test func `a repeat is the same notification, also after a restart`() async throws {
        let directory = TemporaryDirectory()
        let meeting = NotificationTopic.invited(.sample(1), meetsAt: .meeting + .days(1))
        for start in [0, 1] as [Int64] {
            let now = NotificationWorld.evening + .minutes(start)
            try await NotificationWorld.with(in: directory, at: now) { world in
                for _ in 0...1 {
                    world.queue.raise(meeting, for: [.user(1)], causedBy: .user(2), at: NotificationWorld.evening)
                    world.queue.raise(.weatherTurned(.sample(1)), for: [.user(1)], isOnce: true)
                    try await world.settle()
                    world.clock.advance(by: .seconds(1))
                }
                #expect(world.told().count == (start == 0 ? 2 : 0))
                // Another invitation to the same promise is another notification.
                world.queue.raise(meeting, for: [.user(1)], causedBy: .user(2), at: now + .seconds(1))
                try await world.settle()
                #expect(world.told().last == meeting)
            }
        }
    }

    @Test(.proves("14.3"), .defends("notification-floods"))
    func `pushes at most thirty in an hour, across a restart`() async throws {
        let directory = TemporaryDirectory()
        try await NotificationWorld.with(in: directory) { world in
            for number in 1...20 as ClosedRange<UInt64> { try await world.arise(.nudged(.sample(number))) }
            #expect(world.pushed().count == 20)
        }
        try await NotificationWorld.with(in: directory, at: NotificationWorld.evening + .minutes(30)) { world in
            for number in 21...35 as ClosedRange<UInt64> { try await world.arise(.nudged(.sample(number))) }
            #expect(world.pushed().count == 10 && world.told().count == 15)
            try await world.advance(by: .minutes(30))
            try await world.arise(nudge)
            #expect(world.pushed().count == 11)
        }
    }

    // MARK: - The inbox

    @Test(.proves("14.3", "listNotifications"), .defends("notification-floods"))
    func `the inbox stores the newest two hundred`() async throws {
        try await NotificationWorld.with { world in
            for number in 1...205 as ClosedRange<UInt64> {
                world.queue.raise(.nudged(.sample(number)), for: [.user(1)])
                world.clock.advance(by: .seconds(1))
            }
            try await world.settle()
            let kept = try await world.entries().map(\.notification.topic)
            #expect(kept == (6...205).reversed().map { .nudged(.sample($0)) })
            let list = try await world.notifications.list(of: .user(1), after: nil, limit: 50)
            #expect(list.unread == 200 && list.page.items.count == 50 && list.page.next != nil)
        }
    }

    @Test(.proves("14.3"))
    func `deletes a notification after thirty days, with or without its user online`() async throws {
        try await NotificationWorld.with { world in
            try await world.arise(nudge)
            await world.clock.sleeper(until: NotificationWorld.evening + .hours(1))
            world.clock.advance(by: .days(30) - .milliseconds(1))
            try await world.settle()
            #expect(try await world.entries().count == 1)
            try await world.advance(by: .hours(1))
            #expect(try await world.entries() == [])
        }
    }

    @Test(.proves("readNotifications"))
    func `marks some or all as read and drops the held ones`() async throws {
        try await NotificationWorld.with { world in
            try await world.arise(nudge, by: .user(2))
            try await world.quiet("20:00", "07:00")
            try await world.arise(result)
            let held = try #require(try await world.entries().first { $0.hold != nil })
            try await world.notifications.read([held.notification.id], by: .user(2))
            #expect(try await world.store.notifications.unreadNotifications(of: .user(1)) == 2)
            try await world.notifications.read([held.notification.id], by: .user(1))
            let list = try await world.notifications.list(of: .user(1), after: nil, limit: 9)
            #expect(list.unread == 1)
            #expect(Set(list.page.items.map(\.other?.nickname)) == ["User_2", nil])
            try await world.notifications.read([], by: .user(1))
            #expect(try await world.store.notifications.unreadNotifications(of: .user(1)) == 0)
            try await world.advance(by: .days(1))
            #expect(world.told() == [nudge])
        }
    }

    @Test(
        .proves("updateNotificationSettings"),
        arguments: [("22:30", "", "quietTo"), ("25:00", "07:00", "quietFrom"), ("07:00", "07:00", "quietTo")]
    )
    func `rejects inconsistent settings without a change`(
        _ from: String,
        _ to: String,
        _ field: String
    ) async throws {
        try await NotificationWorld.with { world in
            try await world.quiet("20:00", "07:00")
            await #expect(throws: Refusal.invalid(field: field)) { try await world.quiet(from, to) }
            let settings = try await world.notifications.settings(of: .user(1))
            #expect(settings.quietFrom == "20:00" && settings.quietTo == "07:00")
        }
    }

    // MARK: - Blocks and deleted accounts

    @Test(.proves("14.4"), .defends("notices-across-blocks"))
    func `a block in either direction suppresses notifications`() async throws {
        try await NotificationWorld.with { world in
            _ = try await world.store.friendships.block(.user(2), by: .user(1), at: world.clock.now)
            _ = try await world.store.friendships.block(.user(1), by: .user(3), at: world.clock.now)
            for other in [.user(2), .user(3)] as [UserID] {
                try await world.arise(nudge, by: other)
                try await world.arise(nudge, for: other, by: .user(1))
                #expect(try await world.entries(of: other) == [])
            }
            #expect(try await world.entries() == [])
            #expect(world.listener.told.all.isEmpty)
            try await world.arise(nudge, for: .user(2), by: .user(3))
            #expect(world.told(.user(2)) == [nudge])
        }
    }

    @Test(.proves("14.4")) func `a block withdraws held notifications and the request, and keeps the rest`()
        async throws
    {
        try await NotificationWorld.with { world in
            let request = NotificationTopic.friendRequested(.user(2))
            let now = world.clock.now
            let asked = try await world.store.friendships.changeFriendship(between: .user(2), and: .user(1), at: now) {
                pair,
                counts throws(Refusal) in try pair.request(by: .user(2), counts: counts, at: now)
            }
            #expect(try asked.get().state == .requested(by: .user(2)))
            try await world.arise(request, by: .user(2))
            try await world.arise(nudge, by: .user(2))
            try await world.focus(1, writing)
            try await world.arise(.nudged(.sample(2)), by: .user(2))
            try await world.arise(.nudged(.sample(3)), by: .user(3))
            world.queue.blockCreated(between: .user(2), and: .user(1))
            try await world.disconnect(1)
            #expect(world.told() == [request, nudge, .nudged(.sample(3))])
            #expect(Set(try await world.entries().map(\.notification.topic)) == [nudge, .nudged(.sample(3))])
        }
    }

    @Test func `a deleted account gets no notifications, and its requests are rejected`() async throws {
        try await NotificationWorld.with { world in
            try await world.quiet("20:00", "07:00", for: .user(2))
            try await world.arise(result, for: .user(2))
            _ = try await world.store.deletions.beginDeletion(
                of: .user(2),
                at: world.clock.now,
                subjectKey: { _ in [] }
            )
            try await world.arise(nudge, for: .user(2))
            await #expect(throws: ApplicationError.invalidToken) {
                try await world.notifications.read([], by: .user(2))
            }
            try await world.advance(by: .days(1))
            #expect(world.listener.told.all.isEmpty)
            #expect(try await world.entries(of: .user(2)) == [])
        }
    }

    // MARK: - Trouble

    @Test func `delays notifications while the store fails, and answers requests`()
        async throws
    {
        try await NotificationWorld.with { world in
            // The start is over.
            try await world.settle()
            try await world.store.allowWrites(false)
            await #expect(throws: StoreError.self) { try await world.quiet("20:00", "20:30") }
            world.queue.raise(nudge, for: [.user(1)])
            await world.clock.sleeper(until: NotificationWorld.evening + .seconds(1))
            world.clock.advance(by: .seconds(1))
            await world.clock.sleeper(until: NotificationWorld.evening + .seconds(2))
            #expect(world.told() == [])
            try await world.store.allowWrites(true)
            world.clock.advance(by: .seconds(1))
            try await world.settle()
            #expect(world.told() == [nudge])
        }
    }

    @Test func `unwritable rows of one user do not delay others`() async throws {
        try await NotificationWorld.with { world in
            try await world.store.write { db in
                try db.script(
                    """
                    CREATE TRIGGER fail BEFORE INSERT ON notification
                    WHEN NEW.user_id = (SELECT id FROM user WHERE nickname_key = 'user_2')
                    BEGIN SELECT RAISE(ABORT, 'told to fail'); END
                    """
                )
            }
            world.queue.raise(nudge, for: [.user(1), .user(2), .user(3)])
            // Users whose notifications are decided one by one are answered one by one.
            for _ in 0...1 { try await world.settle() }
            #expect(world.told(.user(1)) == [nudge] && world.told(.user(3)) == [nudge])
            #expect(world.told(.user(2)) == [])
            #expect(world.metrics.counts["promised_notifications_dropped_total"] == 1)
            try await world.store.write { db in try db.script("DROP TRIGGER fail") }
            try await world.arise(result, for: .user(2))
            #expect(world.told(.user(2)) == [result])
        }
    }

    @Test func `performs queued commands when the dispatcher stops and rejects later ones`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        _ = try await store.accounts.createUser(.sample(1))
        let clock = ManualClock(now: NotificationWorld.evening)
        let (queue, listener) = (NotificationQueue(clock: clock), Listener())
        queue.raise(nudge, for: [.user(1)])
        let dispatcher = NotificationDispatcher(
            queue: queue,
            store: store,
            news: listener,
            leases: Leases(),
            clock: clock,
            log: .silent
        )
        let run = Task { await dispatcher.run() }
        run.cancel()
        await run.value
        #expect(listener.told.all.map(\.notification.topic) == [nudge])
        await #expect(throws: ApplicationError.unavailable(retryAfter: .seconds(1))) {
            try await Notifications(store: store, queue: queue).read([], by: .user(1))
        }
        try await store.close()
    }

    @Test func `a full queue drops notifications and rejects requests`() async throws {
        let metrics = CountingMetrics()
        let queue = NotificationQueue(clock: ManualClock(now: .meeting), metrics: metrics)
        queue.raise(nudge, for: (1...50_001).map { .user($0) })
        #expect(metrics.counts == ["promised_notifications_dropped_total": 1])
        await #expect(throws: ApplicationError.unavailable(retryAfter: .seconds(1))) {
            try await queue.perform(.timeZone, of: .user(1))
        }
    }

    @Test func `counts decisions by kind`() async throws {
        try await NotificationWorld.with { world in
            try await world.arise(nudge)
            try await world.focus(1, writing)
            try await world.arise(result)
            try await world.disconnect(1)
            let name = "promised_notifications_total kind="
            #expect(
                world.metrics.counts == [
                    name + "nudged decision=phone": 1, name + "resultFinal decision=writing": 1,
                    name + "resultFinal decision=phone": 1,
                ]
            )
        }
    }
}

extension Store {
    /// Makes writes fail as on a broken disk, or succeed again.
    fileprivate func allowWrites(_ isAllowed: Bool) async throws {
        let driver = try #require(driver as? SQLiteDriver)
        try driver.pool.writeWithoutTransaction { db in
            try SQLConnection(db).run("PRAGMA query_only = \(isAllowed ? 0 : 1)")
        }
    }
}
