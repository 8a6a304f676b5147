import PromisedDomain

/// Creates places from rows, by a mapping whose columns are resolved in the file.
struct PlaceRowMaker: Sendable {
    private let mapping: PlaceMapping
    /// The rules of the fields that ``fill(_:from:)`` fills, in the order of the mapping.
    private let plain: [(field: PlaceField, rule: FieldRule)]
    private let area: ImportArea

    /// A maker for the rows of one file.
    ///
    /// - Throws: ``FormatError`` if the file lacks a mapped column.
    init(_ mapping: PlaceMapping, columns: FileColumns, area: ImportArea) throws(FormatError) {
        let mapping = try mapping.resolved(in: columns)
        self.mapping = mapping
        self.area = area
        // A list: looking up sixteen fields by name takes longer than reading them.
        plain = mapping.order.filter(Self.isPlain).compactMap { field in mapping.rules[field].map { (field, $0) } }
    }

    /// The place of a row.
    ///
    /// - Throws: ``RowRefusal`` with the first reason in the order of the checks: columns or encoding, name, position,
    ///   category, length of texts.
    func place(of row: SourceRow) throws(RowRefusal) -> PlaceRow {
        switch row.fault {
        case .columns: throw RowRefusal(line: row.line, reason: .columns)
        case .splitNumbers:
            var refusal = RowRefusal(line: row.line, reason: .columns)
            refusal.hasDecimalCommas = true
            throw refusal
        case .encoding: throw RowRefusal(line: row.line, reason: .encoding)
        case nil: break
        }
        guard let name = text(.name, of: row) else { throw RowRefusal(line: row.line, reason: .noName) }
        let coordinate = try coordinate(of: row)
        var place = PlaceRow(
            line: row.line,
            ref: "",
            name: name,
            coordinate: coordinate,
            categories: categories(of: row)
        )
        guard !place.categories.isEmpty else { throw RowRefusal(line: row.line, reason: .noCategory) }
        fill(&place, from: row)
        fillHours(of: &place, from: row)
        try checkLengths(of: place)
        // After the check of lengths: normalizing a text may take quadratic time.
        if place.ref.isEmpty { place.ref = Self.hash(of: place).text }
        return place
    }

    /// The name of a row for people: its number, and its id and name if they can be read.
    func label(of row: SourceRow, number: Int) -> RowLabel {
        func short(_ field: PlaceField) -> String { String((text(field, of: row) ?? "").prefix(RowLabel.longest)) }
        return RowLabel(row: number, ref: short(.ref), name: short(.name))
    }

    // MARK: - Fields

    private static func isPlain(_ field: PlaceField) -> Bool {
        switch field {
        case .name, .latitude, .longitude, .category, .hours: false
        default: true
        }
    }

    private func text(_ field: PlaceField, of row: SourceRow) -> String? {
        mapping.rules[field]?.text(in: row)
    }

    private func fill(_ place: inout PlaceRow, from row: SourceRow) {
        for (field, rule) in plain {
            if case .fact(let key) = field {
                let texts = rule.texts(in: row)
                if !texts.isEmpty { place.facts.append(PlaceRow.Fact(key: key, value: texts.joined(separator: ", "))) }
                continue
            }
            guard let text = rule.text(in: row) else { continue }
            switch field {
            case .ref: place.ref = text
            case .nameIn(let language):
                if text != place.name { place.names.append(PlaceRow.ForeignName(language: language, name: text)) }
            case .address: place.address = text
            case .region: place.region = text
            case .phone: place.phone = text
            case .website: place.website = Self.link(text, of: &place)
            case .social: place.social = Self.link(text, of: &place)
            case .name, .latitude, .longitude, .category, .hours, .fact: break
            }
        }
    }

    private static func link(_ text: String, of place: inout PlaceRow) -> String {
        guard let address = WebAddress.address(text) else {
            place.omittedLinks += 1
            return ""
        }
        return address
    }

