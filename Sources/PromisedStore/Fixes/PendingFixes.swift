internal import PromisedDomain

/// The fixes of a ``FixBuffer`` that are not durable yet, each in one place.
///
/// ```
///  add ──▶ waiting ──beginWrite──▶ writing ──▶ (durable)
///          │  ▲  ▲                    │
///     take │  │  └────── failed ──────┘
///          ▼  │ putBack
///       committing ──▶ (durable)
/// ```
struct PendingFixes {
    private let capacity: Int
    /// With more than this, those beyond the capacity are dropped: not with each report, because that copies what stays.
    private let tolerance: Int
    private var waiting: [PromiseID: [ArchivedFix]] = [:]
    private var writing: [PromiseID: [ArchivedFix]] = [:]
    /// In a commit that is not known to be durable yet.
    private var committing: [PromiseID: [ArchivedFix]] = [:]
    private(set) var waitingCount = 0
    /// How many fixes were dropped because more than `capacity` waited.
    private(set) var droppedCount = 0
    private(set) var isWriting = false

    /// None yet; at most `capacity` will wait.
    init(capacity: Int) {
        self.capacity = capacity
        tolerance = capacity + capacity / 64
    }

    /// How many fixes wait or are being written.
    var count: Int { waitingCount + writing.values.reduce(0) { $0 + $1.count } }

    /// The fixes of a promise, in any order.
    func fixes(of promise: PromiseID) -> [ArchivedFix] {
        (writing[promise] ?? []) + (committing[promise] ?? []) + (waiting[promise] ?? [])
    }

    mutating func add(_ fixes: [ArchivedFix], to promise: PromiseID) {
        guard !fixes.isEmpty else { return }
        waiting[promise, default: []].append(contentsOf: fixes)
        waitingCount += fixes.count
        dropExcess()
    }

    // MARK: - Commits

    /// Removes and returns a promise's waiting fixes, in order.
    mutating func take(_ promise: PromiseID) -> [ArchivedFix] {
        let fixes = waiting.removeValue(forKey: promise) ?? []
        waitingCount -= fixes.count
        committing[promise] = fixes.isEmpty ? nil : fixes
        return fixes
    }

    /// Drops the fixes returned by ``take(_:)``, which are now durable.
    mutating func written(_ promise: PromiseID) { committing[promise] = nil }

    /// Restores the fixes returned by ``take(_:)``, before those that arrived since.
    mutating func putBack(_ fixes: [ArchivedFix], to promise: PromiseID) {
        committing[promise] = nil
        waitAgain(fixes, of: promise)
    }

    private mutating func waitAgain(_ fixes: [ArchivedFix], of promise: PromiseID) {
        guard !fixes.isEmpty else { return }
        waiting[promise, default: []].insert(contentsOf: fixes, at: 0)
        waitingCount += fixes.count
        dropExcess()
    }

    // MARK: - Writes

    /// `true` while fixes of a promise are being written.
    func isWriting(_ promise: PromiseID) -> Bool { writing[promise] != nil }

    /// `true` if fixes of a promise wait.
    func isWaiting(_ promise: PromiseID) -> Bool { waiting[promise] != nil }

    /// Begins to write all that wait; nil when none do.
    mutating func beginWrite() -> [PromiseID: [ArchivedFix]]? {
        guard waitingCount > 0 else { return nil }
        (writing, waiting, waitingCount, isWriting) = (waiting, [:], 0, true)
        return writing
    }

    /// Begins to write those of one promise that wait; nil when none do.
    mutating func beginWrite(of promise: PromiseID) -> [PromiseID: [ArchivedFix]]? {
        guard let fixes = waiting.removeValue(forKey: promise) else { return nil }
        waitingCount -= fixes.count
        (writing, isWriting) = ([promise: fixes], true)
        return writing
    }

    /// The write has ended; if it has failed, its fixes wait again.
    mutating func endWrite(hasFailed: Bool) {
        let ended = writing
        (writing, isWriting) = ([:], false)
        guard hasFailed else { return }
        for (promise, fixes) in ended { waitAgain(fixes, of: promise) }
    }

    /// Drops the oldest fixes of the promise with the most.
    private mutating func dropExcess() {
        guard waitingCount > tolerance else { return }
        while waitingCount > capacity, let most = waiting.max(by: { $0.value.count < $1.value.count }) {
            let count = min(most.value.count, waitingCount - capacity)
            waiting[most.key] = count == most.value.count ? nil : Array(most.value.dropFirst(count))
            waitingCount -= count
            droppedCount += count
        }
    }
}
