import Foundation
import Testing

/// The schema's text follows the rules (docs/protocol.md#values), and the recordings cover all of it.
@Suite struct SchemaTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/promised/v1")

    /// The lines of all files without their indentation.
    private static func lines() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let schema = files.filter { $0.pathExtension == "proto" }.sorted { $0.path < $1.path }
        try #require(!schema.isEmpty)
        return try schema.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// A field's declaration, such as `optional double uptime_ms = 3;`, options behind it or not.
    private static func field(in line: String) -> (type: String, name: String)? {
        guard !line.hasPrefix("//"),
            let match = line.wholeMatch(of: /(?:optional |repeated )?([\w.]+) (\w+) = \d+(?:;| \[.*)/)
        else {
            return nil
        }
        return (String(match.1), String(match.2))
    }

    /// The name in JSON: lowerCamelCase.
    private static func jsonName(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
    }

    @Test func `has no 64-bit integers and maps, and bytes only for pieces of files`() throws {
        let fields = try Self.lines().compactMap(Self.field)
        #expect(fields.count > 200)
        let allowed: Set = ["string", "bool", "double", "int32", "uint32", "google.protobuf.Timestamp"]
        for field in fields where field.type.first?.isLowercase == true {
            let isPiece = field.name == "data" && field.type == "bytes"
            #expect(allowed.contains(field.type) || isPiece, "\(field.name) is \(field.type)")
        }
    }

    @Test func `every field has a comment, except the branches of frames`() throws {
        let lines = try Self.lines()
        for (index, line) in lines.enumerated() {
            guard let field = Self.field(in: line), field.type.first?.isLowercase == true else { continue }
            #expect(lines[index - 1].hasPrefix("//"), "\(field.name) has no comment")
        }
    }

    @Test func `every enumeration is called Value and starts with unspecified`() throws {
        let lines = try Self.lines()
        for (index, line) in lines.enumerated() where line.hasPrefix("enum ") {
            #expect(line == "enum Value {")
            #expect(lines[index + 1] == "UNSPECIFIED = 0;")
        }
    }

    @Test func `every field occurs in a recording`() throws {
        var recorded: Set<String> = []
        for folder in ["requests", "replies", "events", "admin-forms", "admin-replies"] {
            for name in try Golden.names(in: folder) where name.hasSuffix(".json") {
                let text = try Golden.read("\(folder)/\(name)")
                collectKeys(of: try JSONSerialization.jsonObject(with: Data(text.utf8)), into: &recorded)
            }
        }
        let declared = Set(try Self.lines().compactMap(Self.field).map { Self.jsonName($0.name) })
        #expect(declared.subtracting(recorded).sorted() == [])
        #expect(recorded.subtracting(declared).sorted() == [])
    }

    private func collectKeys(of value: Any, into keys: inout Set<String>) {
        if let object = value as? [String: Any] {
            keys.formUnion(object.keys)
            for child in object.values { collectKeys(of: child, into: &keys) }
        } else if let list = value as? [Any] {
            for child in list { collectKeys(of: child, into: &keys) }
        }
    }
}
