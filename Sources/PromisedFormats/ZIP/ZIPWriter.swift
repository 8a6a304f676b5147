package import PromisedDomain

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3.3) of stored entries as a stream.
///
/// ```
/// between ── begin ─▶ inside ── append ─▶ inside ── end ─▶ between ── finish ─▶ finished
/// ```
///
/// Entries are not compressed: photos already are, and the rest is small in comparison. Sizes and checksums follow the
/// bytes of an entry (APPNOTE section 4.3.9), so they need not be known beforehand; ``add(_:_:modified:into:)`` writes
/// them in the header, for programs that read an archive from its start. The writer stores only the directory, some 46
/// bytes and the name for each entry. No ZIP64: an archive has less than 4 GiB and at most 65,535 entries. The writer
/// reserves room for the end of the archive: a call that throws has written nothing, and the archive can still be ended
/// and finished.
package struct ZIPWriter: Sendable {
    /// The most bytes of the archive, its directory included.
    package let limit: UInt64
    /// The number of bytes written so far.
    private var offset: UInt64 = 0
    /// The central directory of the entries that have ended.
    private var directory: [UInt8] = []
    private var names: Set<String> = []
    /// The entry that is open; nil between entries.
    private var entry: ZIPEntry?

    /// A writer at the start of an archive.
    ///
    /// - Parameter limit: the most bytes of the archive, its directory included; from 22, the size of an empty one, to
    ///   4 GiB − 1; larger values are clamped.
    package init(limit: UInt64 = UInt64(UInt32.max)) {
        precondition(limit >= UInt64(ZIPEntry.endRecordSize), "an archive has at least 22 bytes")
        self.limit = min(limit, UInt64(UInt32.max))
    }

    /// The size of the archive so far, in bytes.
    package var count: UInt64 { offset }

    /// Begins an entry.
    ///
    /// - Parameters:
    ///   - name: a relative path with `/` between folders, of 1 to 255 bytes of UTF-8; written with flag 11 for UTF-8.
    ///   - modified: its date in UTC, stored to two seconds and within the years 1980 to 2107.
    /// - Precondition: no entry is open.
    package mutating func begin(
        _ name: String,
        modified: Instant,
        into output: inout [UInt8]
    ) throws(ZIPError) {
        try begin(ZIPEntry(name: name, date: ZIPDate(modified), offset: offset), into: &output)
    }

    /// Appends bytes to the open entry.
    ///
    /// - Precondition: an entry is open.
    package mutating func append(_ bytes: [UInt8], into output: inout [UInt8]) throws(ZIPError) {
        guard let open = entry else { preconditionFailure("begin an entry before its bytes") }
        try write(bytes, reserving: open.closingCount, into: &output)
        entry?.update(bytes)
    }

    /// Ends the open entry.
    ///
    /// - Precondition: an entry is open.
    package mutating func end(into output: inout [UInt8]) {
        guard let ended = entry else { preconditionFailure("begin an entry before its end") }
        entry = nil
        directory += ended.directoryRecord
        put(ended.descriptor, into: &output)
    }

    /// Adds an entry whose bytes are complete.
    ///
    /// - Precondition: no entry is open.
    package mutating func add(
        _ name: String,
        _ bytes: [UInt8],
        modified: Instant,
        into output: inout [UInt8]
    ) throws(ZIPError) {
        var known = ZIPEntry(name: name, date: ZIPDate(modified), offset: offset, isKnown: true)
        known.update(bytes)
        try begin(known, following: bytes.count, into: &output)
        put(bytes, into: &output)
        end(into: &output)
    }

    /// Ends the archive with its directory.
    ///
    /// - Precondition: no entry is open.
    package mutating func finish(into output: inout [UInt8]) {
        precondition(entry == nil, "end the entry before the archive")
        let record = ZIPEntry.endRecord(entries: names.count, size: directory.count, offset: offset)
        put(directory + record, into: &output)
    }

    private mutating func begin(
        _ next: ZIPEntry,
        following count: Int = 0,
        into output: inout [UInt8]
    ) throws(ZIPError) {
        precondition(entry == nil, "end the entry before the next one")
        guard ZIPEntry.isAllowed(next.name) else { throw .badName(next.name) }
        guard names.count < Int(UInt16.max) else { throw .tooManyEntries }
        guard !names.contains(next.name) else { throw .duplicateName(next.name) }
        try write(next.header, reserving: count + next.closingCount, into: &output)
        names.insert(next.name)
        entry = next
    }

    /// Writes bytes if the end of the entry, which has `closing` bytes, and the end of the archive fit after them.
    private mutating func write(_ bytes: [UInt8], reserving closing: Int, into output: inout [UInt8]) throws(ZIPError) {
        let rest = UInt64(bytes.count + closing + directory.count + ZIPEntry.endRecordSize)
        guard offset + rest <= limit else { throw .tooLarge(limit: limit) }
        put(bytes, into: &output)
    }

    private mutating func put(_ bytes: [UInt8], into output: inout [UInt8]) {
        output += bytes
        offset += UInt64(bytes.count)
    }
}
