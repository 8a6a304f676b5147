/// The wall clock of a device's fixes against the server's (domain §5, "Two wall clocks").
///
/// A phone may date its fixes by the satellite receiver and its reports by the system. φ, the smallest (receive time −
/// newest `recordedAt`), is the counterpart of θ for the first clock. It dates fixes only if θ must be wrong for them:
///
/// ```
/// ahead       φ < θ − 5 s                        a fix is never younger than its report
/// satellite   θ < −15 s, −5 s ≤ φ ≤ 15 s         the system's clock is fast, the fixes' clock is right
/// zone        φ − θ ≈ n · 30 min, and it keeps   the clocks differ by a time zone
///             pace with the server
/// ```
/// Otherwise the fixes really are old.
struct FixClock: Hashable, Sendable {
    /// The wall clock reading of one fix.
    struct Reading: Hashable, Sendable {
        /// The sequence number of the fix.
        var seq: UInt32
        /// The clock in milliseconds since 1970.
        var ms: Double
    }

    /// φ this far below θ cannot be inaccuracy.
    private static let tolerableLeadMs = 5_000.0
    /// A fix this far ahead of the sending clock comes from another clock or is odd.
    private static let largestLeadMs = Double(Fix.largestLead.milliseconds)
    /// Fixes are rarely older than this when they are sent.
    private static let usualAgeMs = 15_000.0
    /// Time zones differ by multiples of this.
    private static let zoneStepMs = 1_800_000.0
    /// A fix this far behind the previous one shows that its clock was set back.
    private static let setbackMs = 5_000.0
    /// The receiver's week number overflows after this time: 1,024 weeks.
    private static let eraMs = 1_024.0 * 7 * 86_400_000

    private var newest = ClockOffset()
    private var pace = ClockPace()
    /// The fix with the highest `seq` so far.
    private var highest: Reading?

    /// A reading moved by the whole number of 1,024 weeks that brings it nearest to `now`, if it is more than 512 weeks
    /// away from `now` and from the sending clock.
    ///
    /// - Parameter sentMs: the clock at sending, nil if unknown.
    static func folded(_ ms: Double, sentMs: Double?, at now: Instant) -> Double {
        let behind = Double(now.milliseconds) - ms
        guard abs(behind) > eraMs / 2, sentMs.map({ abs($0 - ms) > eraMs / 2 }) ?? true else { return ms }
        return ms + (behind / eraMs).rounded() * eraMs
    }

    /// Records the readings of a report that was received at `now`.
    ///
    /// - Parameters:
    ///   - readings: at least one, in any order.
    ///   - theta: θ of the sending clock; nil if it is not used, so that the readings only show whether the clock was
    ///     set back.
    ///   - movedAt: when θ last started over.
    mutating func observe(_ readings: [Reading], theta: Double?, movedAt: Instant?, at now: Instant) {
        let ordered = readings.count == 1 ? readings : readings.sorted { $0.seq < $1.seq }
        let setback = lastSetback(in: ordered)
        guard let theta else { return }
        if let setback {
            let isMoved = movedAt.map { now - $0 <= ClockOffset.memory } ?? false
            if isMoved || isEndOfLead(ordered, from: setback, besides: theta, at: now) {
                newest = ClockOffset()
                pace = ClockPace()
                return note(ordered[setback...], at: now)
            }
        }
        note(pace.isKept(at: now) ? ordered : FixClock.withoutOdd(ordered, besides: theta, at: now), at: now)
    }

    /// φ if it dates the fixes; nil if θ does.
    func offset(besides theta: Double, at now: Instant) -> Double? {
        guard let phi = newest.current(at: now) else { return nil }
        let isAhead = phi < theta - FixClock.tolerableLeadMs
        return isAhead || isSatellite(phi, theta) || isZone(phi, theta, at: now) ? phi : nil
    }

    private func isSatellite(_ phi: Double, _ theta: Double) -> Bool {
        theta < -FixClock.usualAgeMs && (-FixClock.tolerableLeadMs...FixClock.usualAgeMs).contains(phi)
    }

    private func isZone(_ phi: Double, _ theta: Double, at now: Instant) -> Bool {
        let lag = phi - theta
        let steps = ((lag + FixClock.tolerableLeadMs) / FixClock.zoneStepMs).rounded(.down)
        guard steps >= 1, lag - steps * FixClock.zoneStepMs <= FixClock.usualAgeMs else { return false }
        return pace.isKept(at: now)
    }

