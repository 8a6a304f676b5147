import Foundation
import Testing

/// `docs/threat-model.md`: every threat names the tests that show its defence, and every attack of
/// `scripts/torture hostile` stands beside a threat.
@Suite struct ThreatModelTests {
    /// Stands before the name of an attack of `scripts/torture hostile`, as the name of a suite does before a test.
    private static let attack = "hostile/"

    private static func rows() throws -> [CoverageTable.Row] {
        CoverageTable.all(in: try RepositoryText.read("docs/threat-model.md")).flatMap(\.rows)
    }

    /// The attacks that the scripts declare: functions of a trial. The first of all is no attack but the comparison.
    private static func attacks() throws -> Set<String> {
        var names: Set<String> = []
        for file in try RepositoryText.files(below: "Tests/Support/Torture/hostile", withExtension: "py") {
            let source = try String(contentsOf: file, encoding: .utf8)
            guard let list = source.firstMatch(of: /(?m)^ATTACKS = \[([\w, \n]+)\]/) else { continue }
            names.formUnion(list.1.matches(of: /\w+/).map { String($0.0) })
        }
        return names
    }

    @Test func `every threat has a defence and names a test or an attack`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 50)
        for row in rows { #expect(!row.tests.isEmpty && !row.isOpen, "\(row.name)") }
    }

    @Test func `every test and every attack that is named exists`() throws {
        let tests = try TestCatalogue.current().names
        // A row may name a suite as a whole.
        let suites = tests.compactMap { $0.split(separator: "/").first.map(String.init) }
        let known = tests.union(suites).union(try Self.attacks().map { Self.attack + $0 })
        for row in try Self.rows() {
            #expect(row.tests.filter { !known.contains($0) } == [], "\(row.name)")
        }
    }

    @Test func `every attack stands beside a threat`() throws {
        let named = Set(try Self.rows().flatMap(\.tests))
        let attacks = try Self.attacks()
        #expect(attacks.count > 30)
        #expect(attacks.filter { !named.contains(Self.attack + $0) }.sorted() == [])
    }
}
