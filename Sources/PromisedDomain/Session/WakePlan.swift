/// When a session must be woken, and up to which instant the clock's changes are performed.
///
/// An early wake is harmless, so while one is pending, only an earlier one is requested: most reports postpone the next
/// wake, and a request for each would cost more than the few idle wakes.
struct WakePlan: Sendable {
    /// The last instant up to which the clock's events and arrivals were processed.
    private(set) var workedUpTo: Instant
    /// A lower bound of the clock's next change; exact only after evaluating all members.
    private var clockBound = Instant(milliseconds: .min)
    private var asked: Instant?
    /// When the next requested recall may begin; nil without one.
    private(set) var nextRecallAt: Instant?

    init(workedUpTo: Instant) { self.workedUpTo = workedUpTo }

    // MARK: - The clock

    /// `true` if the clock may have changed something by `now`.
    func isClockDue(at now: Instant) -> Bool { now >= clockBound }
    mutating func workedOff(to instant: Instant) { workedUpTo = max(workedUpTo, instant) }

    /// Sets the clock's next change exactly; nil if there are no more.
    mutating func noteClock(_ change: Instant?) { clockBound = change ?? Instant(milliseconds: .max) }

    /// Updates the next change with that of one member, nil without one. The other members are unchanged.
    mutating func noteClock(ofOne change: Instant?) {
        if let change { clockBound = min(clockBound, change) }
    }

    /// Any member may have changed since ``workedUpTo``.
    mutating func reconsider() { clockBound = workedUpTo }

    // MARK: - Wakes

    /// `true` if a wake is pending at `now`. Once its instant is reached, any member may have changed: a step that
    /// evaluates a single member would miss their due changes until the wake arrives.
    func isWakeToCome(at now: Instant) -> Bool { asked.map { $0 > now } ?? false }

    /// `true` if the pending wake is early enough for the clock's next change and for `due` (nil: never).
    func isInTime(for due: Instant?) -> Bool {
        guard let asked, clockBound >= asked else { return false }
        return due.map { $0 >= asked } ?? true
    }

    /// Requests a wake at `next`. Returns `false` if an earlier wake is pending, or `next` is reached: then no request
    /// is needed.
    mutating func ask(for next: Instant, at now: Instant) -> Bool {
        guard next > now else { return false }
        if let asked, asked > now, asked <= next { return false }
        asked = next
        return true
    }

    /// Postpones a wake that found nothing due until `next`, whatever was requested.
    mutating func putOff(until next: Instant) { asked = next }

    /// A member's change that may not be sent before `instant` can be sent with the first step after it.
    func after(_ instant: Instant) -> Instant { max(instant, workedUpTo + .milliseconds(1)) }

    // MARK: - Recalls

    mutating func noteRecall(dueAt due: Instant) { nextRecallAt = nextRecallAt.map { min($0, due) } ?? due }

    /// `true` if recalls may begin at `now`; those that may not must be requested again.
    mutating func takeRecall(at now: Instant) -> Bool {
        guard let due = nextRecallAt, due <= now else { return false }
        nextRecallAt = nil
        return true
    }
}
