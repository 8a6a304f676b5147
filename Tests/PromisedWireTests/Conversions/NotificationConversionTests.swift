import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

/// Notifications, their settings and the focus of a connection.
@Suite struct NotificationConversionTests {
    private static let id = NotificationID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00D1)
    private static let now = DomainSamples.meetsAt

    private static func notification(_ topic: NotificationTopic) -> UserNotification {
        UserNotification(id: id, at: now, topic: topic, userID: DomainSamples.bob)
    }

    // MARK: - Notifications

    @Test func `a notification has the screen and the ids to open`() {
        let card = DomainSamples.card(DomainSamples.bob)
        let entry = NotificationEntry(Self.notification(.nudged(DomainSamples.promiseID)), isRead: true)
        let wire = WireNotification(entry, card: card)
        #expect(wire.notificationID == Self.id.wireText && wire.kind == .nudged && wire.read)
        #expect(wire.at == WireTimestamp(Self.now) && wire.screen == .meetup)
        #expect(wire.promiseID == DomainSamples.promiseID.wireText && wire.user == WireUserCard(card))
        #expect(wire.visitID.isEmpty && wire.courseID.isEmpty && wire.recordingID.isEmpty)
        #expect(!WireNotification(entry, card: nil).hasUser)
    }

    struct Subject: Sendable {
        var topic: NotificationTopic
        var screen: WireFocusScreen.Value
        var id: @Sendable (WireNotification) -> String
    }

    @Test(
        arguments: [
            Subject(topic: .visitMade(VisitID(high: 1, low: 2)), screen: .other) { $0.visitID },
            Subject(topic: .courseShared(CourseID(high: 1, low: 2)), screen: .course) { $0.courseID },
            Subject(topic: .recordingInterrupted(RecordingID(high: 1, low: 2)), screen: .recording) { $0.recordingID },
            Subject(topic: .weatherTurned(PromiseID(high: 1, low: 2)), screen: .meetup) { $0.promiseID },
        ]
    )
    func `each subject has a unique id`(subject: Subject) {
        let wire = WireNotification(NotificationEntry(Self.notification(subject.topic)), card: nil)
        #expect(wire.screen == subject.screen && subject.id(wire) == "00000000-0000-0001-0000-000000000002")
        #expect([wire.promiseID, wire.visitID, wire.courseID, wire.recordingID].count { $0.isEmpty } == 3)
    }

    @Test func `an announced notification is unread, and its event has no promise`() {
        let notification = Self.notification(.invited(DomainSamples.promiseID, meetsAt: Self.now))
        let event = WireEvent(personal: .notification(notification, card: nil), at: Self.now)
        #expect(event.promiseID.isEmpty && event.seq == 0)
        #expect(!event.notification.notification.read && event.notification.notification.kind == .invited)
        #expect(event.notification.notification.promiseID == DomainSamples.promiseID.wireText)
    }

    @Test(arguments: NotificationKind.allCases)
    func `decodes every encoded kind unchanged`(kind: NotificationKind) {
        #expect(NotificationKind(WireNotificationKind.Value(kind)) == kind)
    }

    @Test(arguments: FocusScreen.allCases)
    func `decodes every encoded screen unchanged`(screen: FocusScreen) {
        #expect(FocusScreen(WireFocusScreen.Value(screen)) == screen)
    }

    @Test(
        arguments: [
            (0, nil), (200, nil), (201, "notificationIds"),
        ] as [(Int, String?)]
    )
    func `reads up to the stored number of notifications at once`(count: Int, field: String?) throws {
        let wire = WireReadNotifications.with {
            $0.notificationIds = Array(repeating: Self.id.wireText, count: count)
        }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try wire.ids() }
        } else {
            #expect(try wire.ids() == Array(repeating: Self.id, count: count))
        }
    }

    @Test func `names an invalid id`() {
        let wire = WireReadNotifications.with { $0.notificationIds = [Self.id.wireText, "x"] }
        #expect(throws: WireError.invalid(field: "notificationIds[1]")) { try wire.ids() }
    }

    // MARK: - Settings

    @Test func `decodes encoded settings unchanged`() throws {
        let settings = try NotificationSettings().edited(
            off: [.exportReady, .nudged],
            quietFrom: "22:30",
            quietTo: "07:00"
        )
        let wire = WireNotificationSettings(settings)
        #expect(wire.off == [.nudged, .exportReady] && wire.quietFrom == "22:30" && wire.quietTo == "07:00")
        let request = WireUpdateNotificationSettings.with {
            ($0.off, $0.quietFrom, $0.quietTo) = (wire.off, wire.quietFrom, wire.quietTo)
        }
        #expect(try NotificationSettings().edited(by: request) == settings)
        // Absent times are unchanged.
        #expect(try settings.edited(by: .with { $0.off = wire.off }) == settings)
        let empty = WireUpdateNotificationSettings.with { ($0.quietFrom, $0.quietTo) = ("", "") }
        #expect(try settings.edited(by: empty) == NotificationSettings())
    }

    @Test(
        arguments: [
            ("22:30", "22:31", nil), ("00:00", "23:59", nil), ("24:00", "07:00", "quietFrom"),
            ("22:60", "07:00", "quietFrom"), ("9:00", "07:00", "quietFrom"), ("22:30", "7:00", "quietTo"),
            ("22.30", "07:00", "quietFrom"), ("22:30 ", "07:00", "quietFrom"), ("22:30", "", "quietTo"),
            ("", "07:00", "quietTo"), ("22:30", "22:30", "quietTo"), ("２２:30", "07:00", "quietFrom"),
        ] as [(String, String, String?)]
    )
    func `quiet hours are two times of day that differ`(from: String, to: String, field: String?) throws {
        let request = WireUpdateNotificationSettings.with { ($0.quietFrom, $0.quietTo) = (from, to) }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try NotificationSettings().edited(by: request) }
        } else {
            let settings = try NotificationSettings().edited(by: request)
            #expect(settings.quietFrom == from && settings.quietTo == to)
        }
    }

    @Test func `rejects an unknown or missing kind`() {
        for kind in [WireNotificationKind.Value.unspecified, .UNRECOGNIZED(99)] {
            let request = WireUpdateNotificationSettings.with { $0.off = [.nudged, kind] }
            #expect(throws: WireError.invalid(field: "off[1]")) { try NotificationSettings().edited(by: request) }
        }
    }

    @Test(arguments: [(32, nil), (33, "off")] as [(Int, String?)])
    func `counts duplicates once, and limits the number`(count: Int, field: String?) throws {
        let request = WireUpdateNotificationSettings.with { $0.off = Array(repeating: .nudged, count: count) }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try request.kindsOff() }
        } else {
            #expect(try request.kindsOff() == [.nudged])
        }
    }

    // MARK: - Focus

    @Test func `a focus has a screen, an optional promise and its activity`() throws {
        let wire = WireSetFocus.with {
            ($0.screen, $0.promiseID, $0.active) = (.meetup, DomainSamples.promiseID.wireText, true)
        }
        #expect(try NotificationFocus(wire) == NotificationFocus(.meetup, promiseID: DomainSamples.promiseID))
        let away = WireSetFocus.with { $0.screen = .places }
        #expect(try NotificationFocus(away) == NotificationFocus(.places, isActive: false))
    }

    @Test func `rejects a focus without a known screen or with an invalid id`() {
        for screen in [WireFocusScreen.Value.unspecified, .UNRECOGNIZED(99)] {
            #expect(throws: WireError.invalid(field: "screen")) {
                try NotificationFocus(.with { $0.screen = screen })
            }
        }
        #expect(throws: WireError.invalid(field: "promiseId")) {
            try NotificationFocus(.with { ($0.screen, $0.promiseID) = (.meetup, "") })
        }
    }
}
