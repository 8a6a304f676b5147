/// Decides whether and when one user is notified of each event.
///
/// ```
///            kind is off, or the user sees the subject
/// arises ──┬─────────────────────────────────────────────▶ read
///          ├─ told ──────────────────────────────────────▶ told
///          ├─ the user is writing ─▶ held ─┐
///          └─ quiet hours ─────────▶ held ─┤ decided again when the hold ends, or the user reads it
///                                          └─▶ read, told, or held for the other reason
/// ```
/// A newer notification of the same kind and subject replaces a held one. The machine has no clock: it requests wakes
/// and catches up on late ones.
package struct NotificationMachine: Sendable {
    /// The stored notifications.
    package private(set) var inbox: NotificationInbox
    /// The user's settings.
    package private(set) var settings: NotificationSettings
    /// The screens that the user's connections show.
    package private(set) var focuses: FocusTable
    private var clock: UserClock
    private var phone: PhoneAllowance
    /// The last requested wake.
    private var asked: Instant?

    /// Restores the machine of a user from the store; first feed it a ``NotificationEvent/wake``, after the
    /// ``NotificationEvent/lasts(_:until:)`` of each connection in `focuses`.
    ///
    /// - Parameter pushedAt: when the phone was notified within the last hour.
    package init(
        entries: some Sequence<NotificationEntry> = [],
        settings: NotificationSettings = NotificationSettings(),
        clock: UserClock = .utc,
        pushedAt: [Instant] = [],
        focuses: FocusTable = FocusTable()
    ) {
        self.focuses = focuses
        inbox = NotificationInbox(entries)
        self.settings = settings
        self.clock = clock
        phone = PhoneAllowance(used: pushedAt)
    }

    /// Processes an event at `now`, which never decreases from one call to the next.
    package mutating func receive(_ event: NotificationEvent, at now: Instant) -> [NotificationEffect] {
        // No focus counts as ended until all connections have reported how long theirs lasts.
        if case .lasts(let connection, let end) = event {
            focuses.renew(connection, until: end)
            return []
        }
        var effects: [NotificationEffect] = []
        // First, so that no notification caused by the other user is released meanwhile.
        if case .blockCreated(let other) = event { withdraw(from: other, effects: &effects) }
        release(at: now, effects: &effects)
        switch event {
        case .raised(let notification): take(notification, at: now, effects: &effects)
        case .focus(let connection, let focus): focuses.set(focus, of: connection, at: now)
        case .disconnected(let connection): focuses.remove(connection)
        case .read(let ids): read(ids, effects: &effects)
        case .settings(let changed):
            settings = changed
            reconsiderQuietHours(at: now, effects: &effects)
        case .clock(let changed):
            clock = changed
            reconsiderQuietHours(at: now, effects: &effects)
        case .lasts, .blockCreated, .wake: break
        }
        release(at: now, effects: &effects)
        let removed = inbox.trim(at: now)
        if !removed.isEmpty { effects.append(.remove(removed)) }
        askForWake(at: now, effects: &effects)
        return effects
    }

    // MARK: - Deciding

    private mutating func take(_ notification: UserNotification, at now: Instant, effects: inout [NotificationEffect]) {
        guard inbox.accepts(notification, at: now) else { return }
        let replaced = inbox.held(like: notification.topic)
        if let replaced {
            inbox.remove(replaced.notification.id)
            effects.append(.remove([replaced.notification.id]))
        }
        let former = inbox.superseded(by: notification)
        if !former.isEmpty {
            for id in former { inbox.remove(id) }
            effects.append(.remove(former))
        }
        var decision = circumstances(at: now).decide(on: notification.topic, at: now)
        // The latest of several held notifications waits no longer than the first would have.
        if case .held(var hold) = decision, let former = replaced?.hold, former.reason == hold.reason {
            hold.until = min(hold.until, former.until)
            decision = .held(hold)
        }
        carryOut(decision, on: notification, at: now, effects: &effects)
    }

    /// Decides again about the entries whose hold has ended at `now`.
    private mutating func release(at now: Instant, effects: inout [NotificationEffect]) {
        focuses.expire(at: now)
        let isWriting = circumstances(at: now).isWriting
        for entry in inbox.held {
            guard let hold = entry.hold else { continue }
            switch hold.reason {
            case .writing where !isWriting || hold.until <= now: decideAgain(entry, at: now, effects: &effects)
            case .quietHours where hold.until <= now: decideAgain(entry, at: now, effects: &effects)
            case .writing, .quietHours: break
            }
        }
    }

    /// The quiet hours may now end at another instant than the one until which entries are held.
    private mutating func reconsiderQuietHours(at now: Instant, effects: inout [NotificationEffect]) {
        for entry in inbox.held where entry.hold?.reason == .quietHours {
            decideAgain(entry, at: now, effects: &effects)
        }
    }

    private mutating func decideAgain(_ entry: NotificationEntry, at now: Instant, effects: inout [NotificationEffect])
    {
        let mayWait = entry.hold?.reason != .writing
        let topic = entry.notification.topic
        let decision = circumstances(at: now).decide(on: topic, at: now, mayWaitForWriting: mayWait)
        if let hold = entry.hold, decision == .held(hold) { return }
        carryOut(decision, on: entry.notification, at: now, effects: &effects)
    }

    private mutating func carryOut(
        _ decision: NotificationDecision,
        on notification: UserNotification,
        at now: Instant,
        effects: inout [NotificationEffect]
    ) {
        var entry = NotificationEntry(notification)
        switch decision {
        case .off, .seen: entry.isRead = true
        case .held(let hold): entry.hold = hold
        case .told: break
        }
        inbox.put(entry)
        effects += [.store(entry), .decided(notification.topic.kind, decision)]
        guard case .told(let reach) = decision else { return }
        effects.append(.tell(notification))
        if reach == .reached {
            phone.use(at: now)
            effects.append(.push(notification))
        }
    }

    private func circumstances(at now: Instant) -> NotificationCircumstances {
        NotificationCircumstances(
            settings: settings,
            active: focuses.active(at: now),
            clock: clock,
            mayReachPhone: phone.isLeft(at: now)
        )
    }

    // MARK: - Reading

    /// A notification that is read while it is held is never sent.
    private mutating func read(_ ids: [NotificationID], effects: inout [NotificationEffect]) {
        let wanted = Set(ids)
        for entry in inbox.entries where !entry.isRead && (ids.isEmpty || wanted.contains(entry.notification.id)) {
            let read = NotificationEntry(entry.notification, isRead: true)
            inbox.put(read)
            effects.append(.store(read))
        }
    }

    // MARK: - Withdrawing

    private mutating func withdraw(from other: UserID, effects: inout [NotificationEffect]) {
        let withdrawn = inbox.entries.filter { entry in
            let isUntold = entry.hold != nil && entry.notification.userID == other
            return isUntold || entry.notification.topic == .friendRequested(other)
        }.map(\.notification.id)
        guard !withdrawn.isEmpty else { return }
        for id in withdrawn { inbox.remove(id) }
        effects.append(.remove(withdrawn))
    }

    // MARK: - Wakes

    /// When the next hold ends if nothing else happens; nil without held entries.
    package func nextWake(at now: Instant) -> Instant? {
        let writingEnd = focuses.writingEnd(at: now)
        return inbox.entries.compactMap { entry in
            guard let hold = entry.hold else { return nil }
            switch hold.reason {
            case .writing: return min(hold.until, writingEnd ?? hold.until)
            case .quietHours: return hold.until
            }
        }.min()
    }

    private mutating func askForWake(at now: Instant, effects: inout [NotificationEffect]) {
        if let asked, asked <= now { self.asked = nil }
        guard let next = nextWake(at: now), asked.map({ next < $0 }) ?? true else { return }
        asked = next
        effects.append(.wake(at: next))
    }
}
