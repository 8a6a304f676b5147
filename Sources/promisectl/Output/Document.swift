import Foundation
import SwiftProtobuf

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
