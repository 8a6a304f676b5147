import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct NoticeWatchTests {
    private static let promise = PromiseID(high: 1, low: 1)
    private static let notification = UserNotification(
        id: NotificationID(of: .resultFinal(promise), causedBy: nil, for: .user(1), occasion: 0),
        at: .meeting,
        topic: .resultFinal(promise)
    )

    private static func ledger() -> Ledger {
        var ledger = Ledger()
        ledger.parts[promise] = [.user(1): .init(membership: "left", wasAccepted: true, isExcused: false)]
        ledger.notifications = [notification.id]
        return ledger
    }

    @Test func `a notification is stored, and told to all connections of its user at once`() throws {
        var watch = NoticeWatch()
        watch.noteCommit(Self.ledger())
        // It may have been deleted again.
        watch.noteCommit(Ledger())
        for _ in 0..<2 { try watch.check(Self.notification, to: .user(1), in: Self.ledger(), at: .meeting) }
        #expect(throws: Breach.self) {
            try watch.check(Self.notification, to: .user(1), in: Self.ledger(), at: .meeting + .seconds(1))
        }
    }

    @Test func `a notification that is not stored, or about a promise of others, is found`() {
        var watch = NoticeWatch()
        #expect(throws: Breach.self) {
            try watch.check(Self.notification, to: .user(1), in: Self.ledger(), at: .meeting)
        }
        watch.noteCommit(Self.ledger())
        #expect(throws: Breach.self) {
            try watch.check(Self.notification, to: .user(2), in: Self.ledger(), at: .meeting)
        }
    }
}
