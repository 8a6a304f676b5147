import Testing

/// Every reference between texts of the repository has a target.
@Suite(.timeLimit(.minutes(1))) struct ReferenceTests {
    /// Files written by people; generated sources repeat the comments of others.
    private static func isWritten(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        let tops: Set = [
            "Sources", "Clients", "Tests", "proto", "scripts", "config", "packaging", "docs", "bench", ".ci",
        ]
        let isText = [
            ".swift", ".md", ".proto", ".yaml", ".js", ".css", ".html", ".py", ".json", ".c", ".sql", ".txt", ".h",
            ".in", ".service", ".sh", ".jsonc",
        ].contains { path.hasSuffix($0) }
        return (parts.count == 1 || tops.contains(String(parts[0]))) && (isText || !path.contains("."))
    }

    private static func current() throws -> References {
        let files = try RepositoryText.paths()
        var paths: Set<String> = []
        for file in files {
            let parts = file.split(separator: "/")
            for count in parts.indices { paths.insert(parts[...count].joined(separator: "/")) }
        }
        var texts: [String: String] = [:]
        for file in files where isWritten(file) { texts[file] = try RepositoryText.read(file) }
        try #require(texts.count > 500)
        return References(paths: paths, texts: texts)
    }

    @Test func `every reference has a target`() throws {
        let faults = try Self.current().faults()
        #expect(faults == [])
    }

    // MARK: - The machinery

    /// Concatenated below, because this file is searched as well.
    private static let (docs, one) = ("docs", "0001")

    private static let rules = "# Rules\n\n## 5. Words\n\nSee \u{A7}6.1.\n\n## 6. Way\n\n### 6.1 First part, `x`\n"

    private static func faults(in text: String, of path: String) -> [String] {
        let decision = "\(docs)/decisions/0001-one.md"
        let texts = [
            "docs/domain.md": rules, "Sources/Zoo/Ape.swift": "struct Ape {\n    func climb() {}\n}",
            decision: "# One", "\(docs)/image.md": "", path: text,
        ]
        let folders: Set = ["docs", "docs/decisions", "Sources", "Sources/Zoo", "Sources/Zoo/Zoo.docc"]
        return References(paths: folders.union(texts.keys), texts: texts).faults()
    }

    @Test(arguments: [
        "domain \u{A7}5", "(domain \u{A7}6.1).", "Domain \u{A7}5, \u{A7}6.1 and \u{A7}6",
        "domain\n/// \u{A7}6.1\u{2013}\u{A7}6",
        "RFC 6455 \u{A7}5.2", "OpenID Connect Core \u{A7}5.1", "decision \(one)", "\(docs)/domain.md#61-first-part-x",
        "see docs/domain.md.",
    ])
    func `accepts valid references`(text: String) {
        #expect(Self.faults(in: "/// \(text)", of: "Sources/Zoo/Bear.swift") == [])
    }

    @Test(arguments: [
        ("domain \u{A7}7", "domain \u{A7}7"), ("domain \u{A7}6.2", "domain \u{A7}6.2"),
        ("domain \u{A7}6.1a", "domain \u{A7}6.1a"), ("protocol \u{A7}6", "protocol \u{A7}6"),
        ("domain \u{A7}5, \u{A7}7", "domain \u{A7}5, \u{A7}7"), ("the page's \u{A7}2", "s \u{A7}2"),
        ("(style\n/// \u{A7}5)", "style \u{A7}5"), ("decisions \(one) and 0002", "decision 0002"),
        ("\(docs)/gone.md", "\(docs)/gone.md"), ("\(docs)/domain.md#62", "\(docs)/domain.md#62"),
    ])
    func `reports broken references in comments`(text: String, reference: String) {
        let path = "Sources/Zoo/Bear.swift"
        #expect(Self.faults(in: "/// \(text)", of: path) == ["\(path): \(reference)"])
    }

    @Test(arguments: [
        ("Sources/Zoo/Bear.swift", "/// Made by \(docs)/domain.md or by Sources/Zoo/Ape.swift.", nil),
        ("Sources/Zoo/Bear.swift", "/// Made by Sources/Zoo/Cat.swift.", "Sources/Zoo/Cat.swift"),
        ("Sources/Zoo/Bear.swift", "let cat = \"Sources/Zoo/Cat.swift\"", nil),
        ("Sources/Zoo/Bear.swift", "/// As ``Ape/climb()`` does.", nil),
        ("Sources/Zoo/Bear.swift", "/// As ``Ape/swim()`` does.", "Ape/swim()"),
        ("scripts/feed", "# Reads Sources/Zoo/*.swift.", nil),
        ("scripts/feed", "# Reads Sources/Cats.", "Sources/Cats"),
        ("scripts/feed", "ls Sources/Cats", nil), ("NOTICE", "Sources/Zoo/\nApe.swift", nil),
        ("NOTICE", "From Sources/Cats/Cat.swift", "Sources/Cats/Cat.swift"),
        ("packaging/copyright", "Files: Sources/Cats/*", "Sources/Cats/*"),
        ("Sources/Zoo/shim.h", "/* See Sources/Cats. */", "Sources/Cats"),
        ("Sources/Zoo/Bear.swift", "// The architecture\u{27}s targets.", "architecture\u{27}s"),
        ("scripts/feed", "# As in style\u{2E}md.", "style\u{2E}md"),
        ("scripts/feed", "cat shared\u{2F}rules", "shared\u{2F}"), ("scripts/feed", "ls ../shared/tracks/a", nil),
        ("scripts/feed", "ls shared/tracks", nil),
    ])
    func `checks paths and symbols of sources, scripts and plain texts`(
        path: String,
        text: String,
        fault: String?
    ) {
        #expect(Self.faults(in: text, of: path) == (fault.map { ["\(path): \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("[a](domain.md)", nil), ("[a](domain.md#5-words)", nil), ("[a](decisions)", nil), ("[a](#own)\n# Own", nil),
        ("[a](https://example.org/x#y)", nil), ("`docs/*.md`", nil), ("`docs/decisions/`", nil),
        ("`docs/domain.md x`", nil),
        ("[a](doman.md)", "doman.md"), ("[a](domain.md#5-word)", "domain.md#5-word"), ("[a](#own)", "#own"),
        ("[a](../domain.md)", "../domain.md"), ("`docs/gone.txt`", "docs/gone.txt"),
        ("`docs/*.pdf`", "docs/*.pdf"), ("```\n[a](gone.md)\n```", nil),
    ])
    func `checks links and paths of a document`(text: String, fault: String?) {
        #expect(Self.faults(in: text, of: "\(Self.docs)/a.md") == (fault.map { ["\(Self.docs)/a.md: \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("``Ape``", nil), ("``Ape/climb()``", nil), ("``Zoo``", nil), ("<doc:Guide>", nil),
        ("``Cat``", "Cat"), ("``Ape/swim()``", "Ape/swim()"), ("<doc:Gone>", "Gone"),
    ])
    func `checks symbols and articles of DocC`(text: String, fault: String?) {
        let path = "Sources/Zoo/Zoo.docc/Guide.md"
        #expect(Self.faults(in: text, of: path) == (fault.map { ["\(path): \($0)"] } ?? []))
    }
}
