import Foundation
import Testing

/// A block of code in a Markdown document.
///
/// A comment above the fence says how the tests treat commands that readers may paste:
///
///     <!-- example: stays -->                      a server, which serves everything else in the document
///     <!-- example: goes on -->                    its last command goes on until it is stopped
///     <!-- example: not run: needs-systemd -->     only its options are looked at
///
/// Without one they are run as they stand.
struct Example: Hashable, Sendable, CustomTestStringConvertible {
    /// How commands are treated.
    enum Mark: Hashable, Sendable {
        case run
        case stays
        case goesOn
        case notRun([Reason])
        /// A comment with an unknown text.
        case unknown(String)
    }

    /// Why commands cannot be run in an empty folder.
    enum Reason: String, CaseIterable, Sendable {
        case needsRoot = "needs-root"
        case needsSystemd = "needs-systemd"
        /// The folders that the package makes.
        case needsPackage = "needs-package"
        /// Its files; scripts/test image and archive and scripts/package test run these.
        case needsRelease = "needs-release"
        case needsTracks = "needs-tracks"
        case takesMinutes = "takes-minutes"
        case anotherShell = "another-shell"
    }

    /// The path of the document below the repository's folder.
    let document: String
    /// The line of the fence, counted from 1.
    let line: Int
    /// The language behind the fence's marks; nil for a block that is indented instead.
    let language: String?
    let mark: Mark
    let text: String

    var testDescription: String { "\(document):\(line)" }

    /// `true` if it contains commands: it is marked as such, or a line starts with a program or script of this
    /// repository.
    var isCommands: Bool {
        if let language, ["sh", "bash", "shell", "console", "zsh", "fish"].contains(language) { return true }
        return (language ?? "").isEmpty && text.split(separator: "\n").contains { !CommandLineText.all(in: $0).isEmpty }
    }

    /// The blocks of a document, in its order.
    static func all(in markdown: String, of document: String) -> [Example] {
        var examples: [Example] = []
        var open: (line: Int, language: String, mark: Mark, lines: [String])?
        var mark = Mark.run
        for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let bare = line.trimmingCharacters(in: .whitespaces)
            if let block = open {
                if bare == "```" {
                    let text = block.lines.joined(separator: "\n")
                    examples.append(
                        Example(
                            document: document,
                            line: block.line,
                            language: block.language,
                            mark: block.mark,
                            text: text
                        )
                    )
                    (open, mark) = (nil, .run)
                } else {
                    open?.lines.append(String(line))
                }
            } else if bare.hasPrefix("```") {
                open = (index + 1, String(bare.dropFirst(3)), mark, [])
            } else if bare.hasPrefix("<!-- example:") {
                mark = Mark(comment: bare)
            } else if line.hasPrefix("    ") {
                examples.append(
                    Example(document: document, line: index + 1, language: nil, mark: mark, text: bare)
                )
            } else if !bare.isEmpty {
                mark = .run
            }
        }
        return examples
    }
}

extension Example.Mark {
    /// Reads `<!-- example: … -->`.
    init(comment: String) {
        let text = comment.dropFirst("<!-- example:".count).prefix { $0 != ">" }.dropLast(2)
        let words = text.trimmingCharacters(in: .whitespaces)
        if words == "stays" {
            self = .stays
        } else if words == "goes on" {
            self = .goesOn
        } else if words.hasPrefix("not run: "), comment.hasSuffix("-->") {
            let names = words.dropFirst("not run: ".count).split(separator: ", ", omittingEmptySubsequences: false)
            let reasons = names.compactMap { Example.Reason(rawValue: String($0)) }
            self = reasons.count == names.count ? .notRun(reasons) : .unknown(comment)
        } else {
            self = .unknown(comment)
        }
    }
}
