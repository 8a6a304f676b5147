internal import PromisedProtocol

/// Fixes that wait for the server's word, ascending by `seq`; bounded, the oldest go.
struct FixQueue: Sendable {
    /// How many fixes it holds at most; at least one.
    let limit: Int
    private(set) var fixes: [WireFix] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { fixes.count }
    var isEmpty: Bool { fixes.isEmpty }
    var lastSeq: UInt32? { fixes.last?.seq }

    /// Adds a fix whose `seq` is above all others.
    ///
    /// - Returns: the `seq` of the fix that had to go for it.
    mutating func append(_ fix: WireFix) -> UInt32? {
        fixes.append(fix)
        return fixes.count > limit ? fixes.removeFirst().seq : nil
    }

    /// The newest fixes, newest first.
    ///
    /// - Parameter seq: only those above it.
    func newest(_ count: Int, above seq: UInt32 = 0) -> [WireFix] {
        fixes.suffix(count).reversed().prefix { $0.seq > seq }.map { $0 }
    }

    /// How many fixes have a `seq` above this one.
    func count(above seq: UInt32) -> Int {
        fixes.count - (fixes.firstIndex { $0.seq > seq } ?? fixes.count)
    }

    /// Takes fixes out.
    ///
    /// - Returns: the `seq` of those that were there, ascending.
    mutating func remove(_ seqs: Set<UInt32>) -> [UInt32] {
        var removed: [UInt32] = []
        fixes.removeAll { fix in
            guard seqs.contains(fix.seq) else { return false }
            removed.append(fix.seq)
            return true
        }
        return removed
    }

    /// Takes all fixes out.
    mutating func removeAll() { fixes = [] }

    /// Makes the fixes of an earlier run of the device those of this one: their monotonic clock means nothing any more.
    /// One without a wall clock cannot be dated and goes.
    mutating func rebase() {
        fixes.removeAll { !$0.hasRecordedAt }
        for index in fixes.indices { fixes[index].clearUptimeMs() }
    }
}
