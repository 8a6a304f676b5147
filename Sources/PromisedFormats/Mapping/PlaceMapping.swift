/// The mapping of a file's columns to the fields of places.
package struct PlaceMapping: Sendable {
    /// The rule of each mapped field.
    package private(set) var rules: [PlaceField: FieldRule] = [:]
    /// Further names and facts in the order in which they were mapped.
    package private(set) var order: [PlaceField] = []
    /// The rules that assign categories by text, in order.
    package var categoryRules: [CategoryRule] = []
    /// The category of rows without any other; nil: such rows are refused.
    package var defaultCategory: String?

    /// A mapping without fields.
    package init() {}

    /// Maps a field, replacing an earlier rule for it.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` beyond four names or sixteen facts.
    package mutating func map(_ field: PlaceField, to rule: FieldRule) throws(FormatError) {
        if rules.updateValue(rule, forKey: field) == nil { order.append(field) }
        guard order.count(where: \.isFurtherName) <= PlaceRow.Limit.names else {
            throw .badOption(
                reason: "\(field.name) is one name too many: \(PlaceRow.Limit.names) are allowed besides name"
            )
        }
        guard order.count(where: \.isFact) <= PlaceRow.Limit.facts else {
            throw .badOption(reason: "\(field.name) is one fact too many: \(PlaceRow.Limit.facts) are allowed")
        }
    }

    /// Maps a field by an option: `FIELD=COLUMN`, see ``FieldRule/init(option:)``.
    ///
    /// - Throws: ``FormatError/badOption(reason:)``.
    package mutating func map(option text: String) throws(FormatError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw .badOption(reason: "the mapping \(text) is invalid: use FIELD=COLUMN")
        }
        let field = try PlaceField(named: RowText.clean(String(text[..<equals])))
        try map(field, to: try FieldRule(option: String(text[text.index(after: equals)...])))
    }

    /// The mapping with its columns resolved in a file; for GeoJSON, positions default to the features' points.
    ///
    /// - Throws: ``FormatError/missingColumn(name:field:header:)``, or ``FormatError/badOption(reason:)`` if the name or the
    ///   position is not mapped.
    func resolved(in file: FileColumns) throws(FormatError) -> PlaceMapping {
        var mapping = self
        if file == .features {
            try mapping.mapMissing(.latitude, to: "@latitude")
            try mapping.mapMissing(.longitude, to: "@longitude")
        }
        for field in [PlaceField.name, .latitude, .longitude] where mapping.rules[field] == nil {
            throw .badOption(reason: "no column is mapped to \(field.name): use --map \(field.name)=COLUMN or a preset")
        }
        for field in mapping.order { try mapping.rules[field]?.resolve(in: file, for: field) }
        for index in mapping.categoryRules.indices { try mapping.categoryRules[index].resolve(in: file) }
        return mapping
    }

    private mutating func mapMissing(_ field: PlaceField, to column: String) throws(FormatError) {
        if rules[field] == nil { try map(field, to: FieldRule(columns: [Column(column)])) }
    }
}

extension PlaceField {
    /// `true` for a name in another language.
    fileprivate var isFurtherName: Bool {
        if case .nameIn = self { true } else { false }
    }

    /// `true` for a fact.
    fileprivate var isFact: Bool {
        if case .fact = self { true } else { false }
    }
}
