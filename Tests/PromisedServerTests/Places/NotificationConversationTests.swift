import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@Suite("Notifications over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct NotificationConversationTests {
    @Test(.proves("14.6", "listNotifications", "readNotifications", "notification"), arguments: WireCodec.allCases)
    func `announces, lists and marks a friend request and an invitation`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                let request = WireCreatePromise.sample(meetsAt: world.now + .hours(2), invitees: [bea])
                let promise = try await ada.client.createPromise(request).promise
                await bea.wait { $0.notifications.count == 2 }
                let announced = bea.received.notifications
                #expect(announced.map(\.kind) == [.friendRequested, .invited])
                #expect(announced[1].promiseID == promise.promiseID && announced[1].screen == .meetup)
                #expect(announced.map(\.user.nickname) == ["Ada", "Ada"] && announced.allSatisfy { !$0.read })
                #expect(announced.map(\.title) == ["", promise.title])
                #expect(announced.map(\.placeName) == ["", promise.place.name])
                let listed = try await bea.client.listNotifications()
                #expect(listed.notifications == announced.reversed() && listed.unread == 2 && listed.cursor.isEmpty)
                try await bea.client.readNotifications([announced[0].notificationID])
                #expect(try await bea.client.listNotifications(limit: 1).unread == 1)
                #expect(try await bea.client.hello().unread.notifications == 1)
                try await bea.client.readNotifications()
                #expect(try await bea.client.listNotifications().notifications.allSatisfy(\.read))
                #expect(try await ada.client.listNotifications().notifications.isEmpty)
            }
        }
    }

    @Test(.proves("setFocus", "getNotificationSettings", "updateNotificationSettings"))
    func `stores a disabled notification, or one with a focused subject, as read`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let off = try await bea.client.updateNotificationSettings(off: [.friendRequested], quietFrom: "")
                #expect(off.off == [.friendRequested] && off.quietFrom.isEmpty)
                #expect(try await bea.client.getNotificationSettings() == off)
                let promiseID = try await ada.openPromise(with: [bea], in: world)
                try await bea.client.setFocus(.meetup, active: true, promiseID: promiseID)
                try await ada.client.nudge(promiseID: promiseID, userID: bea.id)
                let kinds: [WireNotificationKind.Value: Bool] = try await bea.inbox(with: .nudged)
                #expect(kinds[.friendRequested] == true && kinds[.nudged] == true)
                #expect(!bea.received.notifications.contains { $0.kind == .nudged || $0.kind == .friendRequested })
            }
        }
    }

    @Test func `rejects malformed requests`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                #expect(await ada.refusal(.setFocus(WireSetFocus())) == .requestInvalid)
                #expect(await ada.refusal(.listNotifications(.with { $0.cursor = "x" })) == .requestInvalid)
                #expect(await ada.refusal(.readNotifications(.with { $0.notificationIds = ["x"] })) == .requestInvalid)
                let half = WireUpdateNotificationSettings.with { $0.quietFrom = "22:30" }
                #expect(await ada.refusal(.updateNotificationSettings(half)) == .requestInvalid)
            }
        }
    }
}

extension [WireEvent] {
    /// The notifications among them, in order.
    fileprivate var notifications: [WireNotification] {
        compactMap { event in
            if case .notification(let arisen) = event.what { arisen.notification } else { nil }
        }
    }
}

extension Person {
    /// The kinds in the inbox and their read state, as soon as it contains a given kind.
    fileprivate func inbox(
        with kind: WireNotificationKind.Value
    ) async throws -> [WireNotificationKind.Value: Bool] {
        while true {
            let listed = try await client.listNotifications().notifications
            let kinds = Dictionary(listed.map { ($0.kind, $0.read) }) { first, _ in first }
            if kinds[kind] != nil { return kinds }
            await Task.yield()
        }
    }
}
