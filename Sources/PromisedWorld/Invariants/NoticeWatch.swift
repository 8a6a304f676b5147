internal import PromisedDomain

/// Checks the notifications that users are told: each is stored before, told once, and about something of theirs.
struct NoticeWatch: Sendable {
    /// The notifications that were ever stored.
    private var stored: Set<NotificationID> = []
    private var toldAt: [NotificationID: Instant] = [:]

    /// Notes the notifications that are stored.
    mutating func noteCommit(_ ledger: Ledger) { stored.formUnion(ledger.notifications) }

    /// A notification leaves for a connection of a user; those of one user hear of it at one instant.
    ///
    /// - Throws: one that is not stored, that was told before, or that is about a promise of others.
    mutating func check(
        _ notification: UserNotification,
        to userID: UserID,
        in ledger: Ledger,
        at now: Instant
    ) throws(Breach) {
        let kind = notification.topic.kind
        guard stored.contains(notification.id) else { throw Breach(.acknowledged, "\(kind) is told and not stored") }
        guard toldAt[notification.id] ?? now == now else { throw Breach(.once, "\(kind) is told again") }
        toldAt[notification.id] = now
        guard case .promise(let id) = notification.topic.subject else { return }
        guard ledger.parts[id]?[userID] != nil else {
            throw Breach(.privacy, "\(kind) is told to \(userID.low & 0xFF), who never had a part")
        }
    }
}
