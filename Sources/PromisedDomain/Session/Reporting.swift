/// The reporting of a session's members, and the changes from their reports that are still to be sent.
struct Reporting: Sendable {
    /// The minimum time between two announcements of a participant's estimate (domain §7).
    static let estimateInterval = TimeSpan.seconds(15)

    /// The limits of positions.
    let limits: FixLimits
    var criteria: ArrivalCriteria
    private(set) var slot: ReportingSlot
    /// `true` if the position of any member has changed since the last collection.
    private(set) var hasMovement = false
    /// Members whose changed estimate may not be sent yet.
    private var delayed: Set<Int> = []

    init(_ promise: Promise, interval: TimeSpan, limits: FixLimits) {
        self.limits = limits
        criteria = ArrivalCriteria(promise)
        slot = ReportingSlot(of: promise.id, interval: interval)
    }

    /// Changes the grid of the slots.
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

    /// Records that a position has changed.
    mutating func noteMovement() { hasMovement = true }

    /// Records that the positions were collected, or are no longer needed.
    mutating func takeMovement() { hasMovement = false }

    // MARK: - Estimates

    /// `true` if a member's changed estimate may be sent at `now`; `last` is when the previous one was sent. Otherwise
    /// it is delayed.
    mutating func mayTell(_ index: Int, after last: Instant?, at now: Instant) -> Bool {
        if let last, now - last < Self.estimateInterval {
            delayed.insert(index)
            return false
        }
        forget(index)
        return true
    }

    /// Removes a member's delayed estimate.
    mutating func forget(_ index: Int) {
        // The set is nearly always empty.
        if !delayed.isEmpty { delayed.remove(index) }
    }

    mutating func forgetAll() { delayed.removeAll() }

    /// `true` if any estimate is delayed. Checked before ``nextDelayed(_:)``, because iterating over an empty set takes
    /// 170 instructions.
    var isDelaying: Bool { !delayed.isEmpty }

    /// When the first of the delayed estimates may be sent; nil without one. `lastTold` returns when a member's last
    /// one was sent; nil for a member to ignore.
    func nextDelayed(_ lastTold: (Int) -> Instant?) -> Instant? {
        var earliest: Instant?
        for index in delayed {
            guard let told = lastTold(index) else { continue }
            earliest = min(earliest ?? told, told)
        }
        return earliest.map { $0 + Self.estimateInterval }
    }
}
