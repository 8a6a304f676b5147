/// How texts of the repository refer to something.
struct ReferencePatterns {
    /// A heading that begins with its number; the number is the first group.
    let section = Pattern(#"^#{2,3} (\d+(?:\.\d+)?)\b"#)
    /// One or several sections after the name of the document, which is the first group.
    let rule = Pattern(#"([\p{L}\d]+)?[ ,(]*§\d[\d.]*\w?(?:(?:, | and | or |–|, and )§\d[\d.]*\w?)*"#)
    /// A section's number, without the point at the end of a sentence; the first group.
    let number = Pattern(#"§(\d+(?:\.\d+)*[a-z]?)"#)
    let decision = Pattern(#"\b[Dd]ecisions? \d{4}(?:(?:, | and )\d{4})*"#)
    let fourDigits = Pattern(#"\d{4}"#)
    /// A document by its path; the second group is a heading of it.
    let document = Pattern(#"(?<![\w/])(docs/[\w./-]*\w\.(?:md|yaml))(?:#([\w-]+))?"#)
    let link = Pattern(#"\]\(([^)\s]+)\)"#)
    let article = Pattern(#"<doc:([^>#]+)[^>]*>"#)
    /// A path of this repository in backticks.
    let code = Pattern(
        #"(?<!`)`((?:docs|Sources|Tests|scripts|config|packaging|proto|bench|Benchmarks|\.ci)/[^`\n]*)`(?!`)"#
    )
    /// A path of this repository in a comment, without the point at the end of a sentence.
    let path = Pattern(
        #"(?<![\w/.$}~*<-])((?:docs|Sources|Tests|scripts|config|packaging|proto|bench|Benchmarks|\.ci)/[\w./+*-]*[\w/*])"#
    )
    /// Pages that are not in the repository; recorded rides, places and phones may lie beside it.
    let stranger = Pattern(
        #"architecture['\u2019]s|\b(?:style|architecture)\.md|(?<![\w-])(?<!\.\./)shared\x2F(?!tracks|places|field)"#
    )
    let symbol = Pattern(#"(?<!`)``([^`\n]+)``(?!`)"#)
    private let block = Pattern(#"^ *```[\s\S]*?^ *``` *$"#)
    private let heading = Pattern(#"^#{1,6} (.*)$"#)
    private let marked = Pattern(#"\[([^\]]*)\]\([^)]*\)"#)
    private let unmarked = Pattern(#"[^\w\- ]"#)
    private let lineBreak = Pattern(#"\n[ \t]*(?:///?|#|\*)?[ \t]*"#)
    private let declaration = Pattern(
        #"\b(?:struct|class|enum|actor|protocol|typealias|func|var|let|case) `?(\w+)"#
    )

    /// The text without blocks of code.
    func withoutBlocks(_ text: String) -> String { block.replacing(in: text, with: "") }

    /// The text as one line, without the marks of comments.
    func flowing(_ text: String) -> String { lineBreak.replacing(in: text, with: " ") }

    /// The lines of a source or script that are comments; all of a text of another kind.
    func comments(in text: String, of path: String) -> String {
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
        let marks: [String]
        switch ending {
        case "swift", "c", "h", "js", "proto", "css": marks = ["//", "/*", "*"]
        case "py", "sh", "yaml", "in", "service": marks = ["#"]
        case "json", "html", "sql": return ""
        case "" where path.hasPrefix("scripts/") || path.hasPrefix(".ci/"): marks = ["#"]
        default: return text
        }
        return text.split(separator: "\n").filter { line in
            let bare = line.drop { $0 == " " }
            return marks.contains { bare.hasPrefix($0) }
        }.joined(separator: "\n")
    }

    /// The names of a source's types, members and cases.
    func declarations(in source: String) -> [String] { declaration.matches(in: source).map { $0[1] } }

    /// `true` if a word before a section's number names a standard: OpenID Connect Core, UTS 39, the number of an
    /// RFC.
    func isStandard(_ word: String) -> Bool {
        ["core", "39"].contains(word) || (word.count == 4 && word.allSatisfy(\.isNumber))
    }

    /// The targets of links to a Markdown text: its headings, as GitHub writes them.
    func anchors(in markdown: String) -> Set<String> {
        var counts: [String: Int] = [:]
        let words = heading.matches(in: withoutBlocks(markdown)).map { heading in
            let text = marked.replacing(in: heading[1], with: "$1").lowercased()
            return unmarked.replacing(in: text, with: "").replacing(" ", with: "-")
        }
        return Set(
            words.map { word in
                defer { counts[word, default: 0] += 1 }
                return counts[word].map { "\(word)-\($0)" } ?? word
            }
        )
    }
}
