import Foundation
import PromisedServer
import Testing

/// The product's licence files name exactly the packages that are linked into its programs.
@Suite struct LicenceTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The packages resolved by the build, including those of dependencies.
    private static func packages() throws -> [String] {
        struct Resolved: Decodable {
            struct Pin: Decodable { var identity: String }
            var pins: [Pin]
        }
        let data = try Data(contentsOf: root.appendingPathComponent("Package.resolved"))
        return try JSONDecoder().decode(Resolved.self, from: data).pins.map(\.identity)
    }

    @Test(arguments: ["NOTICE", "packaging/copyright"])
    func `names every linked package`(path: String) throws {
        let words = Set(try Self.text(of: path).split(whereSeparator: \.isWhitespace).map(String.init))
        let packages = try Self.packages()
        #expect(packages.count > 10)
        #expect(Set(packages).subtracting(words) == [])
    }

    @Test func `names no package that is not linked`() throws {
        let lines = try Self.text(of: "NOTICE").split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("Package ") }.dropFirst().prefix { !$0.isEmpty }
        let named = table.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(named == (try Self.packages()).sorted())
    }

    @Test func `the package grants the licence of the repository`() throws {
        #expect(try Self.text(of: "LICENSE").contains("Apache License\n                           Version 2.0"))
        let paragraph = try Self.text(of: "packaging/copyright").components(separatedBy: "\n\n").first {
            $0.hasPrefix("Files: *\n")
        }
        #expect(try #require(paragraph).hasSuffix("License: Apache-2.0"))
    }

    @Test func `the changelog has this version and a section for the next`() throws {
        let changelog = try Self.text(of: "CHANGELOG.md")
        let headings = changelog.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## Unreleased")
        #expect(headings.contains { $0.hasPrefix("## \(ProductVersion.text) - ") })
    }
}
