import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct NotificationStoreTests {
    private static let promise = PromiseID(high: 1, low: 1)
    private static let topics: [NotificationTopic] = [
        .invited(promise, meetsAt: .meeting), .trackingStarted(promise), .nudged(promise), .friendRequested(.user(2)),
        .resultFinal(promise), .weatherTurned(promise), .visitMade(VisitID(high: 3, low: 1)),
        .recordingInterrupted(RecordingID(high: 4, low: 1)), .courseShared(CourseID(high: 5, low: 1)), .exportReady,
    ]

    @Test(arguments: topics)
    func `reads every topic back unchanged`(_ topic: NotificationTopic) async throws {
        try await withStore(users: 1...2) { store async throws in
            let by: UserID? = topic.kind == .exportReady ? nil : .user(2)
            let notification = UserNotification(id: .sample(1), at: .meeting, topic: topic, userID: by)
            var held = NotificationEntry(notification)
            for reason in NotificationHold.Reason.allCases {
                held.hold = NotificationHold(reason, until: .meeting + .hours(8))
                try await store.write { [held] db in try NotificationRecord.save(held, of: .user(1), in: db) }
                #expect(try await store.stored() == [held])
            }
            let read = NotificationEntry(notification, isRead: true)
            try await store.write { db in try NotificationRecord.save(read, of: .user(1), in: db) }
            #expect(try await store.stored() == [read])
        }
    }

    @Test func `writes changes of several users together`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.save([.sample(1), .sample(2)])
            var one = NotificationChanges(of: .user(1))
            one.remove(.sample(1))
            one.save(.sample(3))
            var two = NotificationChanges(of: .user(2))
            two.save(.sample(4))
            two.settings = (NotificationSettings(off: [.nudged]), phoneToldAt: [.meeting])
            try await store.notifications.apply([one, two])
            #expect(try await store.numbers(of: .user(1)) == [3, 2])
            #expect(try await store.numbers(of: .user(2)) == [4])
            #expect(try await store.numbers(of: .user(3)) == [])
            #expect(try await store.state(of: .user(2))?.phoneToldAt == [.meeting])
        }
    }

    @Test func `the last change to a notification wins`() {
        var changes = NotificationChanges(of: .user(1))
        #expect(changes.isEmpty)
        changes.save(.sample(1))
        changes.remove(.sample(1))
        #expect(changes.saved.isEmpty && changes.removed == [.sample(1)])
        changes.save(.sample(1))
        #expect(changes.removed.isEmpty && changes.saved.count == 1 && !changes.isEmpty)
    }

    @Test func `reads settings back unchanged, initially the defaults`() async throws {
        try await withStore(users: 1...1) { store async throws in
            #expect(try await store.notifications.notificationSettings(of: .user(1)) == NotificationSettings())
            let quiet = try NotificationSettings().edited(
                off: [.nudged, .resultFinal],
                quietFrom: "22:30",
                quietTo: "07:00"
            )
            for settings in [quiet, NotificationSettings(off: [.invited])] {
                var changes = NotificationChanges(of: .user(1))
                changes.settings = (settings, phoneToldAt: [.meeting, .meeting + .minutes(1)])
                try await store.notifications.apply([changes])
                #expect(try await store.notifications.notificationSettings(of: .user(1)) == settings)
                let state = try #require(try await store.state(of: .user(1)))
                #expect(state.settings == settings && state.timeZone == "Asia/Seoul")
                #expect(state.phoneToldAt == [.meeting, .meeting + .minutes(1)])
            }
        }
    }

    @Test func `finds the first hold of each user, those for writing first`() async throws {
        try await withStore(users: 1...3) { store async throws in
            func held(_ number: UInt64, _ reason: NotificationHold.Reason, hours: Int64) -> NotificationEntry {
                var entry = NotificationEntry.sample(number)
                entry.hold = NotificationHold(reason, until: .meeting + .hours(hours))
                return entry
            }
            try await store.save([held(1, .quietHours, hours: 9), held(2, .quietHours, hours: 8), .sample(3)])
            try await store.save([held(4, .quietHours, hours: 7), held(5, .writing, hours: 8)], of: .user(2))
            try await store.save([.sample(6)], of: .user(3))
            #expect(
                try await store.notifications.notificationHolds() == [
                    .user(1): NotificationHold(.quietHours, until: .meeting + .hours(8)),
                    .user(2): NotificationHold(.writing, until: .meeting + .hours(8)),
                ]
            )
        }
    }

    @Test func `counts unread notifications, held ones included`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var held = NotificationEntry.sample(1)
            held.hold = NotificationHold(.writing, until: .meeting + .minutes(10))
            try await store.save([held, .sample(2), .sample(3, isRead: true)])
            #expect(try await store.notifications.unreadNotifications(of: .user(1)) == 2)
            #expect(try await store.promises.unread(of: .user(1), at: .meeting).notifications == 2)
            #expect(try await store.notifications.unreadNotifications(of: .user(2)) == 0)
        }
    }

    @Test func `pages are complete and without duplicates while notifications arrive`() async throws {
        try await withStore(users: 1...2) { store async throws in
            // Three of them arose at the same instant.
            try await store.save((1...7).map { NotificationEntry.sample($0, second: $0 < 3 ? $0 : $0 < 6 ? 3 : $0) })
            try await store.save([.sample(50)], of: .user(2))
            var seen: [UInt64] = []
            var cursor: NotificationCursor?
            repeat {
                let page = try await store.notifications.notifications(of: .user(1), after: cursor, limit: 2)
                seen += page.items.map(\.notification.id.low)
                cursor = page.next.flatMap { NotificationCursor("\($0)") }
                #expect((cursor == nil) == (page.next == nil))
                try await store.save([.sample(100 + UInt64(seen.count))])
            } while cursor != nil
            #expect(seen == [7, 6, 5, 4, 3, 2, 1])
            #expect(NotificationCursor("\(FriendCursor(nicknameKey: "", userID: .user(1)))") == nil)
        }
    }

    @Test func `deletes a notification after its lifetime`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.save([.sample(1), .sample(2), .sample(3)])
            #expect(try await store.notifications.deleteNotifications(upTo: .meeting + .milliseconds(1_999)) == 1)
            #expect(try await store.notifications.deleteNotifications(upTo: .meeting + .seconds(2)) == 1)
            #expect(try await store.numbers(of: .user(1)) == [3])
        }
    }

    @Test func `deletes notifications and settings with the account and rejects later ones`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var changes = NotificationChanges(of: .user(1))
            changes.save(.sample(1))
            changes.settings = (NotificationSettings(off: [.nudged]), phoneToldAt: [])
            #expect(try await store.notifications.apply([changes]).users == [])
            try await store.save([NotificationEntry(.sample(2, by: .user(1)))], of: .user(2))
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.state(of: .user(1)) == nil)
            #expect(try await store.notifications.apply([changes]).users == [.user(1)])
            #expect(try await store.numbers(of: .user(1)) == [])
            #expect(try await store.notifications.notificationSettings(of: .user(1)) == NotificationSettings())
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            try await store.notifications.apply([changes])
            #expect(try await store.numbers(of: .user(1)) == [])
            // The other user keeps the notification that the deleted user caused.
            #expect(try await store.numbers(of: .user(2)) == [2])
        }
    }

    @Test(
        arguments: [
            "hold_reason = 'writing'", "hold_until = 1", "is_read = 1, hold_reason = 'writing', hold_until = 1",
        ]
    )
    func `the schema rejects a hold without end and one that was read`(change: String) async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.save([.sample(1)])
            await #expect(throws: StoreError.self) {
                try await store.write { db in try db.run("UPDATE notification SET \(change)") }
            }
        }
    }

    @Test(arguments: [
        (
            """
            WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 201)
            INSERT INTO notification (user_id, at, id, kind, subject, is_read)
            SELECT user_id, at + n, randomblob(16), kind, subject, 0 FROM notification, number
            """, "inbox-bounded"
        ),
        (
            """
            INSERT INTO notification (user_id, at, id, kind, subject, is_read)
            SELECT user_id, at + 1, id, kind, subject, 0 FROM notification
            """, "notification-once"
        ),
        (
            """
            UPDATE user SET nickname = NULL, nickname_key = NULL, email = NULL, email_key = NULL, deleted_at = 1,
                locale = '', time_zone = '';
            DELETE FROM credential
            """, "tombstone-empty"
        ),
    ])
    func `each check finds its violation`(sql: String, check: String) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        try await store.save([.sample(1)])
        #expect(try await store.upkeep.verify() == [])
        try await store.write { db in try db.script(sql) }
        #expect(try await store.upkeep.verify().map(\.check) == [check])
        try await store.close()
    }
}

