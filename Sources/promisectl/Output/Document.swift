import Foundation
import SwiftProtobuf

extension String {
    /// The text on one line, without what could move the cursor or change what stands elsewhere: others chose it.
    ///
    /// Control characters and those that turn the direction of text become U+FFFD, line ends become spaces.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map(Self.printable)))
    }

    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}

/// What a command has to tell, before it is known to whom.
struct Report: Sendable {
    /// For people, without a line end after the last line; empty when there is nothing to tell.
    let text: @Sendable (Style) -> String
    /// For machines.
    let document: Document
    /// For machines, one for each thing found; nil when the document is one thing.
    let items: [Document]?
    /// What the program ends with.
    let status: ExitStatus

    /// A report.
    init(
        _ document: Document,
        items: [Document]? = nil,
        status: ExitStatus = .done,
        text: @escaping @Sendable (Style) -> String
    ) {
        self.document = document
        self.items = items
        self.status = status
        self.text = text
    }
}

/// A JSON document for machines.
///
/// Most are messages of the protocol, in its canonical JSON: what holds its default is left out.
struct Document: Sendable {
    private let write: @Sendable () throws -> String

    /// A message of the protocol.
    init(_ message: some Message) {
        write = { try message.jsonString() }
    }

    /// Something of this program's own; keys stand in alphabetical order.
    init(_ value: some Encodable & Sendable) {
        write = {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }

    /// The document on one line.
    func json() throws(Failure) -> String {
        do {
            return try write()
        } catch {
            throw .refused("the server's answer cannot be written as JSON: \(error)")
        }
    }
}

/// Paths from the command line as others can use them.
enum AbsolutePath {
    /// A path without `.` and `..`; a relative one begins in this process's folder.
    static func of(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
