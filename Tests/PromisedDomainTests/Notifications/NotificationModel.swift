import PromisedDomain

/// The invariants of one user's notifications after each step, computed naively from all events.
struct NotificationModel {
    private(set) var breaches: [String] = []
    /// The most entries that the inbox had.
    private(set) var most = 0

    var now = Sample.noon
    var settings = NotificationSettings(quietHours: Sample.night)
    /// Seconds that local time is ahead of UTC.
    var ahead = 3_600
    var focuses: [FocusTable.Connection: (focus: NotificationFocus, frameAt: Instant)] = [:]
    var arisen: [UserNotification] = []
    var readByUser: Set<NotificationID> = []
    private(set) var pushed: [Instant] = []
    private(set) var stored: [NotificationID: NotificationEntry] = [:]
    private var told: Set<NotificationID> = []
    private var checks = 0

    // MARK: - The rules

    /// The outcome that a notification must have now.
    func expectation(of topic: NotificationTopic) -> String {
        if settings.off.contains(topic.kind) { return "off" }
        for focus in active where focus.screen == .meetup {
            if let promise = focus.promiseID, topic.subject == .promise(promise) { return "seen" }
        }
        if isWriting { return "writing" }
        if let end = quietEnd, !isUrgent(topic, before: end) { return "quiet" }
        if !active.isEmpty { return "told" }
        return pushed.filter { now - $0 < .hours(1) }.count < 30 ? "phone" : "limited"
    }

    private var active: [NotificationFocus] {
        focuses.values.filter { now - $0.frameAt < .minutes(2) && $0.focus.isActive }.map(\.focus)
    }

    private var isWriting: Bool { active.contains { $0.screen == .writing } }

    /// Minutes since 1970.
    private var minute: Int64 { now.milliseconds.dividedFloor(by: 60_000) }

    /// The end of the quiet hours, found minute by minute; nil outside.
    private var quietEnd: Instant? {
        guard isQuiet(minute: minute) else { return nil }
        let rest = (1...1_440 as ClosedRange<Int64>).first { !isQuiet(minute: minute + $0) }
        return rest.map { Instant(milliseconds: (minute + $0) * 60_000) }
    }

    private func isQuiet(minute: Int64) -> Bool {
        guard let hours = settings.quietHours else { return false }
        let local = Int((minute + Int64(ahead / 60)).modulo(1_440))
        let (from, to) = (hours.from.minutes, hours.to.minutes)
        return from < to ? (from..<to).contains(local) : !(to..<from).contains(local)
    }

    private func isUrgent(_ topic: NotificationTopic, before end: Instant) -> Bool {
        switch topic {
        case .nudged, .trackingStarted: true
        case .invited(_, let meetsAt): meetsAt < end
        default: false
        }
    }

    private func isSame(_ one: UserNotification, _ other: UserNotification) -> Bool {
        one.topic.kind == other.topic.kind && one.topic.subject == other.topic.subject
    }

    // MARK: - Effects

    mutating func report(_ breach: String) { breaches.append(breach) }

    /// Performs effects like a server and checks the visible ones.
    mutating func hear(_ effects: [NotificationEffect]) {
        for effect in effects {
            switch effect {
            case .store(let entry): stored[entry.notification.id] = entry
            case .remove(let ids): for id in ids { stored[id] = nil }
            case .decided: break
            case .tell(let notification): hearTold(notification)
            case .push(let notification):
                if effects.told.contains(notification) { pushed.append(now) } else { report("pushed, but not told") }
            case .wake(let instant): if instant <= now { report("a wake in the past") }
            }
        }
    }

    private mutating func hearTold(_ notification: UserNotification) {
        if !told.insert(notification.id).inserted { report("told again") }
        if readByUser.contains(notification.id) { report("told although read") }
        if settings.off.contains(notification.topic.kind) { report("told although off") }
        if let end = quietEnd, !isUrgent(notification.topic, before: end) { report("told in quiet hours") }
        guard isWriting, now - notification.at < .minutes(10) else { return }
        // The latest takes the deadline of an earlier one of the same kind and subject.
        let isLent = arisen.contains {
            $0.id < notification.id && isSame($0, notification) && notification.at - $0.at <= .minutes(10)
        }
        if !isLent { report("told while writing") }
    }

    // MARK: - Invariants

    mutating func check(_ inbox: NotificationInbox) {
        most = max(most, inbox.entries.count)
        if inbox.entries.count > 200 { report("more than 200 entries") }
        if inbox.unread != inbox.entries.filter({ !$0.isRead }).count { report("unread") }
        if pushed.filter({ now - $0 < .hours(1) }).count > 30 { report("more than 30 to the phone") }
        let held = inbox.held
        for (index, entry) in held.enumerated() {
            let isHeld = entry.hold?.reason == .writing ? isWriting : isQuiet(minute: minute)
            if !isHeld { report("held without reason") }
            if entry.hold.map({ $0.until <= now }) ?? true { report("held beyond its end") }
            if told.contains(entry.notification.id) || entry.isRead { report("held after it was told or read") }
            if held[..<index].contains(where: { isSame($0.notification, entry.notification) }) {
                report("two held ones of a kind and subject")
            }
        }
        // Comparing the whole inbox is slow: one step in sixteen is enough to find a difference.
        checks += 1
        if checks.isMultiple(of: 16) { compare(inbox) }
    }

    private mutating func compare(_ inbox: NotificationInbox) {
        let kept = Dictionary(uniqueKeysWithValues: inbox.entries.map { ($0.notification.id, $0) })
        if stored != kept { report("the store differs from the inbox") }
        let instants = inbox.entries.map(\.notification.at)
        if instants != instants.sorted(by: >) { report("not newest first") }
    }

    /// At the end, each notification was delivered, is stored as read, was replaced by a newer one of its kind and
    /// subject, or was evicted by 200 newer ones.
    mutating func checkNothingIsLost() {
        for (index, notification) in arisen.enumerated() where !told.contains(notification.id) {
            if let entry = stored[notification.id] {
                if !entry.isRead { report("neither told nor read") }
                continue
            }
            let newer = arisen[(index + 1)...]
            let isReplaced = newer.contains { isSame($0, notification) }
            if !isReplaced, newer.count < 200, now - notification.at < .days(30) { report("lost") }
        }
    }
}
