package import PromisedDomain
package import PromisedProtocol

extension WireNotification {
    /// An entry of the caller's inbox.
    ///
    /// - Parameters:
    ///   - names: the names of its subject.
    ///   - card: the public card of the other user who caused it; nil if no other user did.
    package init(_ entry: NotificationEntry, names: NotificationNames = NotificationNames(), card: UserCard?) {
        self.init(entry.notification, isRead: entry.isRead, names: names, card: card)
    }

    /// A new notification, which is unread.
    ///
    /// - Parameters:
    ///   - names: the names of its subject.
    ///   - card: the public card of the other user who caused it; nil if no other user did.
    package init(
        announcing notification: UserNotification,
        names: NotificationNames = NotificationNames(),
        card: UserCard?
    ) {
        self.init(notification, isRead: false, names: names, card: card)
    }

    private init(_ notification: UserNotification, isRead: Bool, names: NotificationNames, card: UserCard?) {
        self.init()
        let route = notification.route
        notificationID = notification.id.wireText
        kind = WireNotificationKind.Value(notification.topic.kind)
        at = WireTimestamp(notification.at)
        read = isRead
        screen = WireFocusScreen.Value(route.screen)
        promiseID = route.promiseID?.wireText ?? ""
        visitID = route.visitID?.wireText ?? ""
        courseID = route.courseID?.wireText ?? ""
        recordingID = route.recordingID?.wireText ?? ""
        title = names.title
        placeName = names.place
        if let card { user = WireUserCard(card) }
    }
}

extension WireNotificationSettings {
    /// A user's settings; the kinds are in the order of the schema.
    package init(_ settings: NotificationSettings) {
        self.init()
        off = NotificationKind.allCases.filter { settings.off.contains($0) }.map { WireNotificationKind.Value($0) }
        quietFrom = settings.quietFrom
        quietTo = settings.quietTo
    }
}

extension WireUpdateNotificationSettings {
    /// The kinds that must not be announced. Throws ``WireError/invalid(field:)`` for an unspecified or unknown kind,
    /// and for more than 32.
    package func kindsOff() throws(WireError) -> Set<NotificationKind> {
        guard off.count <= Self.mostKinds else { throw .invalid(field: "off") }
        var kinds: Set<NotificationKind> = []
        for (index, wire) in off.enumerated() {
            guard let kind = NotificationKind(wire) else { throw .invalid(field: "off[\(index)]") }
            kinds.insert(kind)
        }
        return kinds
    }

    private static let mostKinds = 32
}

extension NotificationSettings {
    /// The settings after a request. Throws ``WireError/invalid(field:)`` for an unknown kind, an invalid time of day,
    /// and quiet hours with only one end or with equal ends.
    package func edited(by wire: WireUpdateNotificationSettings) throws(WireError) -> NotificationSettings {
        let off = try wire.kindsOff()
        do {
            return try edited(
                off: off,
                quietFrom: wire.hasQuietFrom ? wire.quietFrom : nil,
                quietTo: wire.hasQuietTo ? wire.quietTo : nil
            )
        } catch .invalid(let field) {
            throw .invalid(field: field)
        } catch {
            preconditionFailure("Settings are refused with a field only, not with \(error)")
        }
    }
}

extension NotificationFocus {
    /// A focus as given in a request. Throws ``WireError/invalid(field:)`` for an unspecified or unknown screen and an
    /// invalid id.
    package init(_ wire: WireSetFocus) throws(WireError) {
        guard let screen = FocusScreen(wire.screen) else { throw .invalid(field: "screen") }
        let promise = wire.hasPromiseID ? try PromiseID(wire: wire.promiseID, field: "promiseId") : nil
        self.init(screen, promiseID: promise, isActive: wire.active)
    }
}

extension WireReadNotifications {
    /// The notifications; empty means all. Throws ``WireError/invalid(field:)`` for an invalid id and for more than the
    /// size of an inbox.
    package func ids() throws(WireError) -> [NotificationID] {
        guard notificationIds.count <= NotificationInbox.most else { throw .invalid(field: "notificationIds") }
        return try NotificationID.list(wire: notificationIds, field: "notificationIds")
    }
}

extension WireNotificationKind.Value {
    package init(_ kind: NotificationKind) {
        switch kind {
        case .invited: self = .invited
        case .trackingStarted: self = .trackingStarted
        case .nudged: self = .nudged
        case .friendRequested: self = .friendRequested
        case .resultFinal: self = .resultFinal
        case .weatherTurned: self = .weatherTurned
        case .visitMade: self = .visitMade
        case .recordingInterrupted: self = .recordingInterrupted
        case .courseShared: self = .courseShared
        case .exportReady: self = .exportReady
        }
    }
}

extension NotificationKind {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireNotificationKind.Value) {
        guard let value = Self.allCases.first(where: { WireNotificationKind.Value($0) == wire }) else { return nil }
        self = value
    }
}

extension WireFocusScreen.Value {
    package init(_ screen: FocusScreen) {
        switch screen {
        case .home: self = .home
        case .meetup: self = .meetup
        case .places: self = .places
        case .writing: self = .writing
        case .course: self = .course
        case .recording: self = .recording
        case .other: self = .other
        }
    }
}

extension FocusScreen {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireFocusScreen.Value) {
        guard let value = Self.allCases.first(where: { WireFocusScreen.Value($0) == wire }) else { return nil }
        self = value
    }
}
