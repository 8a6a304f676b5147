/// The reporting of a session's members, and the parts of their reports that are still to be told.
struct Reporting: Sendable {
    /// The least time between two announcements of somebody's estimate (domain §7).
    static let estimateInterval = TimeSpan.seconds(15)

    /// How many positions there may be.
    let limits: FixLimits
    /// By which arrivals are judged.
    var criteria: ArrivalCriteria
    private(set) var slot: ReportingSlot
    /// Whether the position of any member has changed since the last collection.
    private(set) var hasMovement = false
    /// Members whose estimate is news that may not be told yet.
    private var delayed: Set<Int> = []

    init(_ promise: Promise, interval: TimeSpan, limits: FixLimits) {
        self.limits = limits
        criteria = ArrivalCriteria(promise)
        slot = ReportingSlot(of: promise.id, interval: interval)
    }

    /// From now on the slots are these.
    mutating func follow(_ grid: ReportingGrid) { slot.grid = grid }

    /// From `now` to the next report of a participant who reports in every `pace`th slot.
    func untilNext(after now: Instant, pace: Int64) -> TimeSpan {
        slot.untilNext(after: now) + .milliseconds(slot.interval.milliseconds * max(0, pace - 1))
    }

    /// From `now` to the first report, just before the first slot in the window.
    func untilFirst(of promise: Promise, after now: Instant) -> TimeSpan {
        let opening = promise.opensAt - TimeSpan.milliseconds(1)
        return promise.opensAt - now + slot.untilNext(after: opening) - .milliseconds(1)
    }

    // MARK: - Positions

    /// A position has changed.
    mutating func noteMovement() { hasMovement = true }

    /// The positions are collected, or of no more interest.
    mutating func takeMovement() { hasMovement = false }

    // MARK: - Estimates

    /// Whether a member's estimate that is news may be told at `now`, `last` being when one was told before. If not it is
    /// put off.
    mutating func mayTell(_ index: Int, after last: Instant?, at now: Instant) -> Bool {
        if let last, now - last < Self.estimateInterval {
            delayed.insert(index)
            return false
        }
        forget(index)
        return true
    }

    /// A member's estimate is no news any more.
    mutating func forget(_ index: Int) {
        // Nearly always nothing is put off.
        if !delayed.isEmpty { delayed.remove(index) }
    }

    mutating func forgetAll() { delayed.removeAll() }

    /// Whether any estimate is put off. Asked before ``nextDelayed(_:)``: to go over an empty set takes 170 instructions.
    var isDelaying: Bool { !delayed.isEmpty }

    /// When the first of the estimates that were put off may be told; nil when none is. `lastTold` is when one of a
    /// member was told last; nil for a member that is not waited for.
    func nextDelayed(_ lastTold: (Int) -> Instant?) -> Instant? {
        var earliest: Instant?
        for index in delayed {
            guard let told = lastTold(index) else { continue }
            earliest = min(earliest ?? told, told)
        }
        return earliest.map { $0 + Self.estimateInterval }
    }
}
