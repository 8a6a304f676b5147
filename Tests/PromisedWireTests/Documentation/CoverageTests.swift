import PromisedProtocol
import Testing

/// `docs/coverage.md`: every row of the protocol and every rule of the domain names the tests that prove it.
@Suite struct CoverageTests {
    private static func tables() throws -> [CoverageTable] {
        CoverageTable.all(in: try RepositoryText.read("docs/coverage.md"))
    }

    /// The paths that the server answers over plain HTTP; the last two stand for everything else.
    private static let paths = [
        "/", "/assets/…", "/healthz", "/readyz", "/metrics", "/version", "any other path", "any other method",
    ]

    /// The names that must have a row under each heading of the protocol's half.
    private static func protocolRows() throws -> [(title: String, names: [String])] {
        let schema = try ProtoSchema.current()
        return [
            ("Requests", schema.requests.map(\.name)),
            ("Events", schema.events.map(\.name)),
            ("Error codes", ErrorCode.allCases.map(\.rawValue)),
            ("Close codes", CloseCode.allCases.map { "\($0.rawValue)" }),
            ("HTTP", paths),
        ]
    }

    @Test func `every row of the protocol has an entry, in the order of the schema, and there is no other`() throws {
        let tables = try Self.tables()
        for expected in try Self.protocolRows() {
            let table = try #require(tables.first { $0.title == expected.title }, "no table \(expected.title)")
            #expect(table.rows.map(\.name) == expected.names, "the rows of \(expected.title)")
        }
    }

    @Test(arguments: 2...18)
    func `every section of the domain has its rules, numbered in order`(section: Int) throws {
        let table = try #require(try Self.tables().first { $0.title.hasPrefix("\(section). ") })
        #expect(table.rows.count >= 3)
        #expect(table.rows.map(\.name) == (1...table.rows.count).map { "\(section).\($0)" })
    }

    @Test func `every row names a test or says that it is open`() throws {
        for table in try Self.tables() {
            for row in table.rows { #expect(row.isSound, "\(row.name) of \(table.title)") }
        }
    }

    @Test func `every row of the protocol is proven`() throws {
        let titles = Set(try Self.protocolRows().map(\.title))
        let rows = try Self.tables().filter { titles.contains($0.title) }.flatMap(\.rows)
        #expect(rows.filter(\.isOpen).map(\.name) == [])
    }

    @Test func `every rule of the domain is proven`() throws {
        let titles = Set(try Self.protocolRows().map(\.title))
        let rows = try Self.tables().filter { !titles.contains($0.title) }.flatMap(\.rows)
        #expect(rows.filter(\.isOpen).map(\.name) == [])
    }

    @Test func `every test that is named exists`() throws {
        let catalogue = try TestCatalogue.current()
        for table in try Self.tables() {
            for row in table.rows {
                let missing = row.tests.filter { !catalogue.names.contains($0) }
                #expect(missing == [], "\(row.name) of \(table.title)")
            }
        }
    }

    // MARK: - The machinery

    @Test func `a table is read with its tests and what is open`() {
        let tables = CoverageTable.all(
            in: """
                # Title

                ## Requests

                | request | proven by |
                |---|---|
                | `hello` | `A/b c`<br>`D/e` |
                | `dance` | open |
                | `sing` | |
                """
        )
        #expect(tables.map(\.title) == ["Requests"])
        #expect(
            tables.first?.rows == [
                CoverageTable.Row(name: "hello", tests: ["A/b c", "D/e"], isOpen: false),
                CoverageTable.Row(name: "dance", tests: [], isOpen: true),
                CoverageTable.Row(name: "sing", tests: [], isOpen: false),
            ]
        )
        #expect(tables.first?.rows.map(\.isSound) == [true, true, false])
    }

    @Test func `tests are found under their suites`() {
        var catalogue = TestCatalogue()
        catalogue.read(
            """
            @Suite(.timeLimit(.minutes(1))) struct One {
                @Test func `first thing`() {}
                @Test(
                    arguments: [1]
                )
                func `second thing`(number: Int) {}
                func `no test`() {}
            }
            extension Two {
                @Test func `third`() {}
            }
            """
        )
        #expect(catalogue.names == ["One/first thing", "One/second thing", "Two/third"])
    }

    @Test func `the tests of this suite are found`() throws {
        #expect(try TestCatalogue.current().names.contains("CoverageTests/the tests of this suite are found"))
    }
}
