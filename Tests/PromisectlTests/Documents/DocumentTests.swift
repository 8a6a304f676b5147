import Foundation
import PromisedTestSupport
import Testing

@testable import promisectl

/// Every command in the documents works as it is printed, on any day.
@Suite("Examples in documents", .tags(.realTime), .serialized, .timeLimit(.minutes(15)))
struct DocumentTests {
    struct Day: Sendable, CustomTestStringConvertible {
        let start: String
        let zone: String
        var testDescription: String { "\(start) in \(zone)" }
    }

    /// Days of the next three years: ordinary ones, the ends of years and months, the leap day, and an hour before each
    /// change of clocks.
    static let days = [
        Day(start: "2026-11-24T10:00:00Z", zone: "UTC"), Day(start: "2026-12-31T22:45:00Z", zone: "Europe/Berlin"),
        Day(start: "2027-01-31T23:30:00Z", zone: "Asia/Seoul"), Day(start: "2027-02-28T12:00:00Z", zone: "UTC"),
        Day(start: "2027-03-14T06:00:00Z", zone: "America/New_York"),
        Day(start: "2027-03-28T00:00:00Z", zone: "Europe/Berlin"), Day(start: "2027-06-21T12:00:00Z", zone: "UTC"),
        Day(start: "2027-10-31T00:00:00Z", zone: "Europe/Berlin"),
        Day(start: "2027-12-31T23:59:00Z", zone: "Asia/Seoul"), Day(start: "2028-02-28T12:00:00Z", zone: "UTC"),
        Day(start: "2028-02-29T10:00:00Z", zone: "America/New_York"),
        Day(start: "2028-11-05T05:00:00Z", zone: "America/New_York"),
        Day(start: "2029-11-20T08:00:00Z", zone: "Australia/Lord_Howe"),
    ]

    @Test(arguments: days)
    func `run word for word on any day`(day: Day) async throws {
        for document in Documents.pasted {
            let examples = try Documents.commands(document)
            try #require(examples.contains { $0.mark == .run || $0.mark == .stays }, "\(document) has none to run")
            let startsOne = examples.contains { $0.mark == .stays }
            try await ExampleWorld.with(start: day.start, zone: day.zone, isInstalled: !startsOne) { world in
                try await world.run(examples)
            }
        }
    }

    @Test func `every mark and its reasons exist`() throws {
        for document in try Documents.all() {
            for example in try Documents.commands(document) {
                guard case .unknown(let comment) = example.mark else { continue }
                Issue.record("\(document):\(example.line): \(comment)")
            }
        }
    }

    /// Documents of the client's package, and where scripts/client test compiles their code.
    private static let compiledOutside = [
        "Clients/Swift/README.md": "Tests/ClientPackage/Sources/Phone/Phone.swift",
        "Clients/Swift/Sources/PromisedClientTesting/PromisedClientTesting.docc/PromisedClientTesting.md":
            "Tests/ClientPackage/Tests/AppTests/ScriptedServerTests.swift",
        "Clients/Swift/Sources/PromisedClient/PromisedClient.docc/AddingThePackage.md":
            "Tests/ClientPackage/Package.swift",
    ]

