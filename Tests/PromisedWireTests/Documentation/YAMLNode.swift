/// A YAML document in the making, with its parts in the order in which they are written.
indirect enum YAMLNode: Hashable, Sendable {
    /// A key and its value.
    struct Entry: Hashable, Sendable {
        var key: String
        var value: YAMLNode
    }

    case text(String)
    case number(Double)
    case flag(Bool)
    /// A value in JSON, on one line, which YAML calls flow style.
    case json(String)
    case list([YAMLNode])
    case map([Entry])

    /// The value of a key; nil if it is absent or this is not a map.
    subscript(key: String) -> YAMLNode? {
        entries.first { $0.key == key }?.value
    }

    /// The entries of a map; empty for other nodes.
    var entries: [Entry] {
        guard case .map(let entries) = self else { return [] }
        return entries
    }

    /// The items of a list; empty for other nodes.
    var items: [YAMLNode] {
        guard case .list(let items) = self else { return [] }
        return items
    }

    /// The number; nil for other nodes.
    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The text; nil for other nodes.
    var string: String? {
        guard case .text(let string) = self else { return nil }
        return string
    }

    /// A map of the pairs, in their order.
    static func map(_ pairs: [(String, YAMLNode)]) -> YAMLNode {
        .map(pairs.map { Entry(key: $0.0, value: $0.1) })
    }

    /// A reference to another part of the document.
    static func reference(_ path: String) -> YAMLNode { ["$ref": .text("#/\(path)")] }

    /// This map followed by another's entries.
    func adding(_ other: YAMLNode) -> YAMLNode { .map(entries + other.entries) }

    /// This map with another's entries, which replace those of the same keys.
    func overlaid(by other: YAMLNode) -> YAMLNode {
        .map(entries.filter { other[$0.key] == nil } + other.entries)
    }

    /// Every reference anywhere inside, as written.
    var references: [String] {
        switch self {
        case .text, .number, .flag, .json: []
        case .list(let items): items.flatMap(\.references)
        case .map(let entries):
            entries.flatMap { $0.key == "$ref" ? [$0.value.string ?? ""] : $0.value.references }
        }
    }

    /// The target of a reference such as `#/components/schemas/Fix`; nil without one.
    func target(of reference: String) -> YAMLNode? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(self as YAMLNode?) { $0?[String($1)] }
    }
}

extension YAMLNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(arrayLiteral elements: YAMLNode...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, YAMLNode)...) { self = .map(elements) }
}
