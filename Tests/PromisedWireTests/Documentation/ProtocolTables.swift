import PromisedProtocol

/// The generated parts of `docs/reference.md`.
enum ProtocolTables: String, CaseIterable {
    case requests
    case administration
    case events
    case messages
    case enumerations
    case errors
    case closes

    /// The part's Markdown.
    func markdown(_ schema: ProtoSchema) throws -> String {
        switch self {
        case .requests: try Self.requests(schema, of: schema.requests, headed: "request")
        case .administration: try Self.requests(schema, of: schema.branches(of: "AdminRequest"), headed: "form")
        case .events: try Self.events(schema)
        case .messages: try Self.messages(schema)
        case .enumerations: Self.enumerations(schema)
        case .errors: Self.errorCodes
        case .closes: Self.closeCodes
        }
    }

    // MARK: - From the schema

    private static func requests(
        _ schema: ProtoSchema,
        of requests: [ProtoField],
        headed head: String
    ) throws -> String {
        let rows = try requests.map { request in
            let message = try schema.message(of: request)
            // The forms have a separate table.
            let fields = message.name == "AdminRequest" ? "one of the [forms](#administration)" : fieldList(message)
            return [code(request.name), fields, code(try schema.reply(to: request))]
        }
        return table([head, "fields", "reply"], rows)
    }

    private static func events(_ schema: ProtoSchema) throws -> String {
        let rows = try schema.events.map { event in
            let kind = try schema.kind(of: event)
            return [
                code(event.name), fieldList(try schema.message(of: event)), kind.rawValue,
                sentence(String(event.comment.dropFirst(kind.prefix.count + 2))),
            ]
        }
        return table(["event", "fields", "kind", "what happened"], rows)
    }

    /// Every message that replies, events or other messages contain, with its fields, by the file that describes it; except
    /// those of administrators' replies. The fields of requests, forms and events are in the tables above.
    private static func messages(_ schema: ProtoSchema) throws -> String {
        let asked = schema.requests + schema.branches(of: "AdminRequest")
        let above = Set(try asked.map { try schema.message(of: $0).name })
        let shown = schema.messages.filter { message in
            !message.isEnumeration && !message.fields.isEmpty && !message.fields.contains(where: \.isBranch)
                && !above.contains(message.name) && !message.name.hasPrefix("Event.") && !isOfAdministrators(message)
        }
        return Dictionary(grouping: shown, by: \.area).sorted { $0.key < $1.key }.map { area, messages in
            let rows = messages.map { [code($0.name), fieldList($0)] }
            let heading = "### [\(sentence(area))](../proto/promised/v1/\(area).proto)"
            return "\(heading)\n\n\(table(["message", "fields"], rows))"
        }.joined(separator: "\n\n")
    }

    private static func enumerations(_ schema: ProtoSchema) -> String {
        let shown = schema.messages.filter { $0.isEnumeration && !isOfAdministrators($0) }
        let rows = shown.map { message in
            let values = message.values.map { "\(code($0.name)) \($0.comment)" }
            return ["\(code(message.name)) \(message.comment)", values.joined(separator: " ")]
        }
        return table(["enumeration", "values"], rows)
    }

    private static func isOfAdministrators(_ message: ProtoMessage) -> Bool { message.name.hasPrefix("Admin") }

    // MARK: - From the codes

    private static var errorCodes: String {
        table(
            ["code", "retry", "sentence"],
            ErrorCode.allCases.map { error in
                [code(error.rawValue), error.retry == .never ? "" : error.retry.rawValue, error.sentence]
            }
        )
    }

    private static var closeCodes: String {
        table(
            ["code", "name", "come back?", "sentence"],
            CloseCode.allCases.map { close in
                ["\(close.rawValue)", code("\(close)"), close.mayReconnect ? "yes" : "no", close.sentence]
            }
        )
    }

    // MARK: - Markdown

    private static func fieldList(_ message: ProtoMessage) -> String {
        message.fields.isEmpty ? "–" : code(message.fields.map { $0.name + typeText($0) }.joined(separator: ", "))
    }

    /// A type in the tables' form after a name: empty for a text, ` Place`, ` [Fix]`; `?` if absence is a value. The schema
    /// has the sizes and signs of numbers.
    private static func typeText(_ field: ProtoField) -> String {
        let name =
            switch field.type {
            case .text: "string"
            case .bytes: "bytes"
            case .flag: "bool"
            case .number: "number"
            case .signed, .unsigned: "int"
            case .instant: "time"
            case .enumeration(let name), .message(let name): name
            }
        if field.isRepeated { return " [\(name)]" }
        return (field.type == .text ? "" : " \(name)") + (field.isOptional ? "?" : "")
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = ([head] + rows).map { cells in
            cells.reduce("|") { line, cell in
                line + (cell.isEmpty ? " |" : " \(cell.replacing("|", with: "\\|")) |")
            }
        }
        let rule = "|" + head.map { _ in "---|" }.joined()
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func code(_ text: String) -> String { "`\(text)`" }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
