internal import PromisedDomain
internal import PromisedPlaces

/// The columns of `place` that a source fills, except `ref`; equal columns mean an unchanged place.
struct PlaceColumns: Hashable {
    private var latitude: Double
    private var longitude: Double
    private var categories: String
    private var region: String?
    private var hours: String
    private var name: String
    private var address: String
    private var names: String
    private var phone: String
    private var website: String
    private var social: String
    private var facts: String

    /// The names of the columns, in the order of ``values``.
    static let list = """
        latitude, longitude, categories, region, hours, name, address, names, phone, website, social, facts
        """

    /// Throws ``StoreError/broken(_:)`` for a name or fact with a line break.
    init(_ place: ImportedPlace) throws {
        latitude = place.coordinate.latitude
        longitude = place.coordinate.longitude
        categories = StoredCategories.text(place.categories)
        region = place.region?.text
        hours = place.hours
        name = place.name
        address = place.address
        names = try StoredPairs.text(place.names.map { ($0.language, $0.name) })
        phone = place.phone
        website = place.website
        social = place.social
        facts = try StoredPairs.text(place.facts.map { ($0.key, $0.value) })
    }

    /// The columns from a row that begins with the columns in ``list``, read by number because an import reads many
    /// rows.
    init(_ row: SQLRow) throws {
        latitude = try row.value(0)
        longitude = try row.value(1)
        categories = try row.value(2)
        region = try row.value(3)
        hours = try row.value(4)
        name = try row.value(5)
        address = try row.value(6)
        names = try row.value(7)
        phone = try row.value(8)
        website = try row.value(9)
        social = try row.value(10)
        facts = try row.value(11)
    }

    /// The values of the columns of ``list``.
    var values: [(any StoredValue)?] {
        [latitude, longitude, categories, region, hours, name, address, names, phone, website, social, facts]
    }

    /// The place with these columns.
    func place(ref: String) -> ImportedPlace {
        ImportedPlace(
            ref: ref,
            name: name,
            names: StoredPairs.pairs(names).map { DirectoryPlace.Name(language: $0.key, name: $0.value) },
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            address: address,
            region: region.map { RegionCode(text: $0) },
            categories: StoredCategories.ids(categories),
            hours: hours,
            phone: phone,
            website: website,
            social: social,
            facts: StoredPairs.pairs(facts).map { DirectoryPlace.Fact(key: $0.key, value: $0.value) }
        )
    }
}
