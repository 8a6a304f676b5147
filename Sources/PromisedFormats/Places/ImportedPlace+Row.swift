package import PromisedPlaces

extension ImportedPlace {
    /// The place of a row. Throws a refusal for a malformed category or region.
    package init(_ row: PlaceRow) throws(RowRefusal) {
        var region: RegionCode?
        if let text = row.region {
            guard let code = RegionCode(text) else { throw RowRefusal(line: row.line, reason: .text, field: "region") }
            region = code
        }
        let categories = row.categories.compactMap { CategoryID($0) }
        guard categories.count == row.categories.count else { throw RowRefusal(line: row.line, reason: .noCategory) }
        self.init(
            ref: row.ref,
            name: row.name,
            names: row.names.map { DirectoryPlace.Name(language: $0.language, name: $0.name) },
            coordinate: row.coordinate,
            address: row.address,
            region: region,
            categories: categories,
            hours: row.hours,
            phone: row.phone,
            website: row.website,
            social: row.social,
            facts: row.facts.map { DirectoryPlace.Fact(key: $0.key, value: $0.value) }
        )
    }
}
