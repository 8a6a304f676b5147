internal import PromisedProtocol

/// The content of a store's journal.
///
/// After a power loss a device begins another run of its monotonic clock, and so another boot for its numbers: appended
/// fixes need not be forced to the disk. The rewritten file is forced, because it holds the device's name.
struct JournalContents: Sendable {
    private(set) var head: JournalHead?
    private(set) var end = JournalEnd.whole
    /// Ascending by `seq`.
    private(set) var fixes: [WireFix] = []

    /// Reads up to the first invalid record; never fails.
    init(_ bytes: [UInt8]) {
        var reader = JournalReader<JournalRecord>(bytes)
        var settled: Set<UInt32> = []
        while let record = reader.next() {
            switch record {
            case .head(let head): self.head = head
            case .settled(let seqs): settled.formUnion(seqs)
            case .fix(let fix):
                // This type writes only rising numbers.
                guard let last = head?.lastSeq, fix.seq > fixes.last?.seq ?? 0 else { continue }
                head?.lastSeq = max(last, fix.seq)
                fixes.append(fix)
            }
        }
        fixes.removeAll { settled.contains($0.seq) }
        end = head == nil ? .corrupt : reader.end
    }
}
