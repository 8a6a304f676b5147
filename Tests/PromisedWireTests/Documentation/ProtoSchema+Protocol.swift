import Foundation
import Testing

/// The schema's comments about requests and events, in the forms that the tests require.
extension ProtoSchema {
    /// The schema in the repository.
    static func current() throws -> ProtoSchema { try loaded.get() }

    /// Read once: the tests ask for it dozens of times.
    private static let loaded = Result {
        let files = try RepositoryText.files(below: "proto/promised/v1", withExtension: "proto")
        return try ProtoReader.schema(
            of: files.map { file in
                (file.deletingPathExtension().lastPathComponent, try String(contentsOf: file, encoding: .utf8))
            }
        )
    }

    /// The message of a field; throws for a field without one.
    func message(of field: ProtoField) throws -> ProtoMessage {
        guard case .message(let name) = field.type else { throw Missing(what: "a message for \(field.name)") }
        return try #require(message(named: name), "\(name) is not declared")
    }

    /// The reply that a request's comment promises, as in "Reply: `welcome`.".
    func reply(to request: ProtoField) throws -> String {
        let comment = try message(of: request).comment
        guard let match = comment.firstMatch(of: /Reply: `(\w+)`/) else {
            throw Missing(what: "the reply to \(request.name)")
        }
        return String(match.1)
    }

    /// How an event is delivered, by the first word of its comment.
    func kind(of event: ProtoField) throws -> EventKind {
        for kind in EventKind.allCases where event.comment.hasPrefix("\(kind.prefix): ") { return kind }
        throw Missing(what: "the kind of \(event.name)")
    }

    /// A missing declaration in the schema.
    struct Missing: Error, Equatable {
        var what: String
    }
}

/// How an event travels.
enum EventKind: String, CaseIterable {
    case durable
    case passing
    case toOneUser = "to one user"

    /// The first word of the comments of such events.
    var prefix: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
