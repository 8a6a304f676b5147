import Foundation

/// Any JSON, compared by its meaning: the order of keys and the form of numbers are irrelevant.
enum JSONValue: Hashable, Decodable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads a text with one value.
    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The value of a key; nil if it is absent or this is not an object.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The keys of an object, sorted; empty for other values.
    var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    /// The same without the members that are false.
    var withoutFalse: JSONValue {
        switch self {
        case .list(let items): .list(items.map(\.withoutFalse))
        case .object(let members): .object(members.filter { $0.value != .flag(false) }.mapValues(\.withoutFalse))
        case .null, .flag, .number, .text: self
        }
    }
}
