import Foundation
import PromisedDomain

/// Makes places of rows by a mapping whose columns were found in the file.
struct PlaceRowMaker: Sendable {
    private let mapping: PlaceMapping
    private let area: ImportArea

    /// A maker for the rows of one file.
    ///
    /// - Throws: ``FormatError`` if the file lacks a mapped column.
    init(_ mapping: PlaceMapping, columns: FileColumns, area: ImportArea) throws(FormatError) {
        self.mapping = try mapping.resolved(in: columns)
        self.area = area
    }

    /// The place of a row.
    ///
    /// - Throws: ``RowRefusal`` with the first reason in the order of the checks: columns or encoding, name, position,
    ///   category, length of texts.
    func place(of row: SourceRow) throws(RowRefusal) -> PlaceRow {
        switch row.fault {
        case .columns: throw RowRefusal(line: row.line, reason: .columns)
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
        // After the check of lengths: bringing a text to its normal form may take a time that grows with its square.
        if place.ref.isEmpty { place.ref = Self.hash(of: place).text }
        return place
    }

    // MARK: - Fields

    private func text(_ field: PlaceField, of row: SourceRow) -> String? {
        mapping.rules[field]?.texts(in: row).first
    }

    private func fill(_ place: inout PlaceRow, from row: SourceRow) {
        for field in mapping.order {
            guard let texts = mapping.rules[field]?.texts(in: row), let text = texts.first else { continue }
            switch field {
            case .ref: place.ref = text
            case .nameIn(let language):
                if text != place.name { place.names.append(PlaceRow.ForeignName(language: language, name: text)) }
            case .address: place.address = text
            case .region: place.region = text
            case .phone: place.phone = text
            case .website: place.website = WebAddress.address(text) ?? ""
            case .social: place.social = WebAddress.address(text) ?? ""
            case .fact(let key): place.facts.append(PlaceRow.Fact(key: key, value: texts.joined(separator: ", ")))
            case .name, .latitude, .longitude, .category, .hours: break
            }
        }
    }

    /// Of the field, then of the rules, else the default one; each once, the first three.
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

    /// A market that is open daily and has market days besides: the days are a fact, the hours every day.
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
        guard let east = Self.number(east), let north = Self.number(north) else {
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

    /// The number of a text; a comma is a decimal point if there is no other.
    private static func number(_ text: String) -> Double? {
        Double(text) ?? Double(text.replacing(",", with: "."))
    }

    private func checkLengths(of place: PlaceRow) throws(RowRefusal) {
        typealias Limit = PlaceRow.Limit
        let texts: [(String, String, Int)] =
            [
                ("name", place.name, Limit.name), ("ref", place.ref, Limit.ref),
                ("address", place.address, Limit.address), ("region", place.region ?? "", Limit.region),
                ("hours", place.hours, Limit.hours), ("phone", place.phone, Limit.phone),
            ] + place.names.map { ("name:\($0.language)", $0.name, Limit.name) }
            + place.facts.map { ("fact:\($0.key)", $0.value, Limit.fact) }
        for (field, text, limit) in texts where !RowText.fits(text, limit) {
            throw RowRefusal(line: place.line, reason: .text, field: field)
        }
    }

    /// The identity of a place without an id: name, address, and position to five decimals, about a metre.
    private static func hash(of place: PlaceRow) -> ContentHash {
        ContentHash(
            place.name.precomposedStringWithCanonicalMapping,
            place.address.precomposedStringWithCanonicalMapping,
            fiveDecimals(place.coordinate.latitude),
            fiveDecimals(place.coordinate.longitude)
        )
    }

    private static func fiveDecimals(_ degrees: Double) -> String { "\(Int((degrees * 100_000).rounded()))" }
}
