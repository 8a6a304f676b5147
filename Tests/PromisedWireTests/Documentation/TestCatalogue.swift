import Foundation

/// The tests that the sources of the folders `Tests` and `Clients` declare.
struct TestCatalogue {
    /// `Suite/name of the test`.
    private(set) var names: Set<String> = []

    /// The tests of the repository.
    static func current() throws -> TestCatalogue {
        var catalogue = TestCatalogue()
        for folder in ["Tests", "Clients"] {
            for file in try RepositoryText.files(below: folder, withExtension: "swift") {
                catalogue.read(try String(contentsOf: file, encoding: .utf8))
            }
        }
        return catalogue
    }

    /// Adds the tests of one source: functions named in backticks after a `@Test`, inside the type that was declared
    /// last at the beginning of a line.
    mutating func read(_ source: String) {
        var suite = ""
        var isTest = false
        for line in source.split(separator: "\n") {
            if line.first?.isWhitespace == false, let type = Self.type(declaredBy: line) { suite = type }
            if line.hasPrefix("    @Test") { isTest = true }
            if isTest, let name = Self.name(in: line) {
                names.insert("\(suite)/\(name)")
                isTest = false
            }
        }
    }
    /// The type in a line such as `@Suite(.serialized) struct ReplayTests {`.
    private static func type(declaredBy line: Substring) -> String? {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let keyword = words.firstIndex { ["struct", "class", "enum", "actor", "extension"].contains($0) }
        return keyword.flatMap { words.indices.contains($0 + 1) ? String(words[$0 + 1]) : nil }
    }

    /// The name of a function such as ``func `it works`()``.
    private static func name(in line: Substring) -> String? {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0].hasSuffix("func ") ? String(parts[1]) : nil
    }
}
