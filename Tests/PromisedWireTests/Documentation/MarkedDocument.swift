/// A Markdown text with generated parts, each between a pair of comments:
///
/// <!-- generated: errors --> … <!-- end: errors -->
struct MarkedDocument {
    /// A fault of the comments.
    enum Fault: Error, Equatable {
        case unknown(String)
        case unpaired(String)
    }

    /// The complete text.
    private(set) var text: String

    init(_ text: String) {
        self.text = text
    }

    /// The names of the parts, in the order of the text.
    var names: [String] { text.matches(of: /<!-- generated: (\w+) -->/).map { String($0.1) } }

    /// A part without its comments and the line breaks beside them.
    func part(_ name: String) throws(Fault) -> String {
        String(text[try range(of: name)].drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }

    /// Replaces the content of a part.
    mutating func replace(_ name: String, with content: String) throws(Fault) {
        let range = try range(of: name)
        text.replaceSubrange(range, with: "\n\n\(content)\n\n")
    }

    /// The range between the two comments.
    private func range(of name: String) throws(Fault) -> Range<String.Index> {
        let begins = text.ranges(of: "<!-- generated: \(name) -->")
        let ends = text.ranges(of: "<!-- end: \(name) -->")
        if begins.isEmpty, ends.isEmpty { throw .unknown(name) }
        guard begins.count == 1, ends.count == 1, begins[0].upperBound <= ends[0].lowerBound else {
            throw .unpaired(name)
        }
        return begins[0].upperBound..<ends[0].lowerBound
    }
}
