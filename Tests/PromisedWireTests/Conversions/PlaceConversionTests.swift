import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

/// Places of the directory in replies.
@Suite struct PlaceConversionTests {
    private static let placeID = PlaceID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00C1)
    private static let favouriteID = FavouriteID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00C2)
    private static let now = DomainSamples.meetsAt

    private static let listing = PlaceListing(
        id: placeID,
        name: "광장시장",
        address: "종로구 창경궁로 88",
        coordinate: Coordinate(latitude: 37.570_1, longitude: 126.999_7),
        categories: [CategoryID(text: "market/permanent"), CategoryID(text: "market/periodic")],
        region: RegionCode(text: "KR-11/종로구"),
        hours: PlaceHours(text: "Mo-Sa 09:00-18:00; PH off", timeZone: "Asia/Seoul"),
        source: "markets-kr",
        revision: 7
    )

    private static let source = CountedSource(
        PlaceSource(
            name: "markets-kr",
            title: "Markets",
            publisher: "SEMAS",
            licence: "KOGL 1",
            url: "https://example.org/markets",
            date: "2026-10-01",
            timeZone: "Asia/Seoul"
        ),
        count: 1_372
    )

    private static let place = DirectoryPlace(
        listing: listing,
        ref: "M-1",
        names: [DirectoryPlace.Name(language: "en", name: "Gwangjang Market")],
        phone: "+82 2 120",
        website: "https://market.example",
        social: "https://social.example/market",
        facts: [DirectoryPlace.Fact(key: "opened", value: "1905")],
        updatedAt: now - .days(2)
    )

    // MARK: - Cards

    @Test func `a card has all fields of maps and lists`() {
        let card = PlaceCard(
            listing: Self.listing,
            opening: .closed,
            opensAt: Self.now + .hours(1),
            closesAt: Self.now + .hours(2),
            distanceMetres: 12.5,
            favouriteID: Self.favouriteID,
            isRemoved: true
        )
        let wire = WirePlaceCard(card)
        #expect(wire.placeID == Self.placeID.wireText)
        #expect(wire.place.name == "광장시장" && wire.place.address == "종로구 창경궁로 88")
        #expect(wire.place.latitude == 37.570_1 && wire.place.longitude == 126.999_7 && !wire.place.hasPlaceID)
        #expect(wire.categories == ["market/permanent", "market/periodic"] && wire.region == "KR-11/종로구")
        #expect(wire.opening == .closed && wire.removed && wire.sourceName == "markets-kr")
        #expect(wire.opensAt == WireTimestamp(Self.now + .hours(1)))
        #expect(wire.closesAt == WireTimestamp(Self.now + .hours(2)))
        #expect(wire.distanceMetres == 12.5 && wire.favouriteID == Self.favouriteID.wireText)
    }

    @Test func `omits unknown fields of a card`() {
        var listing = Self.listing
        listing.region = nil
        let wire = WirePlaceCard(PlaceCard(listing: listing, opening: .unknown))
        #expect(!wire.hasOpensAt && !wire.hasClosesAt && !wire.hasDistanceMetres && !wire.removed)
        #expect(wire.favouriteID.isEmpty && wire.region.isEmpty && wire.opening == .unknown)
    }

    @Test func `a distance of 0 is a value`() {
        let wire = WirePlaceCard(PlaceCard(listing: Self.listing, opening: .open, distanceMetres: 0))
        #expect(wire.hasDistanceMetres)
    }

    @Test(arguments: OpeningState.allCases)
    func `decodes every encoded state of opening unchanged`(state: OpeningState) {
        #expect(OpeningState(WireOpening.Value(state)) == state)
        #expect(WireOpening.Value(state) != .unspecified)
    }

    @Test func `reads an unspecified or later state of opening as none`() {
        #expect(OpeningState(.unspecified) == nil && OpeningState(.UNRECOGNIZED(9)) == nil)
    }

    // MARK: - Lists

    @Test func `a view has cards, clusters and the numbers`() {
        let cluster = PlaceCluster(
            count: 12,
            coordinate: Coordinate(latitude: 37.5, longitude: 127),
            box: Box(south: 37, west: 126, north: 38, east: 128),
            expandZoom: 21,
            categories: [PlaceCluster.Category(id: CategoryID(text: "cafe"), count: 9)],
            label: CategoryID(text: "library")
        )
        let shown = ShownPlaces(
            cards: [PlaceCard(listing: Self.listing, opening: .open)],
            clusters: [cluster],
            total: 13,
            cellPixels: 128,
            sources: [Self.source]
        )
        let wire = WirePlaceView(shown)
        #expect(wire.cards.map(\.placeID) == [Self.placeID.wireText])
        #expect(wire.total == 13 && wire.cellPixels == 128)
        #expect(wire.clusters.count == 1 && wire.clusters[0].count == 12 && wire.clusters[0].expandZoom == 21)
        #expect(wire.clusters[0].latitude == 37.5 && wire.clusters[0].longitude == 127)
        #expect(wire.clusters[0].categories.map(\.id) == ["cafe"] && wire.clusters[0].categories[0].count == 9)
        #expect(wire.clusters[0].label == "library")
        #expect(wire.clusters[0].box == WireBox(cluster.box) && wire.clusters[0].box.east == 128)
        #expect(wire.sources.map(\.licence) == ["KOGL 1"] && wire.sources[0].count == 1_372)
    }

    @Test func `the cursor of a page returns to it`() throws {
        let cursor = PlaceCursor(version: 3, shown: 20, grade: 4, order: .distance(812.25), id: Self.placeID)
        let page = PlaceCards(cards: [PlaceCard(listing: Self.listing, opening: .open)], cursor: cursor, sources: [])
        #expect(try PlaceCursor(wire: WirePlaces(page).cursor) == cursor)
        #expect(WirePlaces(PlaceCards(cards: [], sources: [])).cursor.isEmpty)
        #expect(throws: WireError.invalid(field: "cursor")) { try PlaceCursor(wire: "3.20") }
    }

    @Test(arguments: [(BilingualName.Language.english, "Library", "Seoul"), (.korean, "도서관", "서울")])
    func `categories and regions have names in the caller's language`(
        language: BilingualName.Language,
        category: String,
        region: String
    ) {
        let counted = PlaceCategory.builtIn.filter { $0.id.text == "library" }.map { CountedCategory($0, count: 5) }
        let categories = WireCategories(counted, sources: [Self.source], in: language)
        #expect(categories.categories.map(\.name) == [category] && categories.categories[0].icon == "library")
        #expect(categories.categories[0].id == "library" && categories.categories[0].count == 5)
        #expect(categories.sources.map(\.name) == ["markets-kr"])
        let seoul = CountedRegion(
            code: RegionCode(text: "KR-11"),
            name: BilingualName(english: "Seoul", korean: "서울"),
            count: 3,
            box: .world
        )
        let regions = WireRegions([seoul], in: language).regions
        #expect(regions.map(\.name) == [region] && regions[0].code == "KR-11" && regions[0].count == 3)
        #expect(regions[0].box == WireBox(.world))
    }

    @Test func `a favourite has a card if its place is in the directory`() {
        let favourite = Favourite(id: Self.favouriteID, label: "책", place: Self.listing.place, createdAt: Self.now)
        let card = PlaceCard(listing: Self.listing, opening: .open, favouriteID: Self.favouriteID)
        let wire = WireFavourite(ShownFavourite(favourite, card: card))
        #expect(wire.favouriteID == Self.favouriteID.wireText && wire.label == "책")
        #expect(wire.place.placeID == Self.placeID.wireText && wire.card == WirePlaceCard(card))
        #expect(!WireFavourite(ShownFavourite(favourite, card: nil)).hasCard)
    }

    @Test func `a text to share has its links`() {
        let writer = ShareTextWriter(language: .english)
        let shared = writer.text(of: SharedPlace(Self.listing.place), today: .closed)
        let wire = WireShareText(shared)
        #expect(wire.text == shared.text && wire.links.map(\.url) == shared.links.map(\.url))
        #expect(wire.links.count == 2 && wire.links.map(\.name) == shared.links.map(\.name))
    }

    // MARK: - Details

    @Test func `details have the week in the place's time zone`() throws {
        // 2026-11-21 is a Saturday.
        let hours = try #require(OpeningHours("Mo-Fr 09:00-18:00; Sa 20:00-26:00; PH off"))
        let details = PlaceDetails(
            card: PlaceCard(listing: Self.listing, opening: .open),
            place: Self.place,
            week: hours.week(from: Self.now, in: ZoneOffsets(offsetSeconds: 32_400)),
            source: Self.source,
            myVisits: 2
        )
        let wire = WirePlaceDetails(details)
        #expect(wire.week.count == 7 && wire.week.map(\.date).first == "2026-11-21")
        #expect(wire.week.map(\.opening) == [.open, .closed, .open, .open, .open, .open, .open])
        #expect(wire.week[0].spans.map(\.from) == ["20:00"] && wire.week[0].spans.map(\.to) == ["26:00"])
        #expect(wire.week[2].spans.map(\.from) == ["09:00"])
        #expect(wire.holidaysUnknown && wire.timeZone == "Asia/Seoul" && wire.hours == Self.listing.hours.text)
        #expect(wire.names.map(\.language) == ["en"] && wire.names.map(\.name) == ["Gwangjang Market"])
        #expect(wire.facts.map(\.key) == ["opened"] && wire.facts.map(\.value) == ["1905"])
        #expect(wire.phone == "+82 2 120" && wire.website == "https://market.example")
        #expect(wire.social == "https://social.example/market" && wire.myVisits == 2)
        #expect(wire.source.title == "Markets" && wire.updatedAt == WireTimestamp(Self.now - .days(2)))
    }

    @Test func `unreadable hours have no week`() {
        let card = PlaceCard(listing: Self.listing, opening: .unknown)
        let details = PlaceDetails(card: card, place: Self.place, week: nil, source: Self.source)
        #expect(WirePlaceDetails(details).week.isEmpty && !WirePlaceDetails(details).holidaysUnknown)
        #expect(!WireAdminPlace(details).hoursReadable)
    }

    // MARK: - For administrators

    @Test func `decodes an encoded row unchanged`() {
        let row = ImportedPlace(Self.place)
        #expect(ImportedPlace(WirePlaceRow(row)) == row)
        let bare = ImportedPlace(ref: "r", name: "n", coordinate: Self.listing.coordinate, categories: [])
        #expect(ImportedPlace(WirePlaceRow(bare)) == bare)
    }

    @Test func `an administrator sees source, time zone and removal of a place`() {
        var place = Self.place
        place.removedAt = Self.now
        let card = PlaceCard(listing: Self.listing, opening: .unknown, isRemoved: true)
        let wire = WireAdminPlace(PlaceDetails(card: card, place: place, week: nil, source: Self.source))
        #expect(wire.placeID == Self.placeID.wireText && wire.sourceName == "markets-kr")
        #expect(wire.row == WirePlaceRow(ImportedPlace(place)) && wire.timeZone == "Asia/Seoul")
        #expect(wire.removedAt == WireTimestamp(Self.now) && wire.updatedAt == WireTimestamp(place.updatedAt))
    }

    @Test func `decodes an encoded source unchanged`() {
        let wire = WireAdminSource(Self.source, isImporting: true)
        #expect(PlaceSource(wire.source, timeZone: wire.timeZone) == Self.source.source)
        #expect(wire.importing && wire.source.count == 1_372)
    }
}
