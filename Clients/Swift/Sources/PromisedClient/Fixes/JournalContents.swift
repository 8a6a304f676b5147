internal import PromisedProtocol

/// What the bytes of a journal say.
struct JournalContents: Sendable {
    /// How the file ends.
    enum End: Hashable, Sendable {
        /// With a whole record.
        case whole
        /// Within a record: the process was killed while it wrote, so nobody saw what is missing.
        case torn
        /// With something else: numbers may have been given that are not known any more.
        case corrupt
    }

    private(set) var head: JournalHead?
    private(set) var end = End.whole
    /// Ascending by `seq`.
    private(set) var fixes: [WireFix] = []

    /// Reads until the first thing that is no record; never fails.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        var settled: Set<UInt32> = []
        while let record = next(&rest) {
            switch record {
            case .head(let head): self.head = head
            case .settled(let seqs): settled.formUnion(seqs)
            case .fix(let fix):
                // Numbers that do not rise are no writing of ours.
                guard let last = head?.lastSeq, fix.seq > fixes.last?.seq ?? 0 else { continue }
                head?.lastSeq = max(last, fix.seq)
                fixes.append(fix)
            }
        }
        fixes.removeAll { settled.contains($0.seq) }
        if head == nil { end = .corrupt }
    }

    private mutating func next(_ rest: inout ArraySlice<UInt8>) -> JournalRecord? {
        guard !rest.isEmpty else { return nil }
        guard rest.count >= JournalRecord.frameLength else { return broken(.torn) }
        let length = Int(UInt32(littleEndianBytes: rest))
        let check = UInt32(littleEndianBytes: rest.dropFirst(4))
        guard (1...JournalRecord.payloadLimit).contains(length) else { return broken(.corrupt) }
        let payload = rest.dropFirst(JournalRecord.frameLength).prefix(length)
        guard payload.count == length else { return broken(.torn) }
        guard Checksum.of(payload) == check, let record = JournalRecord(payload: payload) else {
            return broken(.corrupt)
        }
        rest = rest[payload.endIndex...]
        return record
    }

    private mutating func broken(_ end: End) -> JournalRecord? {
        self.end = end
        return nil
    }
}
