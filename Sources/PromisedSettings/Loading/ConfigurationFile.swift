import Configuration
import Foundation
import Glibc
import PromisedConcurrency
import Yams

/// The content of a configuration file: its values as a layer, and its keys.
struct ConfigurationFile {
    /// The path as the operator wrote it.
    let path: String
    let layer: ConfigurationLayer
    /// Every dotted key that has a value, sorted, including empty sections.
    let keys: [String]
    /// The dotted keys of empty mappings in braces, such as `push: {}`.
    let emptyMappings: Set<String>
    private let lines: [String: Int]

    /// Reads a YAML file; it may be empty or consist of comments only. Throws ``ConfigurationError`` if it is
    /// unreadable or not a YAML mapping.
    init(path: String) throws(ConfigurationError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ConfigurationError([.unreadableFile(path: path, reason: Self.reason(of: path))])
        }
        try self.init(path: path, bytes: bytes)
    }

    /// Reads the bytes of a YAML file. Throws ``ConfigurationError`` if they are not a YAML mapping.
    init(path: String, bytes: Data) throws(ConfigurationError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ConfigurationError([.unreadableFile(path: path, reason: "is no text in UTF-8, and no YAML")])
        }
        let seen = Guarded<Set<String>>([])
        // The snapshot cannot list its keys, but asks for each one whether it is secret while parsing.
        let options = YAMLSnapshot.ParsingOptions(
            secretsSpecifier: .dynamic { key, _ in
                seen.withLock { keys in _ = keys.insert(key) }
                return false
            }
        )
        // The snapshot rejects a document without content, because it has no mapping.
        let yaml = Self.hasContent(bytes) ? bytes : Data("{}".utf8)
        do {
            let snapshot = try YAMLSnapshot(data: yaml.bytes, providerName: path, parsingOptions: options)
            layer = ConfigurationLayer(snapshot: snapshot, source: { .file(path: path, key: $0.key) })
        } catch {
            throw ConfigurationError([.unreadableFile(path: path, reason: "is not valid YAML: \(error)")])
        }
        self.path = path
        lines = YAMLLines.lines(of: String(decoding: bytes, as: UTF8.self))
        // The snapshot drops a mapping without values, and with it the keys around it.
        let empty = Self.emptyMappings(in: String(decoding: yaml, as: UTF8.self))
        emptyMappings = empty
        keys = seen.withLock { $0.union(empty).sorted() }
    }

    /// The line of a key, counted from 1; nil if unknown, for example in a section in braces.
    func line(of key: String) -> Int? { lines[key] }

    /// `true` if the section exists but is empty: in braces, or because all its lines are comments.
    func isEmptySection(_ key: String) -> Bool {
        if emptyMappings.contains(key) { return true }
        let name = AbsoluteConfigKey(ConfigKey(key))
        // A failure means that there is a list, which counts as content.
        let content = (try? layer.snapshot.value(forKey: name, type: .string))?.value?.content
        return content == .string("") || content == .string("~") || content == .string("null")
    }

    private static func emptyMappings(in yaml: String) -> Set<String> {
        // The snapshot, which has read the same text, reports a failure.
        guard let root = try? Yams.compose(yaml: yaml) else { return [] }
        var found: Set<String> = []
        func look(_ mapping: Node.Mapping, below path: [String]) {
            for (key, value) in mapping {
                guard let name = key.string, let inner = value.mapping else { continue }
                if inner.isEmpty { found.insert((path + [name]).joined(separator: ".")) }
                look(inner, below: path + [name])
            }
        }
        if let mapping = root.mapping { look(mapping, below: []) }
        return found
    }

    /// Why a file is unreadable, in the system's words: Foundation describes only some reasons.
    private static func reason(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return reason(errno) }
        defer { _ = close(descriptor) }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) < 0 ? reason(errno) : "cannot be read"
    }

    private static func reason(_ code: Int32) -> String {
        "cannot be read: \(String(cString: strerror(code))) (errno \(code))"
    }

    private static func hasContent(_ bytes: Data) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            let start = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
            return start != nil && start != UInt8(ascii: "#")
        }
    }
}

extension ConfigurationProblem {
    /// The problem with the line of the value in the file.
    func naming(linesOf file: ConfigurationFile?) -> ConfigurationProblem {
        func named(_ source: SettingSource) -> SettingSource {
            guard let file, case .file(let path, let key, nil) = source else { return source }
            return .file(path: path, key: key, line: file.line(of: key))
        }
        switch self {
        case .badValue(let key, let value, let source, let allowed):
            return .badValue(key: key, value: value, source: named(source), allowed: allowed)
        case .notOneValue(let key, let source, let allowed):
            return .notOneValue(key: key, source: named(source), allowed: allowed)
        case .conflict(let key, let value, let source, let reason):
            return .conflict(key: key, value: value, source: named(source), reason: reason)
        case .unknownKey(let key, let source, let suggestion):
            return .unknownKey(key: key, source: named(source), suggestion: suggestion)
        case .badOption, .unreadableFile: return self
        }
    }
}

/// Finds the lines of the keys in a YAML file; the parser does not report them.
enum YAMLLines {
    /// The line of each dotted key of a block mapping, counted from 1; the first line of a repeated key.
    static func lines(of text: String) -> [String: Int] {
        var lines: [String: Int] = [:]
        var sections: [(indent: Int, name: String)] = []
        // By bytes: a carriage return and a line feed are one character.
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = Substring(bytes)
            guard let (indent, name) = key(in: line) else { continue }
            while let last = sections.last, last.indent >= indent { sections.removeLast() }
            sections.append((indent, name))
            let dotted = sections.map(\.name).joined(separator: ".")
            if lines[dotted] == nil { lines[dotted] = index + 1 }
        }
        return lines
    }

    private static func key(in line: Substring) -> (indent: Int, name: String)? {
        let text = line.drop { $0 == " " }
        guard let first = text.first, first != "#", first != "-" else { return nil }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let after = text[text.index(after: colon)...].first
        guard after == nil || after?.isWhitespace == true else { return nil }
        let name = text[..<colon].filter { !"\"' ".contains($0) }
        return name.isEmpty ? nil : (line.count - text.count, name)
    }
}
