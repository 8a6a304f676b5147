internal import PromisedDomain
package import PromisedPlaces

/// The places of the directory as of one moment, for ``PlaceStore/readDirectory(_:)``; valid only during that call.
package struct DirectoryReader {
    private let db: SQLConnection
    /// How many places ``forEachPlace(_:)`` passes on.
    package let count: Int

    init(_ db: SQLConnection) throws {
        self.db = db
        count = try db.number("SELECT coalesce(sum(places), 0) FROM place_source", named: [:])
    }

    /// Calls `body` for every place of the directory that is not removed, with its further names, in no particular
    /// order.
    ///
    /// - Throws: errors of `body` and of reading.
    package func forEachPlace(_ body: (PlaceListing, [String]) throws -> Void) throws {
        let sources = try PlaceSourceRecord.all(from: db)
        var categories = Repeated { StoredCategories.ids($0) }
        var regions = Repeated { RegionCode(text: $0) }
        let rows = try db.cursor(PlaceListQuery.all, once: true)
        while let row = try rows.next() {
            guard let source = sources[try row.value(1)] else {
                throw StoreError.damaged("A place without a source")
            }
            let region: String? = try row.value(6)
            let names: String = try row.value(10)
            let listing = PlaceListing(
                id: try row.value(0),
                name: try row.value(8),
                address: try row.value(9),
                coordinate: Coordinate(latitude: try row.value(3), longitude: try row.value(4)),
                categories: categories[try row.value(5)],
                region: region.map { regions[$0] },
                hours: PlaceHours(text: try row.value(7), timeZone: source.timeZone),
                source: source.name,
                revision: try row.value(2)
            )
            try body(listing, names.isEmpty ? [] : StoredPairs.pairs(names).map(\.value))
        }
    }
}

/// Values of repeated texts, each created once.
private struct Repeated<Value> {
    private var values: [String: Value] = [:]
    private let make: (String) -> Value

    init(_ make: @escaping (String) -> Value) { self.make = make }

    subscript(text: String) -> Value {
        mutating get {
            if let value = values[text] { return value }
            let value = make(text)
            values[text] = value
            return value
        }
    }
}
