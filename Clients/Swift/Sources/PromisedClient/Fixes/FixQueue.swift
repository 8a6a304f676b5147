internal import PromisedProtocol

/// A position that a device measured, numbered and dated by both clocks.
protocol DeviceFix: Sendable {
    var seq: UInt32 { get set }
    var hasUptimeMs: Bool { get }
    var uptimeMs: Double { get set }
    mutating func clearUptimeMs()
    var hasRecordedAt: Bool { get }
    var recordedAt: WireTimestamp { get set }
    mutating func clearRecordedAt()
}

extension WireFix: DeviceFix {}
extension WireRecordedPoint: DeviceFix {}

extension DeviceFix {
    /// The fix with its missing clocks added.
    ///
    /// - Parameter age: how long ago it was measured; a negative one counts as zero.
    func stamped(by time: any ClientTime, age: Duration) -> Self {
        let age = max(age, .zero)
        var fix = self
        if !fix.hasUptimeMs { fix.uptimeMs = (time.uptime - age).inMilliseconds }
        // A time that JSON cannot represent would block all other fixes.
        if fix.hasRecordedAt, let reading = WireTimestamp(readingMs: fix.recordedAt.readingMs) {
            fix.recordedAt = reading
        } else if let reading = WireTimestamp(readingMs: time.wallMs - age.inMilliseconds) {
            fix.recordedAt = reading
        } else {
            fix.clearRecordedAt()
        }
        return fix
    }
}

/// Fixes that wait for the server, ascending by `seq`; bounded, the oldest are dropped.
struct FixQueue<Fix: DeviceFix>: Sendable {
    /// The largest number of fixes; at least one.
    let limit: Int
    private(set) var fixes: [Fix] = []

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { fixes.count }
    var isEmpty: Bool { fixes.isEmpty }
    var lastSeq: UInt32? { fixes.last?.seq }

    /// Adds a fix whose `seq` is above all others. Returns the `seq` of the fix dropped to make room.
    mutating func append(_ fix: Fix) -> UInt32? {
        fixes.append(fix)
        return fixes.count > limit ? fixes.removeFirst().seq : nil
    }

    /// The newest fixes, newest first.
    ///
    /// - Parameter seq: only fixes above it.
    func newest(_ count: Int, above seq: UInt32 = 0) -> [Fix] {
        fixes.suffix(count).reversed().prefix { $0.seq > seq }.map { $0 }
    }

    func count(above seq: UInt32) -> Int { fixes.count - (fixes.firstIndex { $0.seq > seq } ?? fixes.count) }

    /// Removes fixes. Returns the `seq` of the removed ones, ascending.
    mutating func remove(_ seqs: Set<UInt32>) -> [UInt32] {
        var removed: [UInt32] = []
        fixes.removeAll { fix in
            guard seqs.contains(fix.seq) else { return false }
            removed.append(fix.seq)
            return true
        }
        return removed
    }

    mutating func removeAll() { fixes = [] }

    /// Converts fixes from an earlier run of the device: their monotonic clock is invalid. A fix without a wall clock
    /// cannot be dated and is dropped.
    mutating func rebase() {
        fixes.removeAll { !$0.hasRecordedAt }
        for index in fixes.indices { fixes[index].clearUptimeMs() }
    }
}
