internal import PromisedProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file that keeps fixes over a restart: records are appended, and the file is rewritten from time to time.
///
/// Appended records survive a killed process. They are not forced to the disk: a device that loses power begins another
/// run of its monotonic clock, and with that another boot for its numbers. A rewritten file is forced: the device keeps
/// its name.
struct FixJournal {
    private let path: String
    /// Held for as long as the journal is open.
    private let guardFile: FileBytes
    private var file: FileBytes?
    private var length = 0
    private var recordCount = 0

    /// Opens the journal of a directory, which is created if its parent exists. Returns the journal, not yet writable
    /// before ``rewrite(_:_:)``, and its content.
    static func open(in directory: String) throws(FixStoreError) -> (FixJournal, JournalContents) {
        try FileBytes.makeDirectory(directory)
        let guardFile = try FileBytes(directory + "/fixes.lock", flags: O_RDWR | O_CREAT)
        try guardFile.lock()
        let journal = FixJournal(path: directory + "/fixes.journal", guardFile: guardFile)
        return (journal, JournalContents(try FileBytes.contentsIfThere(of: journal.path)))
    }

    private init(path: String, guardFile: FileBytes) {
        self.path = path
        self.guardFile = guardFile
    }

    /// `true` if the file is mostly obsolete, or missing.
    func isWorthRewriting(for fixCount: Int) -> Bool { file == nil || recordCount > 4 * fixCount + 1_000 }

    /// Rewrites the file with the current content.
    mutating func rewrite(_ head: JournalHead, _ fixes: [WireFix]) throws(FixStoreError) {
        // If this fails, it is not retried at once.
        recordCount = 0
        let records = [JournalRecord.head(head)] + fixes.map { .fix($0) }
        let bytes = records.flatMap { $0.bytes ?? [] }
        let fresh = try FileBytes(path + ".new", flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        try fresh.append(bytes)
        try fresh.force()
        try FileBytes.replace(path, by: path + ".new")
        (file, length, recordCount) = (fresh, bytes.count, records.count)
    }

    /// Appends records in one write; does nothing without a file, which is then worth rewriting.
    mutating func append(_ records: [JournalRecord]) throws(FixStoreError) {
        guard let file else { return }
        let bytes = records.flatMap { $0.bytes ?? [] }
        do throws(FixStoreError) {
            try file.append(bytes)
        } catch {
            try cutOff(file)
            throw error
        }
        length += bytes.count
        recordCount += records.count
    }

    /// Cuts off half a record, which would hide all later ones; or removes the file, if that fails.
    private mutating func cutOff(_ file: FileBytes) throws(FixStoreError) {
        do throws(FixStoreError) {
            try file.truncate(to: length)
        } catch {
            self.file = nil
            throw error
        }
    }
}

struct JournalContents: Sendable {
    enum End: Hashable, Sendable {
        /// After a whole record.
        case whole
        /// Within a record: the process was killed during the write, and the record was never used.
        case torn
        /// Anything else: some assigned numbers may be unknown.
        case corrupt
    }

    private(set) var head: JournalHead?
    private(set) var end = End.whole
    /// Ascending by `seq`.
    private(set) var fixes: [WireFix] = []

    /// Reads up to the first invalid record; never fails.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        var settled: Set<UInt32> = []
        while let record = next(&rest) {
            switch record {
            case .head(let head): self.head = head
            case .settled(let seqs): settled.formUnion(seqs)
            case .fix(let fix):
                // Numbers that do not rise were not written by this type.
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
