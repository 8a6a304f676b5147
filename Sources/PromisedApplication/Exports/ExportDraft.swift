internal import Crypto
internal import Foundation
internal import PromisedAccess
package import PromisedDomain
internal import PromisedEngine
internal import PromisedFormats
internal import PromisedJournal
internal import PromisedStore

package enum ExportLimits {
    /// The longest time that an export may take.
    package static let longest = TimeSpan.minutes(15)
    /// The most bytes of an archive: for 500 MiB of photos, and five million points of about 150 bytes.
    static let mostBytes: UInt64 = 2_147_483_648
}

/// Why an export was abandoned.
enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It takes longer than ``ExportLimits/longest``.
    case tooLong
    /// The export is no longer in progress: the account was deleted, or some of the data it may contain, so that it
    /// restarts.
    case outdated

    /// A sentence for logs.
    var description: String {
        switch self {
        case .tooLong: "the export took more than \(ExportLimits.longest.seconds) s"
        case .outdated: "something of it was deleted"
        }
    }
}

/// An archive that is written to the storage: holds at most ``piece`` bytes and one item in memory.
struct ExportDraft {
    /// The number of bytes written to the storage at once.
    private static let piece = 1_048_576

    private let files: Files
    private let deadline: Instant
    private let modified: Instant
    private var export: GrowingExport
    private var zip: ZIPWriter
    private var digest = SHA256()
    private var waiting: [UInt8] = []
    private let encoder = JSONEncoder()

    /// - Throws: `unavailable` while the disk is too full.
    init(of pending: PendingExport, in files: Files) async throws {
        self.files = files
        modified = files.exports.clock.now
        deadline = modified + ExportLimits.longest
        export = try await files.exports.grow(pending)
        zip = ZIPWriter(limit: ExportLimits.mostBytes)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    // MARK: - Entries

    /// Adds an entry with these bytes.
    mutating func add(_ name: String, _ bytes: [UInt8]) async throws {
        try zip.add(name, bytes, modified: modified, into: &waiting)
        try await flush()
    }

    /// Adds an entry from pieces, which are generated one by one.
    mutating func add(_ name: String, pieces: some Sequence<[UInt8]>) async throws {
        try zip.begin(name, modified: modified, into: &waiting)
        for piece in pieces { try await append(piece) }
        zip.end(into: &waiting)
    }

    /// Adds an entry with one JSON value.
    mutating func encode(_ value: some Encodable, as name: String) async throws {
        try await add(name, Array(try encoder.encode(value)) + [UInt8(ascii: "\n")])
    }

    /// Adds an entry with a JSON array, one item per line, page by page.
    ///
    /// - Parameters:
    ///   - pages: reads the page after a cursor.
    ///   - items: creates the items of a page.
    mutating func list<Value: Sendable, Cursor: Sendable, Item: Encodable>(
        _ name: String,
        pages: (Cursor?) async throws -> Page<Value, Cursor>,
        items: ([Value]) async throws -> [Item]
    ) async throws {
        var list = try beginList(name)
        var cursor: Cursor?
        repeat {
            let page = try await pages(cursor)
            try await append(try await items(page.items), to: &list)
            cursor = page.next
        } while cursor != nil
        try await end(list)
    }

    /// A JSON array in progress.
    struct List {
        fileprivate let end: String
        fileprivate var isEmpty = true
    }

    /// Begins an entry with a JSON array.
    mutating func beginList(_ name: String) throws -> List {
        try zip.begin(name, modified: modified, into: &waiting)
        try zip.append(Array("[".utf8), into: &waiting)
        return List(end: "\n]\n")
    }

    /// Appends items to an array.
    mutating func append(_ items: [some Encodable], to list: inout List) async throws {
        for item in items {
            let line = (list.isEmpty ? "\n" : ",\n").utf8 + Array(try encoder.encode(item))
            list.isEmpty = false
            try await append(line)
        }
        // A page without items takes time, too.
        try check()
    }

    /// Begins an item whose last field is an array, which the caller fills and ends.
    ///
    /// - Parameters:
    ///   - item: the other fields, at least one.
    ///   - field: the name of the array.
    mutating func begin(_ item: some Encodable, _ field: String, in list: inout List) async throws -> List {
        let head = Array(try encoder.encode(item)).dropLast()
        try await append((list.isEmpty ? "\n" : ",\n").utf8 + head + Array(",\"\(field)\":[".utf8))
        list.isEmpty = false
        return List(end: "\n]}")
    }

    /// Ends an array inside an item.
    mutating func endItem(_ list: List) async throws { try await append(Array(list.end.utf8)) }

    /// Ends an array with its entry.
    mutating func end(_ list: List) async throws {
        try await append(Array(list.end.utf8))
        zip.end(into: &waiting)
    }

    // MARK: - Bytes

    private mutating func append(_ bytes: [UInt8]) async throws {
        try zip.append(bytes, into: &waiting)
        try await flush()
    }

    /// Writes the buffered bytes to the storage once they fill a piece.
    private mutating func flush() async throws {
        try check()
        if waiting.count >= Self.piece { try await store() }
    }

    private mutating func store() async throws {
        digest.update(data: waiting)
        guard try await files.exports.append(waiting, to: &export) else { throw ExportError.outdated }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Throws ``ExportError/tooLong`` after the deadline, and `CancellationError` when the server stops.
    func check() throws {
        try Task.checkCancellation()
        if files.exports.clock.now >= deadline { throw ExportError.tooLong }
    }

    /// Completes the archive and turns it into the export's file.
    ///
    /// - Returns: the file.
    /// - Throws: ``ExportError/outdated``.
    mutating func finish() async throws -> StoredFile {
        zip.finish(into: &waiting)
        try await store()
        let sha256 = Array(digest.finalize())
        guard let file = try await files.exports.finish(export, sha256: sha256, contentType: "application/zip") else {
            throw ExportError.outdated
        }
        return file
    }

    /// Deletes the written bytes.
    func abandon() async { await files.exports.abandon(export) }
}
