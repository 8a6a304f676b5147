import Foundation

/// Cuts what comes from a pipe into lines.
struct LineSplitter: Sendable {
    private var rest = Data()

    /// The lines that are complete with these bytes; with none, which is the end, also what had no end of its own.
    mutating func add(_ bytes: Data) -> [String] {
        rest.append(bytes)
        var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = parts.popLast() ?? Data()
        rest = bytes.isEmpty ? Data() : Data(last)
        if bytes.isEmpty, !last.isEmpty { parts.append(last) }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
