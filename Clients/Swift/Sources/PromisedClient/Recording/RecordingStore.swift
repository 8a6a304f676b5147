internal import PromisedProtocol

/// The recording of a ``CourseRecorder`` and its pending points: stored on disk if a directory is given.
///
/// A point stays until the server settles it. Numbers rise for the whole recording, and each is used once: the store
/// reserves them in blocks that are forced to the disk, and continues above the reserved ones after a power loss or
/// with a damaged file. Changes of the recording itself are forced, too.
struct RecordingStore {
    /// The number of numbers reserved at a time.
    static let reservation: UInt32 = 1_000
    /// The minimum size of a point's record, in bytes.
    private static let leastPoint = 16
    /// The minimum size of a recording's record, in bytes.
    private static let leastHead = 100

    private(set) var head: RecordingHead?
    private(set) var queue: FixQueue<WireRecordedPoint>
    /// The path of the damaged file found when the store was opened; nil if the file was whole.
    private(set) var damagedPath: String?
    private let boot: String
    private var journal: Journal<RecordingRecord>?

    /// Creates a store in memory.
    ///
    /// - Parameter limit: the most points that it holds; beyond it the oldest are dropped.
    init(limit: Int, time: some ClientTime) {
        queue = FixQueue(limit: limit)
        boot = time.boot ?? ""
    }

    /// Opens a store on disk.
    ///
    /// - Throws: ``FixStoreError``, but never because of a file's content: the readable part is used.
    init(directory: String, limit: Int, time: some ClientTime) throws(FixStoreError) {
        self.init(limit: limit, time: time)
        let (journal, bytes) = try Journal<RecordingRecord>.open("recording", in: directory)
        self.journal = journal
        let contents = RecordingContents(bytes)
        if contents.end == .corrupt { damagedPath = try journal.setAside() }
        takeUp(contents)
        try rewrite()
    }

    /// Continues the recording of an earlier process.
    private mutating func takeUp(_ contents: RecordingContents) {
        guard var head = contents.head else { return }
        for point in contents.points where queue.append(point) != nil { head.counts.count(1, .dropped) }
        let isSameRun = !boot.isEmpty && head.boot == boot
        if !isSameRun {
            queue.rebase()
            // Points that were not forced to the disk may be missing, although the server has their numbers.
            head.lastSeq = max(head.lastSeq, head.reservedThrough)
        }
        if contents.end != .whole {
            let points = UInt32(clamping: contents.lostCount / Self.leastPoint) + Self.reservation
            head.lastSeq = max(head.lastSeq, head.reservedThrough).addingClamped(points)
        }
        if contents.end == .corrupt {
            head.segment = head.segment.addingClamped(1 + UInt32(clamping: contents.lostCount / Self.leastHead))
        }
        head.boot = boot
        self.head = head
    }

    // MARK: - The recording

    /// Begins a recording, or changes it. Returns the error if the disk was not updated.
    mutating func change(to head: RecordingHead) -> FixStoreError? {
        self.head = head
        return write([.head(head)], isForced: true)
    }

    /// Ends the recording and deletes its data.
    mutating func end() -> FixStoreError? {
        head = nil
        queue.removeAll()
        do throws(FixStoreError) {
            try rewrite()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Points

    /// Numbers a point and stores it in the current segment. Returns the number, nil without a recording or after the
    /// last number; how many points were dropped for it; and the error if it is only in memory.
    mutating func append(_ point: WireRecordedPoint) -> (seq: UInt32?, dropped: Int, failure: FixStoreError?) {
        guard var head, head.lastSeq < .max else { return (nil, 0, nil) }
        var records: [RecordingRecord] = []
        head.lastSeq += 1
        let mustReserve = head.lastSeq > head.reservedThrough
        if mustReserve {
            head.reservedThrough = (head.lastSeq - 1).addingClamped(Self.reservation)
            records.append(.head(head))
        }
        var point = point
        (point.seq, point.segment) = (head.lastSeq, head.segment)
        records.append(.point(point))
        let dropped = queue.append(point)
        if let dropped {
            head.counts.count(1, .dropped)
            records.append(.settled([dropped], .dropped))
        }
        self.head = head
        return (point.seq, dropped == nil ? 0 : 1, write(records, isForced: mustReserve))
    }

    /// Removes points that the server has settled. Returns their count, and the error if the disk was not updated. In
    /// that case the points are sent again, and the server's answer is the same.
    mutating func settle(_ seqs: Set<UInt32>, _ reason: SettledReason) -> (count: Int, failure: FixStoreError?) {
        let removed = queue.remove(seqs)
        head?.counts.count(removed.count, reason)
        return (removed.count, removed.isEmpty ? nil : write([.settled(removed, reason)]))
    }

    // MARK: - The disk

    private mutating func write(_ records: [RecordingRecord], isForced: Bool = false) -> FixStoreError? {
        guard journal != nil else { return nil }
        do throws(FixStoreError) {
            try journal?.append(records, isForced: isForced)
            if journal?.isWorthRewriting(for: queue.count) == true { try rewrite() }
            return nil
        } catch {
            return error
        }
    }

    private mutating func rewrite() throws(FixStoreError) {
        try journal?.rewrite((head.map { [.head($0)] } ?? []) + queue.fixes.map { .point($0) })
    }
}

extension UInt32 {
    fileprivate func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
