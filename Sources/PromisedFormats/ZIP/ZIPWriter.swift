package import PromisedDomain

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3.3) of stored entries as a stream.
///
/// ```
/// between ── begin ─▶ inside ── append ─▶ inside ── end ─▶ between ── finish ─▶ finished
/// ```
///
/// Nothing is compressed: photos are already, and the rest is small beside them. Sizes and checksums follow the bytes of an
/// entry (APPNOTE §4.3.9), so nothing need be known beforehand; ``add(_:_:modified:into:)`` puts them in front, for programs
/// that read an archive from its start. The writer keeps the directory alone, some 46 bytes and the name for each entry.
/// No ZIP64: an archive has less than 4 GiB and at most 65,535 entries.
package struct ZIPWriter: Sendable {
    /// The bytes that the archive may have, its directory included.
    package let limit: UInt64
    /// The bytes written so far.
    private var offset: UInt64 = 0
    /// The central directory of the entries that have ended.
    private var directory: [UInt8] = []
    private var names: Set<String> = []
    /// The entry that is open; nil between entries.
    private var entry: ZIPEntry?

    /// A writer at the start of an archive.
    ///
    /// - Parameter limit: the bytes that the archive may have, its directory included; above 4 GiB − 1 it is that.
    package init(limit: UInt64 = UInt64(UInt32.max)) { self.limit = min(limit, UInt64(UInt32.max)) }

    /// The bytes of the archive so far.
    package var count: UInt64 { offset }

    /// Begins an entry.
    ///
    /// - Parameters:
    ///   - name: a relative path with `/` between folders, of 1 to 255 bytes of UTF-8; written with flag 11 for UTF-8.
    ///   - modified: its date in UTC, kept to two seconds and to the years from 1980 to 2107.
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
        precondition(entry != nil, "begin an entry before its bytes")
        entry?.update(bytes)
        try write(bytes, reserving: rest, into: &output)
    }

    /// Ends the open entry.
    ///
    /// - Precondition: an entry is open.
    package mutating func end(into output: inout [UInt8]) throws(ZIPError) {
        guard let ended = entry else { preconditionFailure("begin an entry before its end") }
        entry = nil
        directory += ended.directoryRecord
        try write(ended.descriptor, reserving: rest, into: &output)
    }

    /// Adds an entry whose bytes are all there.
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
        try begin(known, into: &output)
        try write(bytes, reserving: rest, into: &output)
        try end(into: &output)
    }

    /// Ends the archive with its directory.
    ///
    /// - Precondition: no entry is open.
    package mutating func finish(into output: inout [UInt8]) throws(ZIPError) {
        precondition(entry == nil, "end the entry before the archive")
        let start = offset
        let record = ZIPEntry.endRecord(entries: names.count, size: directory.count, offset: start)
        try write(directory + record, reserving: 0, into: &output)
    }

    private mutating func begin(_ entry: ZIPEntry, into output: inout [UInt8]) throws(ZIPError) {
        precondition(self.entry == nil, "end the entry before the next one")
        guard ZIPEntry.isAllowed(entry.name) else { throw .badName(entry.name) }
        guard names.count < Int(UInt16.max) else { throw .tooManyEntries }
        guard names.insert(entry.name).inserted else { throw .duplicateName(entry.name) }
        self.entry = entry
        try write(entry.header, reserving: rest, into: &output)
    }

    /// The bytes that it takes to end the open entry and the archive.
    private var rest: Int {
        let open = entry.map { $0.descriptor.count + $0.directoryRecord.count } ?? 0
        return open + directory.count + ZIPEntry.endRecordSize
    }

    /// Writes bytes if as many as `rest` can follow, so that an archive below its limit can always be finished.
    private mutating func write(_ bytes: [UInt8], reserving rest: Int, into output: inout [UInt8]) throws(ZIPError) {
        guard offset + UInt64(bytes.count) + UInt64(rest) <= limit else { throw .tooLarge(limit: limit) }
        output += bytes
        offset += UInt64(bytes.count)
    }
}
