internal import PromisedProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file that keeps fixes over a restart: records are appended, and from time to time it is written anew.
///
/// What was appended survives a killed process. It is not forced to the disk, for a device that loses power begins
/// another run of its monotonic clock, and numbers begin another boot with that. What is written anew is forced: the
/// device keeps its name.
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

    /// Whether the file is mostly history, or no file to append to.
    func isWorthRewriting(for fixCount: Int) -> Bool { file == nil || recordCount > 4 * fixCount + 1_000 }

    /// Writes the file anew, with what counts now.
    mutating func rewrite(_ head: JournalHead, _ fixes: [WireFix]) throws(FixStoreError) {
        // Should this fail, a while passes before it is tried again.
        recordCount = 0
        let records = [JournalRecord.head(head)] + fixes.map { .fix($0) }
        let bytes = records.flatMap { $0.bytes ?? [] }
        let fresh = try FileBytes(path + ".new", flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        try fresh.append(bytes)
        try fresh.force()
        try FileBytes.replace(path, by: path + ".new")
        (file, length, recordCount) = (fresh, bytes.count, records.count)
    }

    /// Appends records in one write; nothing while there is no file, which is worth rewriting then.
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

    /// Takes away half a record, which would hide all that come after it; or the file, if that cannot be.
    private mutating func cutOff(_ file: FileBytes) throws(FixStoreError) {
        do throws(FixStoreError) {
            try file.truncate(to: length)
        } catch {
            self.file = nil
            throw error
        }
    }
}
