/// Reads the rules of a preset.
enum PresetRule {
    /// A field's rule: a text as in an option (`column`, `a|b`, `=constant`), or a mapping of columns and steps.
    static func fieldRule(_ node: PresetNode) throws(FormatError) -> FieldRule {
        guard node.isMapping else {
            return try node.read { text throws(FormatError) in try FieldRule(option: text) }
        }
        var columns: [Column] = []
        var end: Column?
        var constant: String?
        var steps: [MappingStep] = []
        for (key, value) in try node.entries() {
            switch try key.text() {
            case "column": columns = try value.texts().map(Column.init)
            case "until": end = Column(try value.text())
            case "constant": constant = try value.text()
            default: steps.append(contentsOf: try step(key, value))
            }
        }
        guard !columns.isEmpty || constant != nil else { throw node.fault("a field needs a column or a constant") }
        if end != nil, columns.isEmpty { throw node.fault("until needs a column with the first day") }
        return FieldRule(columns: columns, until: end, constant: constant, steps: steps)
    }

    /// A step by its key; empty if it is switched off by `no`.
    private static func step(_ key: PresetNode, _ value: PresetNode) throws(FormatError) -> [MappingStep] {
        switch try key.text() {
        case "split": return [.split(separator: try value.text())]
        case "pick": return [try pick(value)]
        case "table": return [.table(try table(value))]
        case "market-cycle": return try value.isYes() ? [.marketCycle] : []
        case "korean-hours": return try value.isYes() ? [.koreanHours] : []
        case "handle": return [.handle(try value.read { text throws(FormatError) in try SocialNetwork(named: text) })]
        case "yes-no": return try value.isYes() ? [.yesNo] : []
        case let name:
            throw key.fault(
                """
                \(name) is unknown: use column, until, constant, split, pick, table, market-cycle, korean-hours, handle \
                or yes-no
                """
            )
        }
    }

    private static func pick(_ node: PresetNode) throws(FormatError) -> MappingStep {
        guard node.isMapping else {
            return try node.read { text throws(FormatError) in try MappingStep.pick(text) }
        }
        let members = try node.members(["pattern", "as"])
        guard let pattern = members["pattern"] else { throw node.fault("pick needs a pattern") }
        let template = try members["as"]?.text()
        return try pattern.read { text throws(FormatError) in try MappingStep.pick(text, as: template) }
    }

    private static func table(_ node: PresetNode) throws(FormatError) -> [String: String] {
        var table: [String: String] = [:]
        for (key, value) in try node.entries() { table[RowText.clean(try key.text())] = try value.text() }
        return table
    }

    /// A category's rule: `category`, one of `field` and `column`, one of `contains` and `equals`.
    static func categoryRule(_ node: PresetNode) throws(FormatError) -> CategoryRule {
        let members = try node.members(["category", "field", "column", "contains", "equals"])
        guard let category = try members["category"]?.text() else { throw node.fault("the rule needs a category") }
        let subject: CategoryRule.Subject
        switch (members["field"], members["column"]) {
        case (let field?, nil):
            subject = .field(try field.read { text throws(FormatError) in try PlaceField(named: text) })
        case (nil, let column?): subject = .column(Column(try column.text()))
        default: throw node.fault("the rule needs either a field or a column")
        }
        switch (members["contains"], members["equals"]) {
        case (let words?, nil):
            return CategoryRule(category: category, subject: subject, test: .contains(try words.texts()))
        case (nil, let words?):
            return CategoryRule(category: category, subject: subject, test: .equals(try words.texts()))
        default: throw node.fault("the rule needs either contains or equals")
        }
    }
}
