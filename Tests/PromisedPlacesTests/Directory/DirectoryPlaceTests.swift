import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct DirectoryPlaceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Nil: the place is correct.
        var field: String?
        var change: @Sendable (inout DirectoryPlace) -> Void
        var testDescription: String { name }

        init(_ name: String, _ field: String?, _ change: @escaping @Sendable (inout DirectoryPlace) -> Void) {
            (self.name, self.field, self.change) = (name, field, change)
        }
    }

    private static func text(_ count: Int) -> String { String(repeating: "광", count: count) }

    private static func names(_ count: Int) -> [DirectoryPlace.Name] {
        (0..<count).map { DirectoryPlace.Name(language: "l\($0)", name: "광장") }
    }

    private static func facts(_ count: Int) -> [DirectoryPlace.Fact] {
        (0..<count).map { DirectoryPlace.Fact(key: text(in: $0), value: "") }
    }

    private static func text(in number: Int) -> String { String(repeating: "a", count: number + 1) }

    private static func categories(_ ids: String...) -> [CategoryID] { ids.map(CategoryID.init(text:)) }

    static let rows = [
        Row("as it is", nil) { _ in },
        Row("no name", "name") { $0.listing.name = "" },
        Row("a name of 100 characters", nil) { $0.listing.name = text(100) },
        Row("a name of 101", "name") { $0.listing.name = text(101) },
        Row("an address of 200", nil) { $0.listing.address = text(200) },
        Row("an address of 201", "address") { $0.listing.address = text(201) },
        Row("the pole", nil) { $0.listing.coordinate.latitude = 90 },
        Row("beyond the pole", "coordinate") { $0.listing.coordinate.latitude = 90.01 },
        Row("no category", "categories") { $0.listing.categories = [] },
        Row("three categories", nil) { $0.listing.categories = categories("cafe", "park", "library") },
        Row("four categories", "categories") { $0.listing.categories = categories("cafe", "park", "library", "event") },
        Row("one category twice", "categories") { $0.listing.categories = categories("cafe", "cafe") },
        Row("hours of 300", nil) { $0.listing.hours.text = text(300) },
        Row("hours of 301", "hours") { $0.listing.hours.text = text(301) },
        Row("a source of 40", nil) { $0.listing.source = String(repeating: "a", count: 40) },
        Row("a source of 41", "source") { $0.listing.source = String(repeating: "a", count: 41) },
        Row("no source", "source") { $0.listing.source = "" },
        Row("a source in capitals", "source") { $0.listing.source = "OSM" },
        Row("a ref of 100", nil) { $0.ref = text(100) },
        Row("a ref of 101", "ref") { $0.ref = text(101) },
        Row("four names", nil) { $0.names = names(4) },
        Row("five names", "names") { $0.names = names(5) },
        Row("a language twice", "names") { $0.names = names(1) + names(1) },
        Row("an empty name", "names") { $0.names[0].name = "" },
        Row("a phone of 40", nil) { $0.phone = text(40) },
        Row("a phone of 41", "phone") { $0.phone = text(41) },
        Row("a page", nil) { $0.website = "HTTPS://example.org/" },
        Row("a page of 300", nil) { $0.website = "http://" + text(293) },
        Row("a page of 301", "website") { $0.website = "http://" + text(294) },
        Row("a page that is none", "website") { $0.website = "http:산본전통시장.kr" },
        Row("another scheme", "social") { $0.social = "javascript:alert(1)" },
        Row("16 facts", nil) { $0.facts = facts(16) },
        Row("17 facts", "facts") { $0.facts = facts(17) },
        Row("a fact twice", "facts") { $0.facts = facts(1) + facts(1) },
        Row("a key of 24", nil) { $0.facts = [.init(key: String(repeating: "a", count: 24), value: "")] },
        Row("a key of 25", "facts.key") { $0.facts = [.init(key: String(repeating: "a", count: 25), value: "")] },
        Row("a key with a digit", "facts.key") { $0.facts = [.init(key: "a1", value: "")] },
        Row("a fact of 100", nil) { $0.facts = [.init(key: "a", value: text(100))] },
        Row("a fact of 101", "facts") { $0.facts = [.init(key: "a", value: text(101))] },
    ]

    @Test(.proves("11.1"), arguments: rows)
    func `each field has its limits`(row: Row) {
        let listing = PlaceListing(
            id: PlaceID(high: 1, low: 1),
            name: "광장시장",
            coordinate: Coordinate(latitude: 37.57, longitude: 127),
            categories: [CategoryID(text: "market/permanent")],
            source: "markets-kr",
            revision: 1
        )
        var place = DirectoryPlace(
            listing: listing,
            ref: "1",
            names: [.init(language: "en", name: "Gwangjang Market")],
            updatedAt: Instant(milliseconds: 0)
        )
        row.change(&place)
        do {
            try place.check()
            #expect(row.field == nil)
        } catch {
            #expect(error.field == row.field)
            #expect(error.description.contains("use ") || error.description.contains("begin "))
        }
    }

    // MARK: - Boxes and filters

    @Test(arguments: [
        (Box(south: 37, west: 126, north: 38, east: 127), 37.0, 126.0, true),
        (Box(south: 37, west: 126, north: 38, east: 127), 38.0, 127.0, true),
        (Box(south: 37, west: 126, north: 38, east: 127), 36.999, 126.5, false),
        (Box(south: 37, west: 126, north: 38, east: 127), 37.5, 127.001, false),
        (Box(south: -10, west: 170, north: 10, east: -170), 0, 180, true),
        (Box(south: -10, west: 170, north: 10, east: -170), 0, -180, true),
        (Box(south: -10, west: 170, north: 10, east: -170), 0, -170, true),
        (Box(south: -10, west: 170, north: 10, east: -170), 0, 169.9, false),
        (Box(south: -10, west: 170, north: 10, east: -170), 0, 0, false),
        (Box.world, 90, -180, true), (Box.world, -90, 180, true),
    ])
    func `a box contains its edges and can cross the date line`(
        box: Box,
        latitude: Double,
        longitude: Double,
        isInside: Bool
    ) {
        #expect(box.isValid)
        #expect(box.contains(Coordinate(latitude: latitude, longitude: longitude)) == isInside)
    }

    @Test(arguments: [
        Box(south: 1, west: 0, north: 0, east: 1), Box(south: -91, west: 0, north: 0, east: 1),
        Box(south: 0, west: 0, north: 1, east: 181), Box(south: .nan, west: 0, north: 1, east: 1),
    ])
    func `rejects boxes upside down or beyond the earth`(box: Box) {
        #expect(!box.isValid)
    }

    @Test func `a filter has a limited number of values`() {
        let categories = (0..<17).map { CategoryID(text: "c\($0)") }
        let regions = (0..<17).map { RegionCode(text: "r\($0)") }
        #expect(throws: Never.self) {
            try PlaceFilter(
                categories: Array(categories.prefix(16)),
                regions: Array(regions.prefix(16)),
                sources: (0..<8).map(String.init)
            ).check()
        }
        #expect(throws: PlaceProblem(field: "categories", reason: "are 17: use at most 16")) {
            try PlaceFilter(categories: categories).check()
        }
        #expect(throws: PlaceProblem(field: "regions", reason: "are 17: use at most 16")) {
            try PlaceFilter(regions: regions).check()
        }
        #expect(throws: PlaceProblem(field: "sources", reason: "are 9: use at most 8")) {
            try PlaceFilter(sources: (0..<9).map(String.init)).check()
        }
    }

    @Test(arguments: [
        (PlaceFilter(), true), (PlaceFilter(categories: [CategoryID(text: "bookshop")]), true),
        (PlaceFilter(categories: [CategoryID(text: "bookshop/used")]), true),
        (PlaceFilter(categories: [CategoryID(text: "bookshop/new")]), false),
        (PlaceFilter(categories: [CategoryID(text: "book")]), false),
        (PlaceFilter(regions: [RegionCode(text: "KR-11")]), true),
        (PlaceFilter(regions: [RegionCode(text: "KR-11/종로구")]), true),
        (PlaceFilter(regions: [RegionCode(text: "KR-1")]), false), (PlaceFilter(sources: ["osm"]), true),
        (PlaceFilter(sources: ["other"]), false), (PlaceFilter(openAt: Instant(milliseconds: 0)), true),
        (PlaceFilter(favourites: []), false), (PlaceFilter(favourites: [PlaceID(high: 1, low: 1)]), true),
    ])
    func `a filter includes the parts of its values`(filter: PlaceFilter, isAllowed: Bool) {
        let listing = PlaceListing(
            id: PlaceID(high: 1, low: 1),
            name: "헌책방",
            coordinate: Coordinate(latitude: 37.57, longitude: 127),
            categories: [CategoryID(text: "cafe"), CategoryID(text: "bookshop/used")],
            region: RegionCode(text: "KR-11/종로구"),
            source: "osm",
            revision: 1
        )
        #expect(filter.allows(listing) { _ in .thatDay } == isAllowed)
        #expect(filter.allows(listing) { _ in .closed } == (isAllowed && filter.openAt == nil))
        #expect(filter.allowsAll == (filter == PlaceFilter()))
    }
}