    @Test func `the examples of the client's documents compile in an external app`() throws {
        for (document, place) in Self.compiledOutside {
            let source = try Documents.text(place)
            // Pieces of a manifest begin with a dot; the script resolves the package by its path and by its version.
            let blocks = CodeBlock.all("swift", in: try Documents.text(document)).filter { !$0.text.hasPrefix(".") }
            for block in blocks { #expect(block.occurs(in: source), "\(document): \(block.text)") }
        }
    }

    /// The languages of blocks other than commands, with the documents whose blocks a test compiles, runs or parses.
    private static let languages: [String: Set<String>] = [
        // FirstPromiseTests, RecordingAWayTests, TransportArticleTests; below, the manifests of an app outside, by path
        // and by version.
        "swift": Set(compiledOutside.keys).union([
            "Clients/Swift/Sources/PromisedClient/PromisedClient.docc/FirstPromise.md",
            "Clients/Swift/Sources/PromisedClient/PromisedClient.docc/RecordingAWay.md",
            "Clients/Swift/Sources/PromisedClient/PromisedClient.docc/ShowingPlaces.md",
            "Sources/PromisedTransport/PromisedTransport.docc/PromisedTransport.md",
        ]),
        // Tests/Web/test_documents.py.
        "js": ["docs/web.md"],
        // ExampleFileTests.
        "yaml": ["docs/operations.md"],
        // ConversationTests.
        "json": ["docs/protocol.md"],
        // For systemd and nginx, which the tests lack.
        "ini": ["docs/operations.md"], "nginx": ["docs/operations.md"],
    ]

    @Test func `every block of code has a language that a test checks in that document`() throws {
        for document in try Documents.all() {
            let blocks = Example.all(in: try Documents.text(document), of: document).filter { !$0.isCommands }
            for block in blocks {
                // Drawings and quoted output.
                guard let language = block.language, !["", "text"].contains(language) else { continue }
                let isSeen = Self.languages[language]?.contains(document) == true
                #expect(isSeen, "\(document):\(block.line): \(language) is looked at by no test")
            }
        }
    }

    @Test func `no other document shows commands without a mark`() throws {
        for document in try Documents.all() where !Documents.pasted.contains(document) {
            for example in try Documents.commands(document) {
                let isMarked = if case .notRun = example.mark { true } else { false }
                #expect(isMarked, "\(document):\(example.line) is run by nobody: \(example.text)")
            }
        }
    }

    @Test func `every option and subcommand is in the help`() async throws {
        var help = HelpTexts()
        for document in try Documents.all() where document != "CHANGELOG.md" {
            let text = try Documents.text(document)
            let blocks = try Documents.commands(document).flatMap { example in
                example.text.replacing("\\\n", with: " ").split(separator: "\n").flatMap(CommandLineText.all)
            }
            let spans = text.matches(of: /`([^`\n]+)`/).flatMap { match in
                CommandLineText.all(in: match.1.replacing("\\|", with: "|"))
            }
            for command in blocks + spans {
                let fault = try await help.fault(of: command)
                #expect(fault == nil, "\(document): \(command.testDescription)")
            }
        }
    }

    // MARK: - The machinery

    @Test func `reads blocks with their marks`() {
        let examples = Example.all(
            in: """
                # Title

                ```sh
                promised version
                ```

                <!-- example: not run: needs-root, takes-minutes -->
                ```sh
                apt-get install x
                ```

                ```swift
                let x = 1
                ```

                <!-- example: stays -->

                ```
                scripts/run serve
                ```

                <!-- example: maybe -->
                ```sh
                ls
                ```

                <!-- example: not run: needs-root, no time -->
                ```sh
                ls
                ```

                <!-- example: goes on -->
                ```sh
                promisectl promise watch x
                ```

                    promisectl doctor
                """,
            of: "a.md"
        )
        #expect(examples.map(\.isCommands) == [true, true, false, true, true, true, true, true])
        #expect(
            examples.map(\.mark) == [
                .run, .notRun([.needsRoot, .takesMinutes]), .run, .stays, .unknown("<!-- example: maybe -->"),
                .unknown("<!-- example: not run: needs-root, no time -->"), .goesOn, .run,
            ]
        )
        #expect(examples.map(\.line) == [3, 8, 12, 18, 23, 28, 33, 37])
        #expect(examples.first?.text == "promised version")
    }

    @Test(arguments: [
        ("promisectl doctor   # promised serve", ["promisectl doctor"]),
        ("echo 'x y' | promisectl user create --email a@b", ["promisectl user create --email a@b"]),
        ("./scripts/run serve --data ./data", ["promised serve --data ./data"]),
        ("runuser -u promised -- promised verify --data /x", ["promised verify --data /x"]),
        ("systemctl status promised", []), ("promised token create|list", ["promised token create|list"]),
        ("x=$(promisectl stats --json)", ["promisectl stats --json"]), ("promised.js", []), ("# promised", []),
        ("promise-load --x=1 && scripts/bench relay --quick", ["promise-load --x=1", "scripts/bench relay --quick"]),
    ])
    func `finds commands in a line`(line: String, commands: [String]) {
        #expect(CommandLineText.all(in: line).map(\.testDescription) == commands)
    }

    @Test(arguments: [
        ("promisectl promise create --at x --zone y", nil), ("promised serve --data x", nil),
        ("promised token create|list|revoke", nil), ("promised token create|lst", "no subcommand lst"),
        ("scripts/load-test --connections 1", nil),
        ("promisectl promise crate --at x", "no subcommand crate"), ("promised serv", "no subcommand serv"),
        ("promisectl doctor --quick", "no option --quick"), ("promised verify --day x", "no option --day"),
        ("scripts/bench relay --quick", nil), ("scripts/test --filter X", nil), ("scripts/test web --measure", nil),
        ("scripts/bench relay --quack", "no option --quack"), ("scripts/bench --quick", "no option --quick"),
        ("scripts/bench rely", "no subcommand rely"), ("scripts/no-such", "no script scripts/no-such"),
    ])
    func `detects options missing in the help`(line: String, fault: String?) async throws {
        var help = HelpTexts()
        let command = try #require(CommandLineText.all(in: line).first)
        #expect(try await help.fault(of: command) == fault)
    }
}
