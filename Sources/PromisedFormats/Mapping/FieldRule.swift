/// The source of a field's text: the first column that is not empty, with the last day of an event if there is one, else a constant, and the steps applied to it.
package struct FieldRule: Sendable {
    /// The columns in the order of preference.
    package private(set) var columns: [Column]
    /// The column of the last day, for hours from the first column's day to that one; nil for a text without dates.
    private var end: Column?
    /// The text if all columns are empty; steps do not apply to it.
    package let constant: String?
    /// In the order in which they are applied.
    package let steps: [MappingStep]

    /// A rule; without columns the constant always applies.
    package init(columns: [Column], until end: Column? = nil, constant: String? = nil, steps: [MappingStep] = []) {
        self.columns = columns
        self.end = end
        self.constant = constant
        self.steps = steps
    }

    /// The rule of an option: `a|b` for the first column that is not empty, `=text` for a constant.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` if a part is empty or follows a constant.
    package init(option text: String) throws(FormatError) {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        var columns: [Column] = []
        var constant: String?
        for part in parts {
            let name = RowText.clean(String(part))
            guard constant == nil, !name.isEmpty, name != "=" else {
                throw .badOption(reason: "the columns \(text) are invalid: use COLUMN, A|B or A|=TEXT")
            }
            if name.hasPrefix("=") { constant = String(name.dropFirst()) } else { columns.append(Column(name)) }
        }
        self.init(columns: columns, constant: constant)
    }

    /// `true` if a step converts a market's cycle into hours.
    var readsMarketCycle: Bool {
        steps.contains { if case .marketCycle = $0 { true } else { false } }
    }

    /// Finds the columns in a file.
    ///
    /// - Throws: ``FormatError/missingColumn(name:field:header:)`` if the file lacks all of them; the others are dropped.
    mutating func resolve(in file: FileColumns, for field: PlaceField) throws(FormatError) {
        let first = columns.first
        columns = columns.compactMap { column in
            var column = column
            return column.resolve(in: file) ? column : nil
        }
        if var column = end {
            guard column.resolve(in: file) else {
                throw .missingColumn(name: column.text, field: field.name, header: file.names)
            }
            end = column
        }
        guard columns.isEmpty, let first else { return }
        throw .missingColumn(name: first.text, field: field.name, header: file.names)
    }

    /// The first text of the field in a row; nil without one.
    func text(in row: SourceRow) -> String? {
        steps.isEmpty ? firstText(in: row) ?? constant : texts(in: row).first
    }

    /// The non-empty texts of the field in a row; usually one.
    func texts(in row: SourceRow) -> [String] {
        guard let text = firstText(in: row) else { return constant.map { [$0] } ?? [] }
        guard !steps.isEmpty else { return [text] }
        var texts = [text]
        for step in steps {
            var results: [String] = []
            for text in texts {
                for result in step.apply(to: text).lazy.map(RowText.clean) where !result.isEmpty {
                    results.append(result)
                }
            }
            texts = results
        }
        return texts
    }

    private func firstText(in row: SourceRow) -> String? {
        for column in columns {
            guard let text = column.value(in: row).map(RowText.clean), !text.isEmpty else { continue }
            guard let end else { return text }
            return DatesOfEvent.hours(from: text, to: end.value(in: row).map(RowText.clean) ?? "")
        }
        return nil
    }
}

extension FileColumns {
    /// The columns' names for an error message.
    fileprivate var names: [String] {
        switch self {
        case .numbered(let count): (1...max(1, count)).map(String.init)
        case .named(let names): names
        case .members, .features: []
        }
    }
}
