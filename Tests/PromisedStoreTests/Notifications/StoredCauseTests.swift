import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Notifications of user 1 that user 2 causes, and the ends of their causes.
@Suite(.timeLimit(.minutes(1))) struct StoredCauseTests {
    struct Cause: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var topic: NotificationTopic
        var by: UserID? = .user(2)
        var begins: @Sendable (Store) async throws -> Void
        var ends: @Sendable (Store) async throws -> Void
    }

    private static let promise = Promise.sample(owner: .user(2))
    /// The participant who is not the owner.
    private static let guest = "user_id <> (SELECT owner_id FROM promise WHERE id = promise_id)"
    private static let invitation = NotificationTopic.invited(promise.id, meetsAt: promise.meetsAt)

    private static func invite(_ store: Store) async throws {
        try await store.open(promise, with: [.invited(.user(1))])
    }

    private static func run(_ sql: String) -> @Sendable (Store) async throws -> Void {
        { store in try await store.write { db in try db.script(sql) } }
    }

    private static func ask(_ store: Store) async throws {
        _ = try await store.friendships.changeFriendship(between: .user(2), and: .user(1), at: .meeting) {
            pair,
            counts throws(Refusal) in try pair.request(by: .user(2), counts: counts, at: .meeting)
        }.get()
    }

    private static func shareCourse(with audience: Audience) -> @Sendable (Store) async throws -> Void {
        { store in
            try await store.befriend(1, 2)
            try await store.createCourse(1, of: .user(2))
            try await store.share(1, of: .user(2), with: audience, audience == .people ? [1] : [])
        }
    }

    static let all = [
        Cause(
            testDescription: "an invitation of somebody who is removed",
            topic: invitation,
            begins: invite,
            ends: run("UPDATE participant SET membership = 'removed', ended_at = 1 WHERE membership = 'invited'")
        ),
        Cause(
            testDescription: "an invitation by a deleted account",
            topic: invitation,
            begins: invite,
            ends: { _ = try await $0.deletions.beginDeletion(of: .user(2), at: .meeting) { _ in [] } }
        ),
        Cause(
            testDescription: "an invitation before another one",
            topic: invitation,
            begins: invite,
            ends: run("UPDATE participant SET invited_at = \((Instant.meeting + .seconds(1)).milliseconds)")
        ),
        Cause(
            testDescription: "a request that is withdrawn",
            topic: .friendRequested(.user(2)),
            begins: ask,
            ends: { store in
                _ = try await store.friendships.changeFriendship(between: .user(2), and: .user(1), at: .meeting) {
                    pair,
                    _ throws(Refusal) in try pair.cancelRequest(by: .user(2), at: .meeting)
                }.get()
            }
        ),
        Cause(
            testDescription: "a request before another one",
            topic: .friendRequested(.user(2)),
            begins: ask,
            ends: run("UPDATE friendship SET since = since + 1")
        ),
        Cause(
            testDescription: "a request of a deleted account",
            topic: .friendRequested(.user(2)),
            begins: ask,
            ends: { _ = try await $0.deletions.beginDeletion(of: .user(2), at: .meeting) { _ in [] } }
        ),
        Cause(
            testDescription: "a course that is made private",
            topic: .courseShared(.course(1)),
            begins: shareCourse(with: .people),
            ends: { try await $0.share(1, of: .user(2), with: .onlyMe) }
        ),
        Cause(
            testDescription: "a course that is shared with others",
            topic: .courseShared(.course(1)),
            begins: { store in
                try await store.befriend(2, 3)
                try await shareCourse(with: .people)(store)
            },
            ends: { try await $0.share(1, of: .user(2), with: .people, [3]) }
        ),
        Cause(
            testDescription: "a course that is deleted",
            topic: .courseShared(.course(1)),
            begins: shareCourse(with: .people),
            ends: { _ = try await $0.courses.deleteCourse(.course(1), of: .user(2), at: .meeting) }
        ),
        Cause(
            testDescription: "a course of a former friend",
            topic: .courseShared(.course(1)),
            begins: shareCourse(with: .people),
            ends: { try await $0.part(1, 2) }
        ),
        Cause(
            testDescription: "a course of a former friend, shared with all friends",
            topic: .courseShared(.course(1)),
            begins: shareCourse(with: .friends),
            ends: { try await $0.part(1, 2) }
        ),
        Cause(
            testDescription: "a course of a deleted account",
            topic: .courseShared(.course(1)),
            begins: shareCourse(with: .people),
            ends: { _ = try await $0.deletions.beginDeletion(of: .user(2), at: .meeting) { _ in [] } }
        ),
        Cause(
            testDescription: "a reminder in a promise that the user has left",
            topic: .nudged(promise.id),
            begins: { try await $0.open(promise, with: [.accepted(.user(1))]) },
            ends: run("UPDATE participant SET membership = 'left', ended_at = 1 WHERE \(guest)")
        ),
    ]

    private func changes(_ cause: Cause) -> NotificationChanges {
        let notification = UserNotification(
            id: NotificationID(high: 9, low: 1),
            at: .meeting,
            topic: cause.topic,
            userID: cause.by
        )
        var changes = NotificationChanges(of: .user(1))
        changes.save(NotificationEntry(notification))
        return changes
    }

    @Test(.proves("14.5"), arguments: all) func `lists and counts a notification while its cause exists`(
        cause: Cause
    ) async throws {
        try await withStore(users: 1...3) { store async throws in
            try await cause.begins(store)
            #expect(try await store.notifications.apply([changes(cause)]).notifications.isEmpty)
            #expect(try await store.notifications.notifications(of: .user(1), limit: 9).items.count == 1)
            #expect(try await store.promises.unread(of: .user(1), at: .meeting).notifications == 1)
            #expect(try await !store.notifications.hasCauselessNotifications(.user(1)))
            try await cause.ends(store)
            #expect(try await store.notifications.notifications(of: .user(1), limit: 9).items.isEmpty)
            #expect(try await store.notifications.unreadNotifications(of: .user(1)) == 0)
            #expect(try await store.promises.unread(of: .user(1), at: .meeting).notifications == 0)
            #expect(try await store.notifications.hasCauselessNotifications(.user(1)))
            let state = try #require(try await store.notifications.notificationStates(of: [.user(1)])[.user(1)])
            #expect(state.entries.isEmpty && state.causeless == [NotificationID(high: 9, low: 1)])
        }
    }

    @Test(.proves("14.5"), arguments: all)
    func `does not store a notification without its cause`(cause: Cause) async throws {
        try await withStore(users: 1...3) { store async throws in
            try await cause.begins(store)
            try await cause.ends(store)
            #expect(
                try await store.notifications.apply([changes(cause)]).notifications == [NotificationID(high: 9, low: 1)]
            )
            #expect(try await store.count("notification") == 0)
        }
    }

    @Test func `keeps notifications of answered invitations and accepted requests`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await Self.invite(store)
            try await Self.ask(store)
            var changes = NotificationChanges(of: .user(1))
            for (number, topic) in [Self.invitation, .friendRequested(.user(2))].enumerated() {
                let id = NotificationID(high: 9, low: UInt64(number))
                changes.save(NotificationEntry(UserNotification(id: id, at: .meeting, topic: topic, userID: .user(2))))
            }
            try await store.notifications.apply([changes])
            try await store.befriend(1, 2)
            for answer in ["accepted", "declined"] {
                try await Self.run("UPDATE participant SET membership = '\(answer)' WHERE \(Self.guest)")(store)
                #expect(try await store.notifications.notifications(of: .user(1), limit: 9).items.count == 2)
            }
            try await Self.run("UPDATE participant SET membership = 'invited' WHERE \(Self.guest)")(store)
        }
    }
}
