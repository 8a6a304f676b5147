import PromisedCommandLine
import PromisedFormats
import PromisedProtocol
import SwiftProtobuf

/// The rows of one request, with their lines in the file.
struct PlaceBatch: Sendable {
    /// The line of each row, from 1.
    private(set) var lines: [Int] = []
    /// Labels of the rows for people.
    private(set) var labels: [RowLabel] = []
    private(set) var rows: [WirePlaceRow] = []
    /// The bytes of the rows in a request.
    private var bytes = 0

    /// The most rows of one request; the server refuses more.
    static let mostRows = 1_000
    /// The most bytes of rows in one request: the rest of a frame of 64 KiB is for its own fields.
    static let mostBytes = 65_536 - 256

    /// `true` if a row of that many bytes makes the request too large.
    fileprivate func isFull(for more: Int) -> Bool {
        !rows.isEmpty && (rows.count == Self.mostRows || bytes + more > Self.mostBytes)
    }

    fileprivate mutating func add(_ row: WirePlaceRow, line: Int, label: RowLabel, bytes more: Int) {
        rows.append(row)
        lines.append(line)
        labels.append(label)
        bytes += more
    }
}

/// Packs rows into requests, in order.
struct PlacePacker: Sendable {
    private var open = PlaceBatch()

    /// Adds a row.
    ///
    /// - Returns: the rows before it if they fill a request; nil if there is room for more.
    mutating func add(
        _ row: WirePlaceRow,
        line: Int,
        label: RowLabel = RowLabel()
    ) throws(Failure) -> PlaceBatch? {
        let bytes = try Self.bytes(of: row)
        var full: PlaceBatch?
        if open.isFull(for: bytes) { full = takeRest() }
        open.add(row, line: line, label: label, bytes: bytes)
        return full
    }

    /// The rows of an incomplete request; nil if there are none.
    mutating func takeRest() -> PlaceBatch? {
        guard !open.rows.isEmpty else { return nil }
        let rest = open
        open = PlaceBatch()
        return rest
    }

    /// Including the tag and the length, which take at most four bytes.
    private static func bytes(of row: WirePlaceRow) throws(Failure) -> Int {
        do {
            let encoded: [UInt8] = try row.serializedBytes()
            return encoded.count + 4
        } catch {
            throw .usage("the row \(row.ref.printable) cannot be sent: \(error)")
        }
    }
}
