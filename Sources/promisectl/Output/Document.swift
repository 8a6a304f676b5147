import Foundation
import SwiftProtobuf

/// A command's report, for any kind of reader.
struct Report: Sendable {
    /// For people, without a line break after the last line; may be empty.
    let text: @Sendable (Style) -> String
    /// For machines.
    let document: Document
    /// For machines, one document per item; nil if the report is one item.
    let items: [Document]?
    let status: ExitStatus

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

    /// A list: for people a table with a row per item.
    static func list<Item: Message>(
        _ reply: some Message,
        of items: [Item],
        _ columns: [Table.Column],
        whenEmpty: String,
        _ cells: @escaping @Sendable (Item) -> [Table.Cell]
    ) -> Report {
        Report(Document(reply), items: items.map { Document($0) }) { style in
            Table(columns, whenEmpty: whenEmpty, of: items, cells).text(style)
        }
    }
}

/// A JSON document for machines.
///
/// Most are messages of the protocol, in its canonical JSON: default values are omitted.
struct Document: Sendable {
    private let write: @Sendable () throws -> String

    /// A document that is generated when it is written.
    init(_ write: @escaping @Sendable () throws -> String) { self.write = write }

    init(_ message: some Message) { write = { try message.jsonString() } }

    /// A value of this program; keys are sorted.
    init(_ value: some Encodable & Sendable) {
        write = {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }

    func json() throws(Failure) -> String {
        do {
            return try write()
        } catch {
            throw .refused("the server's answer cannot be written as JSON: \(error)")
        }
    }
}

/// Paths from the command line in a form valid in other processes.
enum AbsolutePath {
    /// A path without `.` and `..`; a relative one is resolved in this process's folder.
    static func of(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
