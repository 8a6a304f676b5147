/// The schema's messages as JSON Schemas of their canonical JSON.
///
/// Nothing is required, as defaults are left out, and more is allowed, as unknown fields are ignored.
enum AsyncAPISchemas {
    /// A schema for each message and enumeration but the frames, under the message's name without dots.
    static func all(of schema: ProtoSchema) -> [(String, YAMLNode)] {
        schema.messages.filter { $0.name != "ClientFrame" && $0.name != "ServerFrame" }.map { message in
            (key(message.name), message.isEnumeration ? enumeration(message) : object(message))
        }
    }

    /// An object with the members, some of which must be there.
    static func object(_ members: [(String, YAMLNode)], _ required: [String]) -> YAMLNode {
        let object: YAMLNode = ["type": "object", "properties": .map(members)]
        return required.isEmpty ? object : object.adding(["required": .list(required.map(YAMLNode.text))])
    }

    /// What a field may hold, with its comment.
    static func value(of field: ProtoField) -> YAMLNode {
        let one = type(field.type)
        let value: YAMLNode = field.isRepeated ? ["type": "array", "items": one] : one
        if field.comment.isEmpty { return value }
        // In the JSON Schema of AsyncAPI's version a reference may have nothing beside it.
        let described: YAMLNode = value["$ref"] == nil ? value : ["allOf": [value]]
        return described.adding(["description": .text(field.comment)])
    }

    private static func object(_ message: ProtoMessage) -> YAMLNode {
        let described: YAMLNode = message.comment.isEmpty ? [:] : ["description": .text(message.comment)]
        let object = described.adding(object(message.fields.map { ($0.name, value(of: $0)) }, []))
        let branches = message.fields.filter(\.isBranch)
        if branches.isEmpty { return object }
        return object.adding(["oneOf": .list(branches.map { ["required": [.text($0.name)]] })])
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
        case .flag: ["type": "boolean"]
        case .number: ["type": "number", "format": "double"]
        case .signed: integer("int32", Int(Int32.min)...Int(Int32.max))
        case .unsigned: integer("uint32", 0...Int(UInt32.max))
        case .instant: ["type": "string", "format": "date-time"]
        case .enumeration(let name), .message(let name): .reference("components/schemas/\(key(name))")
        }
    }

    private static func integer(_ format: YAMLNode, _ range: ClosedRange<Int>) -> YAMLNode {
        [
            "type": "integer", "format": format,
            "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
        ]
    }

    private static func key(_ name: String) -> String { name.replacing(".", with: "") }
}
