/// Finds references without a target between the repository's texts.
///
/// Checks in every text rules (`domain §5`), decisions by number, documents with their headings
/// (`docs/reference.md#events`), and pages that the repository lacks; in Markdown also links, articles and symbols of
/// DocC, and paths in backticks; in comments and plain texts paths, and in those of Swift symbols.
struct References {
    private let paths: Set<String>
    private let texts: [String: String]
    private let patterns: ReferencePatterns
    private let sections: Set<String>
    private let declared: Set<String>
    private let anchors: [String: Set<String>]

    /// The texts of a repository.
    ///
    /// - Parameters:
    ///   - paths: all files and folders.
    ///   - texts: the texts written by people, by path.
    init(paths: Set<String>, texts: [String: String]) {
        let patterns = ReferencePatterns()
        self.paths = paths
        self.texts = texts
        self.patterns = patterns
        let documents = texts.filter { $0.key.hasSuffix(".md") }
        anchors = documents.mapValues { patterns.anchors(in: $0) }
        sections = Set(patterns.section.matches(in: texts["docs/domain.md"] ?? "").map { $0[1] })
        let sources = texts.filter { $0.key.hasSuffix(".swift") }
        let modules = sources.keys.compactMap { path in
            path.split(separator: "/").drop { $0 != "Sources" }.dropFirst().first.map(String.init)
        }
        declared = Set(sources.values.flatMap { patterns.declarations(in: $0) } + modules + ["init", "subscript"])
    }

    /// The references without a target, as `path: reference`, sorted by path.
    func faults() -> [String] {
        texts.sorted { $0.key < $1.key }.flatMap { path, text in
            let flowing = patterns.flowing(text)
            let all = rules(in: flowing, of: path) + decisions(in: flowing) + documents(in: flowing)
            let more = path.hasSuffix(".md") ? links(in: text, of: path) + names(in: text) : remarks(in: text, of: path)
            let strangers = patterns.stranger.matches(in: text).map { $0[0] }
            return (all + more + strangers).map { "\(path): \($0)" }
        }
    }

    // MARK: - In every text

    /// Sections of an unknown rule, or without a named document.
    private func rules(in text: String, of path: String) -> [String] {
        let isDomain = path == "docs/domain.md"
        return patterns.rule.matches(in: text).compactMap { match in
            let owner = match[1].lowercased()
            let numbers = patterns.number.matches(in: match[0]).map { $0[1] }
            if patterns.isStandard(owner) { return nil }
            guard owner == "domain" || isDomain else { return match[0] }
            return numbers.allSatisfy(sections.contains) ? nil : match[0]
        }
    }

    private func decisions(in text: String) -> [String] {
        patterns.decision.matches(in: text).flatMap { match in
            patterns.fourDigits.matches(in: match[0]).map(\.[0]).filter { number in
                !paths.contains { $0.hasPrefix("docs/decisions/\(number)-") }
            }.map { "decision \($0)" }
        }
    }

    private func documents(in text: String) -> [String] {
        patterns.document.matches(in: text).compactMap { match in
            leads(to: match[1], anchor: match[2]) ? nil : match[0]
        }
    }

    // MARK: - In Markdown

    private func links(in text: String, of path: String) -> [String] {
        let prose = patterns.withoutBlocks(text)
        let links = patterns.link.matches(in: prose).map { $0[1] }.filter { !$0.contains(":") }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        let broken = links.filter { link in
            let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? path : Self.path(parts[0], from: folder)
            return !leads(to: target, anchor: parts.count > 1 ? parts[1] : "")
        }
        let articles = patterns.article.matches(in: prose).map { $0[1] }.filter { name in
            !paths.contains("\(folder)/\(name).md")
        }
        return broken + articles
    }

    /// Paths and symbols that the text names as such.
    private func names(in text: String) -> [String] {
        let prose = patterns.withoutBlocks(text)
        let gone = patterns.code.matches(in: prose).map { $0[1] }.filter { !exists($0) }
        return gone + symbols(in: prose)
    }

    // MARK: - In sources, scripts and plain texts

    /// Paths and symbols in comments, or in all of a text that has no comments.
    private func remarks(in text: String, of path: String) -> [String] {
        let comments = patterns.comments(in: text, of: path)
        let gone = patterns.path.matches(in: comments).map { $0[1] }.filter { path in
            // Checked as a document with its heading.
            !exists(path) && patterns.document.matches(in: path).isEmpty
        }
        return gone + (path.hasSuffix(".swift") ? symbols(in: comments) : [])
    }

    private func symbols(in prose: String) -> [String] {
        patterns.symbol.matches(in: prose).map { $0[1] }.filter { symbol in
            !symbol.split(separator: "/").map { String($0.prefix { $0 != "(" }) }.allSatisfy { name in
                // Operators are declared by signs.
                declared.contains(name) || !name.contains(where: \.isLetter)
            }
        }
    }

    // MARK: - What there is

    private func leads(to path: String, anchor: String) -> Bool {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard paths.contains(path) else { return false }
        return anchor.isEmpty || anchors[path]?.contains(anchor) == true
    }

    /// `true` if a file exists at the path at the start of a command or a text in backticks, where `*` matches any
    /// name.
    private func exists(_ text: String) -> Bool {
        let path = text.prefix { !" =:".contains($0) }
        let wanted = path.split(separator: "/")
        if !path.contains("*") { return paths.contains(wanted.joined(separator: "/")) }
        return paths.contains { candidate in
            let found = candidate.split(separator: "/")
            return found.count == wanted.count && zip(found, wanted).allSatisfy { Self.fits($0, $1) }
        }
    }

    private static func fits(_ name: Substring, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return name == pattern }
        return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
    }

    /// A path relative to a folder, from the repository's folder on.
    private static func path(_ link: String, from folder: String) -> String {
        var parts = folder.split(separator: "/")
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
