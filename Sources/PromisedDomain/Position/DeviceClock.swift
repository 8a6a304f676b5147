/// Converts the clocks of one device and boot into the server's time (domain §5, "Fix time").
package struct DeviceClock: Hashable, Sendable {
    private var uptime = ClockOffset()
    private var wall = ClockOffset()
    private var lastUptimeSync: Instant?
    private var lastWallSync: Instant?
    private var lastSync: Instant?
    /// When θ of the wall clock last started over; nil if never.
    private var wallMovedAt: Instant?
    @BoxedOptional private var fixClock: FixClock? = nil

    /// No known readings.
    package init() {}

    /// `true` if a clock has moved relative to the server's.
    package private(set) var wasMoved = false

    /// Records that an earlier process saw a clock move.
    mutating func noteMoved() { wasMoved = true }

    /// Records `syncClock` exchanges, oldest first; skips known ones. Returns `true` if one shows that a clock was
    /// moved.
    @discardableResult
    package mutating func observe(syncs: [ClockSync]) -> Bool {
        var isMove = false
        for sync in syncs where lastSync.map({ sync.receivedAt > $0 }) ?? true {
            if observe(sync.readings, at: sync.receivedAt) { isMove = true }
            lastSync = sync.receivedAt
            if sync.readings.uptimeMs != nil { lastUptimeSync = sync.receivedAt }
            if sync.readings.wallMs != nil { lastWallSync = sync.receivedAt }
        }
        return isMove
    }

    /// Records the clocks at the sending of a report that was received at `now`. Returns `true` if they show that one
    /// of them was moved.
    @discardableResult
    package mutating func observe(_ readings: ClockReadings, at now: Instant) -> Bool {
        var isMove = false
        if let reading = readings.uptimeMs, uptime.observe(readingMs: reading, at: now) { isMove = true }
        if let reading = readings.wallMs, wall.observe(readingMs: reading, at: now) {
            isMove = true
            wallMovedAt = now
        }
        if isMove { wasMoved = true }
        return isMove
    }

    /// Records the wall clock of a report's fixes, which may differ from the one that dated its sending.
    ///
    /// - Parameters:
    ///   - fixes: the report's fixes, in any order. Implausible ones are ignored, and so is a report whose fixes are
    ///     all dated by uptime.
    ///   - sent: the clocks that the report carried; already observed.
    ///   - now: when the report was received.
    package mutating func observe(_ fixes: some Sequence<Fix>, sent: ClockReadings, at now: Instant) {
        let isByUptime = countsUptime(sent, at: now)
        if isByUptime, fixes.allSatisfy({ $0.uptimeMs != nil }) { return }
        let theta = countsWall(sent, at: now) ? wall.current(at: now) : nil
        let sentMs = sentMs(sent, theta: theta, at: now)
        let readings = fixes.compactMap { fix -> FixClock.Reading? in
            guard let reading = fix.wallMs, fix.isPlausible else { return nil }
            return FixClock.Reading(seq: fix.seq, ms: FixClock.folded(reading, sentMs: sentMs, at: now))
        }
        guard !readings.isEmpty else { return }
        // Moved out, so that changing it copies nothing.
        var clock = fixClock ?? FixClock()
        fixClock = nil
        clock.observe(readings, theta: theta, movedAt: wallMovedAt, at: now)
        fixClock = clock
    }

    /// The time of a fix on the server's clock: by uptime if valid, else by the wall clock, else `now`.
    ///
    /// - Parameters:
    ///   - fix: the fix; its clock readings are valid numbers.
    ///   - sent: the clocks that the fix's report carried; already observed, as are the fixes.
    ///   - now: when the report was received.
    package func date(of fix: Fix, sent: ClockReadings, at now: Instant) -> FixDate {
        if let reading = fix.uptimeMs, countsUptime(sent, at: now), let offset = uptime.current(at: now) {
            return FixDate(time: Instant(milliseconds: Int64((offset + reading).rounded())))
        }
        if let reading = fix.wallMs, countsWall(sent, at: now), let offset = wall.current(at: now) {
            let folded = FixClock.folded(reading, sentMs: sentMs(sent, theta: offset, at: now), at: now)
            let other = fixClock?.offset(besides: offset, at: now)
            let time = Instant(milliseconds: Int64(((other ?? offset) + folded).rounded()))
            return FixDate(time: time, isOfOtherClock: other != nil)
        }
        return FixDate(time: now)
    }

    private func countsUptime(_ sent: ClockReadings, at now: Instant) -> Bool {
        sent.uptimeMs != nil || isRecent(lastUptimeSync, at: now)
    }

    private func countsWall(_ sent: ClockReadings, at now: Instant) -> Bool {
        sent.wallMs != nil || isRecent(lastWallSync, at: now)
    }

    /// The wall clock at sending; estimated if the report lacks it, nil if that is impossible.
    private func sentMs(_ sent: ClockReadings, theta: Double?, at now: Instant) -> Double? {
        sent.wallMs ?? theta.map { Double(now.milliseconds) - $0 }
    }

    private func isRecent(_ sync: Instant?, at now: Instant) -> Bool {
        sync.map { now - $0 <= ClockOffset.memory } ?? false
    }
}