    /// From the field, then from the rules, else the default one; each once, the first three.
    private func categories(of row: SourceRow) -> [String] {
        var categories: [String] = []
        for category in (mapping.rules[.category]?.texts(in: row) ?? []) + ruledCategories(of: row)
        where !categories.contains(category) {
            categories.append(category)
        }
        if categories.isEmpty, let category = mapping.defaultCategory { return [category] }
        return Array(categories.prefix(PlaceRow.Limit.categories))
    }

    private func ruledCategories(of row: SourceRow) -> [String] {
        mapping.categoryRules.compactMap { rule in
            let texts =
                switch rule.subject {
                case .field(let field): mapping.rules[field]?.texts(in: row) ?? []
                case .column(let column): column.value(in: row).map { [RowText.clean($0)] } ?? []
                }
            return texts.contains(where: rule.applies) ? rule.category : nil
        }
    }

    /// For a market that is open daily and also has market days, the days become a fact and the hours are every day.
    private func fillHours(of place: inout PlaceRow, from row: SourceRow) {
        guard let rule = mapping.rules[.hours], let hours = rule.texts(in: row).first else { return }
        place.hours = hours
        guard rule.readsMarketCycle, hours.hasPrefix(MarketCycle.dayPrefix), place.categories.count > 1,
            place.categories.contains(Self.permanentMarket), place.facts.count < PlaceRow.Limit.facts
        else { return }
        place.hours = MarketCycle.everyDay
        let days = String(hours.dropFirst(MarketCycle.dayPrefix.count))
        place.facts.append(PlaceRow.Fact(key: "market-days", value: days))
    }

    private static let permanentMarket = "market/permanent"

    // MARK: - Checks

    private func coordinate(of row: SourceRow) throws(RowRefusal) -> Coordinate {
        guard let north = text(.latitude, of: row), let east = text(.longitude, of: row) else {
            throw RowRefusal(line: row.line, reason: .noPosition)
        }
        guard let east = AngleText.number(east, "EW"), let north = AngleText.number(north, "NS") else {
            throw RowRefusal(line: row.line, reason: .badPosition)
        }
        switch area.coordinate(east: east, north: north) {
        case .success(let coordinate): return coordinate
        case .failure(let fault):
            let reason: RowRefusal.Reason =
                switch fault {
                case .impossible: .badPosition
                case .null: .nullIsland
                case .outside: .outside
                }
            throw RowRefusal(line: row.line, reason: reason, isExchanged: fault.isExchanged)
        }
    }

    private func checkLengths(of place: PlaceRow) throws(RowRefusal) {
        typealias Limit = PlaceRow.Limit
        try check(.name, place.name, Limit.name, of: place)
        try check(.ref, place.ref, Limit.ref, of: place)
        try check(.address, place.address, Limit.address, of: place)
        try check(.region, place.region ?? "", Limit.region, of: place)
        try check(.hours, place.hours, Limit.hours, of: place)
        try check(.phone, place.phone, Limit.phone, of: place)
        for name in place.names { try check(.nameIn(language: name.language), name.name, Limit.name, of: place) }
        for fact in place.facts { try check(.fact(key: fact.key), fact.value, Limit.fact, of: place) }
    }

    private func check(_ field: PlaceField, _ text: String, _ limit: Int, of place: PlaceRow) throws(RowRefusal) {
        guard RowText.fits(text, limit) else { throw RowRefusal(line: place.line, reason: .text, field: field.name) }
    }

    /// The identity of a place without an id: name, address, and position to five decimals, about a metre.
    private static func hash(of place: PlaceRow) -> ContentHash {
        ContentHash(
            RowText.composed(place.name),
            RowText.composed(place.address),
            fiveDecimals(place.coordinate.latitude),
            fiveDecimals(place.coordinate.longitude)
        )
    }

    private static func fiveDecimals(_ degrees: Double) -> String { "\(Int((degrees * 100_000).rounded()))" }
}
