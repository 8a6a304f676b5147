#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An entry of a ``Journal``.
protocol JournalEntry: Sendable {
    /// An upper bound of an entry's size. A small one distinguishes a broken length from a torn record.
    static var payloadLimit: Int { get }
    /// The entry's bytes without their frame; nil if it cannot be encoded.
    var payload: [UInt8]? { get }
    /// The entry of a payload with a valid checksum; nil if it is invalid.
    init?(payload: ArraySlice<UInt8>)
}

extension JournalEntry {
    /// The record in the file: the payload's length and its ``Checksum`` (four bytes each, low byte first), then the
    /// payload. Nil for an entry that cannot be encoded, or is too large.
    var bytes: [UInt8]? {
        guard let payload, payload.count <= Self.payloadLimit else { return nil }
        return UInt32(payload.count).littleEndianBytes + Checksum.of(payload).littleEndianBytes + payload
    }
}

/// A file that preserves a queue across restarts: records are appended, and the file is rewritten from time to time.
///
/// Appended records survive a killed process. They are forced to the disk only if the caller asks for it. A rewritten
/// file is always forced.
struct Journal<Entry: JournalEntry> {
    private let path: String
    /// Holds the lock while the journal is open.
    private let guardFile: FileBytes
    private var file: FileBytes?
    private var length = 0
    private var recordCount = 0

    /// Opens the journal `name` of a directory, which is created if its parent exists. Returns the journal, not yet
    /// writable before ``rewrite(_:)``, and its bytes.
    static func open(_ name: String, in directory: String) throws(FixStoreError) -> (Journal, [UInt8]) {
        try FileBytes.makeDirectory(directory)
        let guardFile = try FileBytes(directory + "/\(name).lock", flags: O_RDWR | O_CREAT)
        try guardFile.lock()
        let journal = Journal(path: directory + "/\(name).journal", guardFile: guardFile)
        return (journal, try FileBytes.contentsIfThere(of: journal.path))
    }

    private init(path: String, guardFile: FileBytes) {
        self.path = path
        self.guardFile = guardFile
    }

    /// `true` if the file is mostly obsolete, or missing.
    func isWorthRewriting(for count: Int) -> Bool { file == nil || recordCount > 4 * count + 1_000 }

    /// Moves the file aside before it is rewritten, replacing one moved aside earlier. Returns its new path.
    func setAside() throws(FixStoreError) -> String {
        try FileBytes.replace(path + ".damaged", by: path)
        return path + ".damaged"
    }

    /// Rewrites the file with the current content.
    mutating func rewrite(_ entries: [Entry]) throws(FixStoreError) {
        // If this fails, the next append does not retry at once.
        recordCount = 0
        let bytes = entries.flatMap { $0.bytes ?? [] }
        let fresh = try FileBytes(path + ".new", flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        try fresh.append(bytes)
        try fresh.force()
        try FileBytes.replace(path, by: path + ".new")
        (file, length, recordCount) = (fresh, bytes.count, entries.count)
    }

    /// Appends records in one write; does nothing without a file, which is then worth rewriting.
    ///
    /// - Parameter isForced: `true` to return only once the records, and all before them, are on the disk.
    mutating func append(_ entries: [Entry], isForced: Bool = false) throws(FixStoreError) {
        guard let file else { return }
        let bytes = entries.flatMap { $0.bytes ?? [] }
        do throws(FixStoreError) {
            try file.append(bytes)
        } catch {
            try cutOff(file)
            throw error
        }
        length += bytes.count
        recordCount += entries.count
        if isForced { try file.force() }
    }

    /// Truncates half a record, which would hide all later ones; removes the file if that fails.
    private mutating func cutOff(_ file: FileBytes) throws(FixStoreError) {
        do throws(FixStoreError) {
            try file.truncate(to: length)
        } catch {
            self.file = nil
            throw error
        }
    }
}

/// The state of a journal's end.
enum JournalEnd: Hashable, Sendable {
    /// The journal ends after a whole record.
    case whole
    /// The journal ends within a record: the process was killed during the write, and the record was never used.
    case torn
    /// Any other fault: some records may be unknown.
    case corrupt
}

/// Reads a journal's entries up to the first invalid record; never fails.
struct JournalReader<Entry: JournalEntry> {
    /// Each record begins with its length and its checksum.
    static var frameLength: Int { 8 }

    /// Valid after the last entry.
    private(set) var end = JournalEnd.whole
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The number of bytes after the last valid record.
    var lostCount: Int { rest.count }

    mutating func next() -> Entry? {
        guard !rest.isEmpty else { return nil }
        guard rest.count >= Self.frameLength else { return broken(.torn) }
        let length = Int(UInt32(littleEndianBytes: rest))
        let check = UInt32(littleEndianBytes: rest.dropFirst(4))
        guard (1...Entry.payloadLimit).contains(length) else { return broken(.corrupt) }
        let payload = rest.dropFirst(Self.frameLength).prefix(length)
        guard payload.count == length else { return broken(.torn) }
        guard Checksum.of(payload) == check, let entry = Entry(payload: payload) else { return broken(.corrupt) }
        rest = rest[payload.endIndex...]
        return entry
    }

    private mutating func broken(_ end: JournalEnd) -> Entry? {
        self.end = end
        return nil
    }
}