extension NotificationID {
    fileprivate static func sample(_ number: UInt64) -> NotificationID { NotificationID(high: 9, low: number) }
}

extension UserNotification {
    /// A notification raised, by default, as many seconds after the meeting time as its number.
    fileprivate static func sample(_ number: UInt64, second: UInt64? = nil, by: UserID? = nil) -> UserNotification {
        UserNotification(
            id: .sample(number),
            at: .meeting + .seconds(Double(second ?? number)),
            topic: .resultFinal(PromiseID(high: 1, low: number)),
            userID: by
        )
    }
}

extension NotificationEntry {
    fileprivate static func sample(_ number: UInt64, second: UInt64? = nil, isRead: Bool = false) -> NotificationEntry {
        NotificationEntry(.sample(number, second: second), isRead: isRead)
    }
}

extension Store {
    /// All stored notifications, with or without their causes.
    fileprivate func stored() async throws -> [NotificationEntry] {
        try await read { db in try db.rows("SELECT * FROM notification").map(NotificationRecord.entry) }
    }

    fileprivate func save(_ entries: [NotificationEntry], of user: UserID = .user(1)) async throws(StoreError) {
        var changes = NotificationChanges(of: user)
        for entry in entries { changes.save(entry) }
        try await notifications.apply([changes])
    }

    fileprivate func state(of user: UserID) async throws(StoreError) -> NotificationState? {
        try await notifications.notificationStates(of: [user])[user]
    }

    /// The numbers of a user's notifications, newest first.
    fileprivate func numbers(of user: UserID) async throws(StoreError) -> [UInt64] {
        try await notifications.notifications(of: user, limit: 200).items.map(\.notification.id.low)
    }
}
