/// The schema's messages as JSON Schemas of their canonical JSON.
///
/// ``FieldRule`` has the rules for fields of requests. No other fields are required, because defaults are omitted,
/// and additional ones are allowed, because unknown fields are ignored.
struct AsyncAPISchemas {
    private let schema: ProtoSchema
    /// The messages that occur in requests.
    private let asked: Set<String>

    init(_ schema: ProtoSchema) {
        self.schema = schema
        asked = schema.messages(inside: "ClientFrame")
    }

    /// A schema for each message and enumeration but the frames, under the message's name without dots.
    func all() -> [(String, YAMLNode)] {
        schema.messages.filter { $0.name != "ClientFrame" && $0.name != "ServerFrame" }.map { message in
            (Self.key(message.name), message.isEnumeration ? Self.enumeration(message) : object(message))
        }
    }

    /// An object with the members, some of them required.
    static func object(_ members: [(String, YAMLNode)], _ required: [String]) -> YAMLNode {
        let object: YAMLNode = ["type": "object", "properties": .map(members)]
        return required.isEmpty ? object : object.adding(["required": .list(required.map(YAMLNode.text))])
    }

    /// The schema of a message's field, with its comment.
    func value(of field: ProtoField, in message: String) -> YAMLNode {
        let rule = FieldRule(of: field, in: message) ?? .any
        let one = Self.type(field.type)
        let value: YAMLNode =
            field.isRepeated ? ["type": "array", "items": one.overlaid(by: rule.elements)] : one
        let comment = [field.comment, rule.note].filter { !$0.isEmpty }.joined(separator: " ")
        if comment.isEmpty { return value.overlaid(by: rule.keywords) }
        // In the JSON Schema of AsyncAPI's version a reference has no siblings.
        let described: YAMLNode = value["$ref"] == nil ? value : ["allOf": [value]]
        return described.overlaid(by: rule.keywords).adding(["description": .text(comment)])
    }

    /// The fields of requests with a text, a number or a list, which need a rule: `Fix.seq`.
    var asking: [(field: ProtoField, message: String)] {
        schema.messages.filter { asked.contains($0.name) }.flatMap { message in
            message.fields.filter { field in
                switch field.type {
                case .text, .bytes, .number, .signed, .unsigned: true
                case .flag, .instant, .enumeration, .message: field.isRepeated
                }
            }.map { ($0, message.name) }
        }
    }

    private func object(_ message: ProtoMessage) -> YAMLNode {
        let described: YAMLNode = message.comment.isEmpty ? [:] : ["description": .text(message.comment)]
        let members = message.fields.map { ($0.name, value(of: $0, in: message.name)) }
        let object = described.adding(Self.object(members, required(of: message)))
        let branches = message.fields.filter(\.isBranch).map(\.name)
        if !branches.isEmpty { return object.adding(["oneOf": Self.oneRequired(of: branches)]) }
        let alternatives = FieldRule.alternatives(in: message.name)
        return alternatives.isEmpty ? object : object.adding(["anyOf": Self.oneRequired(of: alternatives)])
    }

    private func required(of message: ProtoMessage) -> [String] {
        guard asked.contains(message.name) else { return [] }
        return message.fields.filter { field in
            !field.isOptional && FieldRule(of: field, in: message.name)?.isRequired == true
        }.map(\.name)
    }

    private static func oneRequired(of names: [String]) -> YAMLNode {
        .list(names.map { ["required": [.text($0)]] })
    }

    private static func enumeration(_ message: ProtoMessage) -> YAMLNode {
        let values = message.values.map { "\($0.name): \($0.comment)" }
        return [
            "description": .text(([message.comment] + values).joined(separator: "\n")),
            "type": "string",
            "enum": .list(message.values.map { .text($0.name) }),
        ]
    }

    private static func type(_ type: ProtoType) -> YAMLNode {
        switch type {
        case .text: ["type": "string"]
        case .bytes: ["type": "string", "contentEncoding": "base64"]
        case .flag: ["type": "boolean"]
        case .number: ["type": "number", "format": "double"]
        case .signed: integer("int32", Double(Int32.min)...Double(Int32.max))
        case .unsigned: integer("uint32", 0...Double(UInt32.max))
        case .instant: ["type": "string", "format": "date-time"]
        case .enumeration(let name), .message(let name): .reference("components/schemas/\(key(name))")
        }
    }

    private static func integer(_ format: YAMLNode, _ range: ClosedRange<Double>) -> YAMLNode {
        [
            "type": "integer", "format": format,
            "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ]
    }

    private static func key(_ name: String) -> String { name.replacing(".", with: "") }
}

extension ProtoSchema {
    /// The messages that occur inside another, at any depth.
    fileprivate func messages(inside name: String) -> Set<String> {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            for field in message(named: next)?.fields ?? [] {
                guard case .message(let inner) = field.type, found.insert(inner).inserted else { continue }
                open.append(inner)
            }
        }
        return found
    }
}
