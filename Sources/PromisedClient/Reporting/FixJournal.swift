internal import PromisedWire

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file that keeps fixes over a restart: records are appended, and from time to time it is written anew.
///
/// What was appended survives a killed process. It is not forced to the disk: a device that loses power starts over
/// anyway, with another run of its monotonic clock.
struct FixJournal {
    private let path: String
    /// Held for as long as the journal is open.
    private let guardFile: FileBytes
    private var file: FileBytes?
    private var length = 0
    private var recordCount = 0

    /// Opens the journal of a directory, which is made if its parent is there.
    ///
    /// - Returns: the journal, not yet writable before ``rewrite(_:_:)``, and what it says.
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

    /// Whether the file is mostly history.
    func isWorthRewriting(for fixCount: Int) -> Bool { recordCount > 4 * fixCount + 1_000 }

    /// Writes the file anew, with what counts now.
    mutating func rewrite(_ head: JournalHead, _ fixes: [WireFix]) throws(FixStoreError) {
        let records = [JournalRecord.head(head)] + fixes.map { .fix($0) }
        let bytes = records.flatMap { $0.bytes ?? [] }
        let fresh = try FileBytes(path + ".new", flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        try fresh.append(bytes)
        try FileBytes.replace(path, by: path + ".new")
        (file, length, recordCount) = (fresh, bytes.count, records.count)
    }

    /// Appends records in one write.
    mutating func append(_ records: [JournalRecord]) throws(FixStoreError) {
        guard let file else { return }
        let bytes = records.flatMap { $0.bytes ?? [] }
        do throws(FixStoreError) {
            try file.append(bytes)
        } catch {
            // Half a record would hide all that come after it.
            try file.truncate(to: length)
            throw error
        }
        length += bytes.count
        recordCount += records.count
    }
}