    /// The index of the last reading that goes back; also records the highest number.
    private mutating func lastSetback(in ordered: [Reading]) -> Int? {
        var setback: Int?
        for (index, reading) in ordered.enumerated() {
            if let highest {
                guard reading.seq > highest.seq else { continue }
                if reading.ms < highest.ms - FixClock.setbackMs { setback = index }
            }
            highest = reading
        }
        return setback
    }

    /// `true` if the clock was not ahead, but some odd fixes before `index` were: they have not kept pace, and the ones
    /// from `index` on agree with the sending clock (decision 0053).
    private func isEndOfLead(_ ordered: [Reading], from index: Int, besides theta: Double, at now: Instant) -> Bool {
        guard let latest = ordered.map(\.ms).max(), let after = ordered[index...].map(\.ms).max() else { return false }
        let phi = min(newest.current(at: now) ?? .infinity, Double(now.milliseconds) - latest)
        guard phi < theta - FixClock.tolerableLeadMs, !pace.isKept(at: now) else { return false }
        return FixClock.agrees(after, with: theta, at: now)
    }

    /// Drops the readings that are more than 60 s ahead, if one of them follows a reading that agrees with the sending
    /// clock; otherwise keeps all (decision 0053). `ordered` is sorted by number.
    private static func withoutOdd(_ ordered: [Reading], besides theta: Double, at now: Instant) -> [Reading] {
        let isOdd = { (reading: Reading) in Double(now.milliseconds) - reading.ms < theta - largestLeadMs }
        let hasStep = zip(ordered, ordered.dropFirst())
            .contains { isOdd($1) && agrees($0.ms, with: theta, at: now) }
        return hasStep ? ordered.filter { !isOdd($0) } : ordered
    }

    /// `true` if the sending clock, with offset θ, may have dated the fix shortly before the report.
    private static func agrees(_ ms: Double, with theta: Double, at now: Instant) -> Bool {
        (-tolerableLeadMs...usualAgeMs).contains(Double(now.milliseconds) - ms - theta)
    }

    private mutating func note(_ readings: some Sequence<Reading>, at now: Instant) {
        guard let latest = readings.lazy.map(\.ms).max() else { return }
        newest.note(offsetMs: Double(now.milliseconds) - latest, at: now)
        pace.note(latest, at: now)
    }
}

/// Decides whether the newest fixes of a device's reports advance as fast as the server's clock (domain §5, "Two wall
/// clocks").
struct ClockPace: Hashable, Sendable {
    /// The gaps of receipt and of the newest fixes may differ by this.
    private static let tolerance = 3_000.0
    private static let fewest = 3
    private static let shortest = TimeSpan.seconds(20)
    /// Reports nearer together than this share an entry, which bounds ``paced`` to some 40.
    private static let spacing = TimeSpan.seconds(1)

    private struct Receipt: Hashable, Sendable {
        var at: Instant
        var newestMs: Double
    }

    private var last: Receipt?
    /// When reports that kept pace were received, ascending: only those that the answer depends on.
    private var paced: [Instant] = []

    /// Records the newest reading of a report that was received at `now`.
    mutating func note(_ newestMs: Double, at now: Instant) {
        defer { last = Receipt(at: now, newestMs: newestMs) }
        guard let last, newestMs > last.newestMs else { return }
        let gap = Double((now - last.at).milliseconds)
        if abs(gap - (newestMs - last.newestMs)) <= ClockPace.tolerance { append(now) }
    }

    /// `true` if at least three reports of the last 10 minutes kept pace, the first and the last 20 s apart or more.
    func isKept(at now: Instant) -> Bool {
        guard let last = paced.last, let first = paced.firstIndex(where: { now - $0 <= ClockOffset.memory }) else {
            return false
        }
        return paced.count - first >= ClockPace.fewest && last - paced[first] >= ClockPace.shortest
    }

    private mutating func append(_ now: Instant) {
        if paced.count >= 2, now - paced[paced.count - 2] < ClockPace.spacing { paced.removeLast() }
        paced.append(now)
        // A later first report expires later, so an earlier one is not needed.
        while paced.count > ClockPace.fewest, now - paced[1] >= ClockPace.shortest { paced.removeFirst() }
    }
}
