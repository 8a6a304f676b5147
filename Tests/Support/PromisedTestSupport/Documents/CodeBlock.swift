/// A fenced block of code in a Markdown document.
package struct CodeBlock: Sendable {
    /// Its lines without the fences.
    package let lines: [String]

    /// The blocks of a language, in the order of the document.
    package static func all(_ language: String, in markdown: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (language: String, lines: [String])?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("```") else {
                open?.lines.append(String(line))
                continue
            }
            if let block = open {
                if block.language == language { blocks.append(CodeBlock(lines: block.lines)) }
                open = nil
            } else {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    package init(lines: [String]) { self.lines = lines }

    package var text: String { lines.joined(separator: "\n") }

    /// `true` if a source contains the lines consecutively, all with the same indentation.
    package func occurs(in source: String) -> Bool {
        let all = source.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, lines.count <= all.count else { return false }
        return (0...all.count - lines.count).contains { start in
            guard all[start].hasSuffix(first) else { return false }
            let indentation = all[start].dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(all[start...], lines).allSatisfy { $0 == ($1.isEmpty ? "" : indentation + $1) }
        }
    }
}
