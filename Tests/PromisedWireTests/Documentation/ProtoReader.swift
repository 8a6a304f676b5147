import Foundation

/// Reads `.proto` files in the form of our schema: one declaration a line, comments above it. Skips options of
/// fields, up to the line that ends them.
///
/// Any other text is an error, so that no field is missing in the documents.
struct ProtoReader {
    /// A line that could not be read.
    struct Unreadable: Error, Equatable {
        var area: String
        var line: String
    }

    /// The declaration that a brace has opened.
    private enum Scope: Equatable {
        case message(Int)
        case branches(of: Int)
        case enumeration(in: Int)
    }

    private let area: String
    private var scopes: [Scope] = []
    private var comment: [String] = []
    private var isInsideOptions = false
    private(set) var messages: [ProtoMessage] = []

    /// The schema of files given by name (without extension) and text, its types resolved.
    static func schema(of files: [(area: String, text: String)]) throws -> ProtoSchema {
        var schema = ProtoSchema()
        for file in files {
            var reader = ProtoReader(area: file.area)
            for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
                try reader.read(String(line.drop { $0 == " " }))
            }
            guard reader.scopes.isEmpty else { throw Unreadable(area: file.area, line: "(the end)") }
            schema.messages += reader.messages
        }
        return resolved(schema)
    }

    private init(area: String) {
        self.area = area
    }

    private mutating func read(_ line: String) throws {
        if isInsideOptions {
            isInsideOptions = !line.hasSuffix("];")
            return
        }
        if let text = line.wholeMatch(of: #/// ?(.*)/#) { return comment.append(String(text.1)) }
        defer { comment = [] }
        if line.isEmpty || line.firstMatch(of: #/^(syntax|package|import|option)\s/#) != nil { return }
        if line == "}", scopes.popLast() != nil { return }
        guard readOpening(line) || readField(line) || readValue(line) else { throw Unreadable(area: area, line: line) }
    }

    private mutating func readOpening(_ line: String) -> Bool {
        guard let match = line.wholeMatch(of: /(message|enum|oneof) (\w+) \{(\})?/) else { return false }
        switch (match.1, scopes.last) {
        case ("message", nil), ("message", .message):
            messages.append(ProtoMessage(name: fullName(String(match.2)), area: area, comment: joinedComment))
            if match.3 == nil { scopes.append(.message(messages.count - 1)) }
            return true
        case ("oneof", .message(let index)?) where match.3 == nil: scopes.append(.branches(of: index))
        case ("enum", .message(let index)?) where match.3 == nil: scopes.append(.enumeration(in: index))
        default: return false
        }
        return true
    }

    private mutating func readField(_ line: String) -> Bool {
        guard let match = line.wholeMatch(of: /(optional |repeated )?([\w.]+) (\w+) = \d+(;| \[.*\];| \[(.*\{)?)/)
        else {
            return false
        }
        isInsideOptions = !line.hasSuffix(";")
        var field = ProtoField(
            name: Self.jsonName(match.3),
            type: Self.type(match.2),
            isOptional: match.1 == "optional ",
            isRepeated: match.1 == "repeated ",
            comment: joinedComment
        )
        switch scopes.last {
        case .message(let index): messages[index].fields.append(field)
        case .branches(of: let index):
            field.isBranch = true
            messages[index].fields.append(field)
        case .enumeration, nil: return false
        }
        return true
    }

    private mutating func readValue(_ line: String) -> Bool {
        guard case .enumeration(in: let index)? = scopes.last, let match = line.wholeMatch(of: /([A-Z_]+) = (\d+);/)
        else { return false }
        if match.2 != "0" { messages[index].values.append(ProtoValue(name: String(match.1), comment: joinedComment)) }
        return true
    }

    private var joinedComment: String { comment.joined(separator: " ") }

    private func fullName(_ name: String) -> String {
        guard case .message(let index)? = scopes.last else { return name }
        return "\(messages[index].name).\(name)"
    }

    /// The name in JSON: lowerCamelCase.
    private static func jsonName(_ name: Substring) -> String {
        let words = name.split(separator: "_")
        return words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
    }

    private static func type(_ name: Substring) -> ProtoType {
        switch name {
        case "string": .text
        case "bytes": .bytes
        case "bool": .flag
        case "double": .number
        case "int32": .signed
        case "uint32": .unsigned
        case "google.protobuf.Timestamp": .instant
        case let name where name.hasSuffix(".Value"): .enumeration(String(name.dropLast(".Value".count)))
        default: .message(String(name))
        }
    }

    /// The same schema, with the full names of nested messages wherever they are used.
    private static func resolved(_ schema: ProtoSchema) -> ProtoSchema {
        var result = schema
        let names = Set(schema.messages.map(\.name))
        for (place, message) in schema.messages.enumerated() {
            for (index, field) in message.fields.enumerated() {
                guard case .message(let name) = field.type, names.contains("\(message.name).\(name)") else { continue }
                result.messages[place].fields[index].type = .message("\(message.name).\(name)")
            }
        }
        return result
    }
}
