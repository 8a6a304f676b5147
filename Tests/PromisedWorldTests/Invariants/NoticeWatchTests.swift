import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedWorld

@Suite struct NoticeWatchTests {
    private static let promise = PromiseID(high: 1, low: 1)
    private static let notification = UserNotification(
        id: NotificationID(of: .resultFinal(promise), causedBy: nil, for: .user(1), occasion: 0),
        at: .meeting,
        topic: .resultFinal(promise)
    )

    private static let told = WireNotification(announcing: notification, card: nil)

    private static func committed() -> CommittedRows {
        var committed = CommittedRows()
        committed.parts[promise] = [.user(1): .init(membership: "left", wasAccepted: true, isExcused: false)]
        committed.notifications = [notification.id: .user(1)]
        return committed
    }

    @Test func `accepts a notification stored and sent to all connections of its user at once`() throws {
        var watch = NoticeWatch()
        watch.noteCommit(Self.committed())
        // It may have been deleted again.
        watch.noteCommit(CommittedRows())
        for _ in 0..<2 { try watch.check(Self.told, to: .user(1), in: Self.committed(), at: .meeting) }
        #expect(throws: Violation.self) {
            try watch.check(Self.told, to: .user(1), in: Self.committed(), at: .meeting + .seconds(1))
        }
    }

    @Test(.proves("18.32")) func `finds a notification that is not stored, or about other users' promise`() {
        var watch = NoticeWatch()
        #expect(throws: Violation.self) {
            try watch.check(Self.told, to: .user(1), in: Self.committed(), at: .meeting)
        }
        watch.noteCommit(Self.committed())
        #expect(throws: Violation.self) {
            try watch.check(Self.told, to: .user(2), in: Self.committed(), at: .meeting)
        }
    }

    @Test(.proves("18.34")) func `finds a list that lacks a notification or has another user's`() throws {
        let key = RequestKey(connection: 1, number: 1)
        for user in [1, 2] as [UInt64] {
            let own = user == 1 ? [Self.notification.id] : []
            var watch = NoticeWatch()
            watch.noteArrival(key, of: .user(user), in: Self.committed())
            try watch.noteAnswer(own, key)
            watch.noteArrival(key, of: .user(user), in: Self.committed())
            let other = user == 1 ? [] : [Self.notification.id]
            #expect(throws: Violation.self) { try watch.noteAnswer(other, key) }
        }
        // A notification that arises during the read may be missing.
        for ids in [[Self.notification.id], []] {
            var watch = NoticeWatch()
            watch.noteArrival(key, of: .user(1), in: CommittedRows())
            watch.noteCommit(Self.committed())
            try watch.noteAnswer(ids, key)
        }
    }
}
