/// Finds requests in a text that omit a truth value, although readers need not know that it is then false.
struct UnsaidFlags {
    /// The truth values of each request that has any, by the request's name; except optional ones, which may be absent.
    private let flags: [(request: String, fields: [String])]

    init(schema: ProtoSchema) {
        let requests = schema.requests + schema.branches(of: "AdminRequest")
        flags = requests.compactMap { request in
            guard case .message(let name) = request.type else { return nil }
            let fields = schema.message(named: name)?.fields.filter { $0.type == .flag && !$0.isOptional } ?? []
            return fields.isEmpty ? nil : (request.name, fields.map(\.name))
        }
    }

    /// The missing fields with their requests, such as `respond lacks accept`, in the order of the schema.
    func frames(in text: String) -> [String] {
        flags.flatMap { request, fields in
            Self.objects(named: request, in: text).flatMap { object in
                fields.filter { !object.contains("\"\($0)\"") }.map { "\(request) lacks \($0)" }
            }
        }
    }

    /// The JSON objects under a name.
    private static func objects(named name: String, in text: String) -> [Substring] {
        text.ranges(of: "\"\(name)\"").compactMap { range in
            let rest = text[range.upperBound...].drop { $0.isWhitespace }
            guard rest.first == ":" else { return nil }
            let object = rest.dropFirst().drop { $0.isWhitespace }
            return object.first == "{" ? Self.object(object) : nil
        }
    }

    /// An object up to its closing brace.
    private static func object(_ text: Substring) -> Substring {
        var depth = 0
        var isString = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isString {
                if character == "\"", !isEscaped { isString = false }
                isEscaped = character == "\\" && !isEscaped
                continue
            }
            switch character {
            case "\"": isString = true
            case "{": depth += 1
            case "}": depth -= 1
            default: break
            }
            if depth == 0 { return text[...index] }
        }
        return text
    }
}