/// The time of a fix on the server's clock, and its origin.
package struct FixDate: Hashable, Sendable {
    package var time: Instant
    /// `true` if the fix was dated by a wall clock other than the one that dated the sending of its report.
    package var isOfOtherClock = false

    /// A time; by default from the clock of the report or the receipt.
    package init(time: Instant, isOfOtherClock: Bool = false) {
        self.time = time
        self.isOfOtherClock = isOfOtherClock
    }
}

/// A phone's clocks at the time of sending.
package struct ClockReadings: Hashable, Sendable {
    /// The monotonic clock in milliseconds; nil if missing.
    package var uptimeMs: Double?
    /// The wall clock in milliseconds since 1970; nil if missing.
    package var wallMs: Double?

    /// Clock readings; each is finite and within ± ``limitMs``.
    package init(uptimeMs: Double? = nil, wallMs: Double? = nil) {
        self.uptimeMs = uptimeMs
        self.wallMs = wallMs
    }

    /// Clock readings beyond this (about the year 33 658) are invalid and could overflow the arithmetic.
    package static let limitMs = 1e15

    /// `true` if a reading is plausible for a clock.
    package static func isSensible(_ readingMs: Double) -> Bool { readingMs.isFinite && abs(readingMs) <= limitMs }
}

/// A device's clocks, as reported by `syncClock`.
package struct ClockSync: Hashable, Sendable {
    /// The phone's clocks at the time of sending.
    package var readings: ClockReadings
    /// When the server received it.
    package var receivedAt: Instant

    /// Clock readings received at an instant.
    package init(readings: ClockReadings, receivedAt: Instant) {
        self.readings = readings
        self.receivedAt = receivedAt
    }
}

/// The offset θ of one phone clock against the server's: the smallest (receive time − reading) of the last 10 minutes.
///
/// A report can only be delayed, never early, so the least delayed one gives the offset (domain §5). Stored as a queue
/// in which both times and offsets rise: a sample that is older *and* larger than a newer one can never be the minimum
/// again.
package struct ClockOffset: Hashable, Sendable {
    /// How long a sample counts.
    package static let memory = TimeSpan.minutes(10)
    /// A sample that much above θ cannot be delay, because silent connections are closed after 45 s.
    static let largestDelayMs = 60_000.0
    /// Samples nearer together than this share an entry, which bounds the queue to 240.
    private static let spacing = TimeSpan.seconds(5)

    private struct Sample: Hashable, Sendable {
        var at: Instant
        var offsetMs: Double
    }

    private var samples: [Sample] = []

    /// θ in milliseconds at `now`: server time − phone's reading; nil after 10 minutes without a sample.
    func current(at now: Instant) -> Double? { samples.first { now - $0.at <= ClockOffset.memory }?.offsetMs }

    /// Records a reading that the phone made when it sent, received at `now`. Returns `true` if it shows that the clock
    /// was moved.
    mutating func observe(readingMs: Double, at now: Instant) -> Bool {
        forget(before: now)
        let offset = Double(now.milliseconds) - readingMs
        var isMove = false
        if let smallest = samples.first?.offsetMs, offset > smallest + ClockOffset.largestDelayMs {
            isMove = true
            samples.removeAll()
        }
        append(offset, at: now)
        return isMove
    }

    /// Records a sample that cannot show a moved clock, received at `now`.
    mutating func note(offsetMs: Double, at now: Instant) {
        forget(before: now)
        append(offsetMs, at: now)
    }

    private mutating func forget(before now: Instant) {
        if let first = samples.first, now - first.at > ClockOffset.memory {
            samples.removeFirst(samples.prefix { now - $0.at > ClockOffset.memory }.count)
        }
    }

    private mutating func append(_ offset: Double, at now: Instant) {
        while let last = samples.last, last.offsetMs >= offset { samples.removeLast() }
        if samples.count >= 2, now - samples[samples.count - 2].at < ClockOffset.spacing { samples.removeLast() }
        samples.append(Sample(at: now, offsetMs: offset))
    }
}
