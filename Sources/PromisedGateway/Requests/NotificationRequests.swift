internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// The requests about notifications, and about the screen that a connection shows (docs/protocol.md#notifications).
struct NotificationRequests: Sendable {
    let notifications: Notifications

    func setFocus(
        _ request: WireSetFocus,
        from caller: Caller,
        on connection: Connection
    ) async throws -> Answer<WireContent> {
        let focus = try NotificationFocus(request)
        connection.beginFocus(at: caller.now)
        try await notifications.setFocus(focus, of: connection.id, by: caller.userID)
        return .done
    }

    func list(_ request: WireListNotifications, from caller: Caller) async throws -> Answer<WireContent> {
        let asked = try PageRequest(request) { NotificationCursor($0) }
        let (page, unread) = try await notifications.list(of: caller.userID, after: asked.cursor, limit: asked.limit)
        var capacity = FrameCapacity(caller.frame)
        let (listed, next) = capacity.fill(with: page, cursor: \.cursor) {
            WireNotification($0.entry, names: $0.names, card: $0.other)
        }
        var reply = WireNotifications()
        reply.notifications = listed
        reply.cursor = next?.description ?? ""
        reply.unread = UInt32(clamping: unread)
        return .reply(.notifications(reply))
    }

    /// Answers `readNotifications`, also for ids that the caller does not have.
    func read(_ request: WireReadNotifications, from caller: Caller) async throws -> Answer<WireContent> {
        try await notifications.read(try request.ids(), by: caller.userID)
        return .done
    }

    func settings(_ caller: Caller) async throws -> Answer<WireContent> {
        answer(try await notifications.settings(of: caller.userID))
    }

    /// Answers `updateNotificationSettings`: absent ends of the quiet hours keep their values.
    func update(_ request: WireUpdateNotificationSettings, from caller: Caller) async throws -> Answer<WireContent> {
        let settings = try await notifications.updateSettings(
            of: caller.userID,
            off: try request.kindsOff(),
            quietFrom: request.hasQuietFrom ? request.quietFrom : nil,
            quietTo: request.hasQuietTo ? request.quietTo : nil
        )
        return answer(settings)
    }

    /// Ends the focus of a closed connection, if it has one.
    func forget(_ connection: Connection) {
        guard let userID = connection.identity?.userID, connection.focusEnd != nil else { return }
        notifications.connectionEnded(connection.id, of: userID)
    }

    private func answer(_ settings: NotificationSettings) -> Answer<WireContent> {
        .reply(.notificationSettings(WireNotificationSettings(settings)))
    }
}

extension Notifications.Listed {
    fileprivate var cursor: NotificationCursor { NotificationCursor(entry) }
}
