/// Turns the clocks of one device and boot into the server's time (domain §5, "Fix time").
public struct DeviceClock: Hashable, Sendable {
    private var uptime = ClockOffset()
    private var wall = ClockOffset()
    private var lastUptimeSync: Instant?
    private var lastWallSync: Instant?
    private var lastSync: Instant?

    /// Knows nothing of the device yet.
    public init() {}

    /// Whether one of the clocks has been seen to move against the server's.
    public private(set) var wasMoved = false

    /// Takes note that an earlier process saw one of the clocks move.
    mutating func noteMoved() { wasMoved = true }

    /// Takes note of `syncClock` exchanges, oldest first; those already noted are passed over.
    ///
    /// - Returns: whether one shows that a clock was moved.
    @discardableResult
    public mutating func observe(syncs: [ClockSync]) -> Bool {
        var isMove = false
        for sync in syncs where lastSync.map({ sync.receivedAt > $0 }) ?? true {
            if observe(sync.readings, at: sync.receivedAt) { isMove = true }
            lastSync = sync.receivedAt
            if sync.readings.uptimeMs != nil { lastUptimeSync = sync.receivedAt }
            if sync.readings.wallMs != nil { lastWallSync = sync.receivedAt }
        }
        return isMove
    }

    /// Takes note of the clocks as they stood when a report was sent that was received at `now`.
    ///
    /// - Returns: whether they show that one of them was moved.
    @discardableResult
    public mutating func observe(_ readings: ClockReadings, at now: Instant) -> Bool {
        var isMove = false
        if let reading = readings.uptimeMs, uptime.observe(readingMs: reading, at: now) { isMove = true }
        if let reading = readings.wallMs, wall.observe(readingMs: reading, at: now) { isMove = true }
        if isMove { wasMoved = true }
        return isMove
    }

    /// When a fix was made, on the server's clock: by uptime where that counts, else by the wall clock, else `now`.
    ///
    /// - Parameters:
    ///   - fix: the fix; its clock readings are sensible numbers.
    ///   - sent: the clocks that the fix's report carried; already observed.
    ///   - now: when the report was received.
    public func time(of fix: Fix, sent: ClockReadings, at now: Instant) -> Instant {
        if let reading = fix.uptimeMs, sent.uptimeMs != nil || isRecent(lastUptimeSync, at: now),
            let offset = uptime.current(at: now)
        {
            return Instant(milliseconds: Int64((offset + reading).rounded()))
        }
        if let reading = fix.wallMs, sent.wallMs != nil || isRecent(lastWallSync, at: now),
            let offset = wall.current(at: now)
        {
            return Instant(milliseconds: Int64((offset + reading).rounded()))
        }
        return now
    }

    private func isRecent(_ sync: Instant?, at now: Instant) -> Bool {
        sync.map { now - $0 <= ClockOffset.memory } ?? false
    }
}
