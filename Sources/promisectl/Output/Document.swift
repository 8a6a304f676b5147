import Foundation
import SwiftProtobuf

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
