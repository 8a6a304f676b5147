/// Assigns a category to rows that contain a text.
package struct CategoryRule: Sendable {
    /// Where the text is searched.
    package enum Subject: Sendable {
        /// The texts of a mapped field.
        case field(PlaceField)
        /// A column of the file.
        case column(Column)
    }

    /// The comparison of a text; the words are lower-case.
    package enum Test: Hashable, Sendable {
        /// Any of the words is in the text.
        case contains([String])
        /// The text is one of the words.
        case equals([String])
    }

    package let category: String
    package private(set) var subject: Subject
    package let test: Test

    package init(category: String, subject: Subject, test: Test) {
        self.category = category
        self.subject = subject
        self.test =
            switch test {
            case .contains(let words): .contains(words.map { $0.lowercased() })
            case .equals(let words): .equals(words.map { $0.lowercased() })
            }
    }

    /// The rule of an option: `FIELD~WORD|WORD=CATEGORY`; the words may occur anywhere in the field.
    ///
    /// - Throws: ``FormatError/badOption(reason:)``.
    package init(option text: String) throws(FormatError) {
        guard let tilde = text.firstIndex(of: "~"), let equals = text.lastIndex(of: "="), tilde < equals else {
            throw .badOption(reason: "the category rule \(text) is invalid: use FIELD~WORD|WORD=CATEGORY")
        }
        let words = text[text.index(after: tilde)..<equals].split(separator: "|").map { RowText.clean(String($0)) }
        let category = RowText.clean(String(text[text.index(after: equals)...]))
        guard !category.isEmpty, !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else {
            throw .badOption(reason: "the category rule \(text) is invalid: use FIELD~WORD|WORD=CATEGORY")
        }
        let field = try PlaceField(named: String(text[..<tilde]))
        self.init(category: category, subject: .field(field), test: .contains(words))
    }

    /// Finds the column in a file.
    ///
    /// - Throws: ``FormatError/missingColumn(name:field:header:)`` if the file does not have it.
    mutating func resolve(in file: FileColumns) throws(FormatError) {
        guard case .column(let column) = subject else { return }
        var rule = FieldRule(columns: [column])
        try rule.resolve(in: file, for: .category)
        if let resolved = rule.columns.first { subject = .column(resolved) }
    }

    /// `true` if the rule applies to a text.
    func applies(to text: String) -> Bool {
        let text = text.lowercased()
        return switch test {
        case .contains(let words): words.contains { text.utf8.holds($0.utf8) }
        case .equals(let words): words.contains(text)
        }
    }
}

extension String.UTF8View {
    /// `true` if these bytes contain those of `word`.
    fileprivate func holds(_ word: String.UTF8View) -> Bool {
        guard let first = word.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: word) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
