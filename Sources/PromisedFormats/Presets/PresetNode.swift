import Yams

/// A part of a preset that knows its line.
///
/// Scalars are unchanged texts: `0001` remains `0001`.
struct PresetNode {
    private let node: Node

    /// The root of a YAML document.
    ///
    /// - Parameters:
    ///   - document: the kind of document, for errors.
    ///   - key: a key that every document of the kind has.
    /// - Throws: ``FormatError/badPreset(line:reason:)`` if it is not YAML, empty, or has a key twice in one mapping.
    init(yaml text: String, of document: String = "preset", with key: String = "fields") throws(FormatError) {
        do {
            guard let root = try Yams.compose(yaml: text) else {
                throw FormatError.badPreset(line: 0, reason: "the \(document) is empty: it needs \(key)")
            }
            node = root
        } catch let error as FormatError {
            throw error
        } catch {
            throw Self.fault(of: error, in: document)
        }
    }

    private init(_ node: Node) { self.node = node }

    private static func fault(of error: any Error, in document: String) -> FormatError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .badPreset(line: mark.line, reason: "the \(document) is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            .badPreset(line: context.mark.line, reason: "a mapping has \(keys.joined(separator: ", ")) twice")
        default: .badPreset(line: 0, reason: "the \(document) is not YAML in UTF-8")
        }
    }

    /// `true` for `key: value` pairs.
    var isMapping: Bool { node.mapping != nil }

    /// The text of a scalar that is not empty.
    func text() throws(FormatError) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw fault("a text is needed here") }
        return scalar.string
    }

    /// The texts of a list, or the one of a scalar; at least one.
    func texts() throws(FormatError) -> [String] {
        guard node.sequence != nil else { return [try text()] }
        var texts: [String] = []
        for element in try elements() { texts.append(try element.text()) }
        guard !texts.isEmpty else { throw fault("a list of at least one text is needed here") }
        return texts
    }

    /// A whole number from 1.
    func whole() throws(FormatError) -> Int {
        guard let number = Int(try text()), number > 0 else { throw fault("a whole number is needed here") }
        return number
    }

    /// `true` for `yes` and `true`.
    func isYes() throws(FormatError) -> Bool {
        switch try text().lowercased() {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw fault("yes or no is needed here")
        }
    }

    /// The elements of a list.
    func elements() throws(FormatError) -> [PresetNode] {
        guard let sequence = node.sequence else { throw fault("a list is needed here") }
        return sequence.map(PresetNode.init)
    }

    /// The pairs of a mapping in the order of the file.
    func entries() throws(FormatError) -> [(key: PresetNode, value: PresetNode)] {
        guard let mapping = node.mapping else { throw fault("pairs of key and value are needed here") }
        return mapping.map { (PresetNode($0.key), PresetNode($0.value)) }
    }

    /// The values of a mapping by key.
    ///
    /// - Throws: a fault with the allowed keys for any other key.
    func members(_ allowed: [String]) throws(FormatError) -> [String: PresetNode] {
        var members: [String: PresetNode] = [:]
        for (key, value) in try entries() {
            let name = try key.text()
            guard allowed.contains(name) else {
                throw key.fault("\(name) is unknown: use \(allowed.joined(separator: ", "))")
            }
            members[name] = value
        }
        return members
    }

    /// Reads the text by `body`; its errors get this line.
    @discardableResult
    func read<Value>(_ body: (String) throws(FormatError) -> Value) throws(FormatError) -> Value {
        let text = try text()
        do throws(FormatError) {
            return try body(text)
        } catch {
            throw fault(error.description)
        }
    }

    /// A fault at this line.
    func fault(_ reason: String) -> FormatError { .badPreset(line: node.mark?.line ?? 0, reason: reason) }
}
