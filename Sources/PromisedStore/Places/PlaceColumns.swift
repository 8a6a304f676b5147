internal import GRDB
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
    init(_ row: Row) throws {
        latitude = try row.decode(atIndex: 0)
        longitude = try row.decode(atIndex: 1)
        categories = try row.decode(atIndex: 2)
        region = try row.decode(atIndex: 3)
        hours = try row.decode(atIndex: 4)
        name = try row.decode(atIndex: 5)
        address = try row.decode(atIndex: 6)
        names = try row.decode(atIndex: 7)
        phone = try row.decode(atIndex: 8)
        website = try row.decode(atIndex: 9)
        social = try row.decode(atIndex: 10)
        facts = try row.decode(atIndex: 11)
    }

    /// The values of the columns of ``list``.
    var values: [DatabaseValue] {
        [
            latitude.databaseValue, longitude.databaseValue, categories.databaseValue,
            region?.databaseValue ?? .null, hours.databaseValue, name.databaseValue, address.databaseValue,
            names.databaseValue, phone.databaseValue, website.databaseValue, social.databaseValue,
            facts.databaseValue,
        ]
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
