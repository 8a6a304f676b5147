/// When a session has to be woken, and how far the clock's part is worked off.
///
/// A wake that comes too early does no harm, so only a sooner one is asked for while another is to come: most reports move
/// the next wake back, and asking each time would cost more than the few idle ones.
struct WakePlan: Sendable {
    /// The last instant that the clock's events and arrivals were worked up to.
    private(set) var workedUpTo: Instant
    /// No change of the clock's comes before this; exact only when everybody was looked at.
    private var clockBound = Instant(milliseconds: .min)
    private var asked: Instant?
    /// When the next recall may begin that is wanted; nil when none is.
    private(set) var nextRecallAt: Instant?

    init(workedUpTo: Instant) { self.workedUpTo = workedUpTo }

    // MARK: - The clock

    /// Whether the clock may have changed something by `now`.
    func isClockDue(at now: Instant) -> Bool { now >= clockBound }
    mutating func workedOff(to instant: Instant) { workedUpTo = max(workedUpTo, instant) }

    /// The clock's next change is exactly this; nil: none will come.
    mutating func noteClock(_ change: Instant?) { clockBound = change ?? Instant(milliseconds: .max) }

    /// One member's next change is this; nil: none. Those of the others have not changed.
    mutating func noteClock(ofOne change: Instant?) {
        if let change { clockBound = min(clockBound, change) }
    }

    /// Anything may have changed since the instant that was worked up to.
    mutating func reconsider() { clockBound = workedUpTo }

    // MARK: - Wakes

    /// Whether a wake is still to come at `now`. Once the instant asked for is reached, anybody may have news: what is due
    /// then would lie behind a step that looks at one member only when the wake comes.
    func isWakeToCome(at now: Instant) -> Bool { asked.map { $0 > now } ?? false }

    /// Whether the wake that is to come comes early enough for the clock and for something else that is due then; nil for
    /// never.
    func isInTime(for due: Instant?) -> Bool {
        guard let asked, clockBound >= asked else { return false }
        return due.map { $0 >= asked } ?? true
    }

    /// Asks to be woken at `next`. Returns false when an earlier wake is to come, or `next` has come: then nothing need
    /// be asked for.
    mutating func ask(for next: Instant, at now: Instant) -> Bool {
        guard next > now else { return false }
        if let asked, asked > now, asked <= next { return false }
        asked = next
        return true
    }

    /// A wake that finds nothing due is put off until `next`, whatever was asked for.
    mutating func putOff(until next: Instant) { asked = next }

    /// A member's news that may not be told before `instant` can be told with the first step after it.
    func after(_ instant: Instant) -> Instant { max(instant, workedUpTo + .milliseconds(1)) }

    // MARK: - Recalls

    mutating func noteRecall(dueAt due: Instant) { nextRecallAt = nextRecallAt.map { min($0, due) } ?? due }

    /// Whether recalls may begin at `now`; those that may not are to be noted anew.
    mutating func takeRecall(at now: Instant) -> Bool {
        guard let due = nextRecallAt, due <= now else { return false }
        nextRecallAt = nil
        return true
    }
}
