internal import PromisedProtocol

/// The queue of fixes for the server, their numbering, and the device's names: stored on disk if a directory is given.
///
/// A fix stays until the server settles it, across lost connections, killed processes and restarts. The store numbers
/// fixes with rising `seq` and detects when the device's monotonic clock restarts: then it uses another ``bootID``, and
/// older fixes keep only their wall clock.
///
/// Open it first, and name device and boot in the settings:
///
/// ```swift
/// let fixes = try FixStore(directory: directory)
/// settings.identify(as: fixes)
/// let reporter = PositionReporter(client: client, fixes: fixes)
/// ```
/// Do not share it: the reporter takes ownership.
public final class FixStore {
    /// The default limit of fixes; 14 hours of one each 5 s.
    public static let defaultLimit = 10_000

    /// Identifies the device, for as long as the directory exists.
    public var deviceID: String { head.deviceID }
    /// Identifies this numbering of fixes and this run of the device's monotonic clock.
    public var bootID: String { head.bootID }
    /// The number of pending fixes.
    public var count: Int { queue.count }

    private(set) var queue: FixQueue<WireFix>
    private var head: JournalHead
    private var journal: Journal<JournalRecord>?

    /// Creates a store in memory: a new device for the life of the process.
    ///
    /// - Parameter limit: the most fixes that it holds; beyond it the oldest are dropped.
    public convenience init(limit: Int = FixStore.defaultLimit) {
        self.init(limit: limit, time: SystemTime(), generator: SystemRandomNumberGenerator())
    }

    /// Opens a store on disk.
    ///
    /// - Parameters:
    ///   - directory: created if its parent exists; used by one store at a time. Give each account its own.
    ///   - limit: the most fixes that it holds; beyond it the oldest are dropped.
    /// - Throws: ``FixStoreError``, but never because of a file's content: a broken end is skipped.
    public convenience init(directory: String, limit: Int = FixStore.defaultLimit) throws(FixStoreError) {
        try self.init(directory: directory, limit: limit, time: SystemTime(), generator: SystemRandomNumberGenerator())
    }

    init(limit: Int, time: some ClientTime, generator: some RandomNumberGenerator) {
        var generator = generator
        queue = FixQueue(limit: limit)
        head = JournalHead(
            deviceID: Self.name(using: &generator),
            bootID: Self.name(using: &generator),
            boot: time.boot ?? "",
            lastSeq: 0
        )
    }

    convenience init(
        directory: String,
        limit: Int,
        time: some ClientTime,
        generator: some RandomNumberGenerator
    ) throws(FixStoreError) {
        self.init(limit: limit, time: time, generator: generator)
        let (journal, bytes) = try Journal<JournalRecord>.open("fixes", in: directory)
        takeUp(JournalContents(bytes))
        self.journal = journal
        try rewrite()
    }

    /// Continues from an earlier process's content, in its numbering if that is complete.
    private func takeUp(_ contents: JournalContents) {
        guard let old = contents.head else { return }
        head.deviceID = old.deviceID
        for fix in contents.fixes { _ = queue.append(fix) }
        let isSameRun = !head.boot.isEmpty && old.boot == head.boot
        if !isSameRun { queue.rebase() }
        // Numbers continue to rise in a new boot, so that each fix keeps its own.
        head.lastSeq = old.lastSeq
        if isSameRun, contents.end != .corrupt { head.bootID = old.bootID }
    }

    // MARK: - Fixes

    /// Numbers a fix and stores it. Returns the number, nil if they are exhausted; how many fixes were dropped for it;
    /// and the error if it is only in memory.
    func append(_ fix: WireFix) -> (seq: UInt32?, dropped: Int, failure: FixStoreError?) {
        guard head.lastSeq < .max else { return (nil, 0, nil) }
        head.lastSeq += 1
        var fix = fix
        fix.seq = head.lastSeq
        let dropped = queue.append(fix)
        return (fix.seq, dropped == nil ? 0 : 1, write([.fix(fix)] + (dropped.map { [.settled([$0])] } ?? [])))
    }

    /// Removes the fixes that the server has settled. Returns their count, and the error if the disk was not updated.
    /// In that case the fixes are sent again, and the server's answer is the same.
    func settle(_ seqs: Set<UInt32>) -> (count: Int, failure: FixStoreError?) {
        let removed = queue.remove(seqs)
        let records = stride(from: 0, to: removed.count, by: JournalRecord.settledLimit).map { start in
            JournalRecord.settled(Array(removed[start...].prefix(JournalRecord.settledLimit)))
        }
        return (removed.count, write(records))
    }

    func removeAll() -> (count: Int, failure: FixStoreError?) { settle(Set(queue.fixes.map(\.seq))) }

    private func write(_ records: [JournalRecord]) -> FixStoreError? {
        guard journal != nil, !records.isEmpty else { return nil }
        do throws(FixStoreError) {
            try journal?.append(records)
            if journal?.isWorthRewriting(for: queue.count) == true { try rewrite() }
            return nil
        } catch {
            return error
        }
    }

    private func rewrite() throws(FixStoreError) {
        try journal?.rewrite([.head(head)] + queue.fixes.map { .fix($0) })
    }

    /// Sixteen random bytes in hexadecimal digits.
    static func name(using generator: inout some RandomNumberGenerator) -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
