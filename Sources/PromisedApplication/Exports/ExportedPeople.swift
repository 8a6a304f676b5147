internal import PromisedDomain
internal import PromisedStore

/// The public card of a user: the only data of other users in an archive.
struct ExportedCard: Encodable {
    var userId: String
    var nickname: String
    var avatar: String
    var deleted: Bool

    init(_ card: UserCard) {
        userId = "\(card.id)"
        nickname = card.nickname
        avatar = card.avatar
        deleted = card.isDeleted
    }

    /// A user's card among those read; the card of a deleted user if it is missing.
    init(_ id: UserID, in cards: [UserID: UserCard]) { self.init(cards[id] ?? .tombstone(of: id)) }
}

/// `account.json`.
struct ExportedAccount: Encodable {
    var userId: String
    var email: String?
    var nickname: String
    var avatar: String
    var picture: String?
    var locale: String
    var timeZone: String
    var visitsFromArrivals: Bool
    var createdAt: String
    var notificationSettings: Settings
    var signIns: [SignIn]

    struct Settings: Encodable {
        var off: [String]
        var quietFrom: String
        var quietTo: String
    }

    struct SignIn: Encodable {
        var deviceLabel: String
        var createdAt: String
    }

    init(_ account: Account, settings: NotificationSettings, signIns: [AuthSession]) {
        userId = "\(account.id)"
        email = account.email
        nickname = account.nickname
        avatar = account.avatar
        picture = account.picture.map { "\($0)" }
        locale = account.locale
        timeZone = account.timeZone
        visitsFromArrivals = account.visitsFromArrivals
        createdAt = account.createdAt.rfc3339
        let off = NotificationKind.allCases.filter { settings.off.contains($0) }.map { ExportName.value($0) }
        notificationSettings = Settings(off: off, quietFrom: settings.quietFrom, quietTo: settings.quietTo)
        self.signIns = signIns.map { SignIn(deviceLabel: $0.deviceLabel, createdAt: $0.createdAt.rfc3339) }
    }
}

/// An item of `notifications.json`.
struct ExportedNotification: Encodable {
    var notificationId: String
    var kind: String
    var at: String
    var read: Bool
    var screen: String
    var promiseId: String?
    var visitId: String?
    var courseId: String?
    var recordingId: String?
    var user: ExportedCard?

    init(_ entry: NotificationEntry, cards: [UserID: UserCard]) {
        let (notification, route) = (entry.notification, entry.notification.route)
        notificationId = "\(notification.id)"
        kind = ExportName.value(notification.topic.kind)
        at = notification.at.rfc3339
        read = entry.isRead
        screen = ExportName.value(route.screen)
        promiseId = route.promiseID.map { "\($0)" }
        visitId = route.visitID.map { "\($0)" }
        courseId = route.courseID.map { "\($0)" }
        recordingId = route.recordingID.map { "\($0)" }
        user = notification.userID.map { ExportedCard($0, in: cards) }
    }
}
