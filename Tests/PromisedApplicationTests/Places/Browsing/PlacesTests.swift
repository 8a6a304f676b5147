import PromisedAccess
import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PlacesTests {
    private static let rows: [ImportedPlace] = [
        .sample("광장시장", metres: 0, hours: "Mo-Sa 09:00-18:00"),
        .sample("망원시장", metres: 100, address: "서울특별시 마포구 포은로8길 14", hours: "Mo-Su 08:00-21:00"),
        .sample("모란장", metres: 200, category: "market/periodic", address: "경기도 성남시 중원구 1", hours: "day 4,9"),
        .sample("Starbucks", metres: 300, category: "cafe", address: "", hours: "nonsense"),
        .sample("별책방", metres: 400, category: "bookshop/used", address: "세종특별자치시 1"),
    ]

    // MARK: - What there is

    @Test(.proves("11.7", "listCategories"))
    func `categories have the numbers of their places, and sources their attribution`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let (categories, sources) = try await world.places.listCategories()
            #expect(categories.map(\.category) == PlaceCategory.builtIn)
            let counts = categories.filter { $0.count > 0 }.map { "\($0.category.id.text) \($0.count)" }
            #expect(counts == ["market/permanent 2", "market/periodic 1", "bookshop/used 1", "cafe 1"])
            #expect(sources == [CountedSource(.market, count: 5)])
        }
    }

    @Test(.proves("listRegions"))
    func `regions have both names, numbers and boxes, and parts by their parent`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let regions = try await world.places.listRegions(in: nil)
            #expect(regions.map { "\($0.code.text) \($0.count)" } == ["KR-11 2", "KR-41 1", "KR-50 1"])
            #expect(regions.first?.name == BilingualName(english: "Seoul", korean: "서울특별시"))
            let seoul = RegionCode(text: "KR-11")
            let parts = try await world.places.listRegions(in: seoul)
            #expect(parts.map(\.code.text) == ["KR-11/마포구", "KR-11/종로구"])
            #expect(parts.map(\.name.english) == ["마포구", "종로구"] && parts.map(\.count) == [1, 1])
            let north = try #require(parts.first).box.north
            #expect(regions.first?.box.north == north && regions.first?.box.south == 37.57)
            #expect(try await world.places.listRegions(in: RegionCode(text: "XX-1")).isEmpty)
        }
    }

    // MARK: - Cards

    @Test func `cards show the opening now, or at the time of the filter`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let now = world.clock.now
            func states(_ openAt: Instant?) async throws -> [String: OpeningState] {
                let choice = PlaceChoice(PlaceFilter(openAt: openAt))
                let cards = try await world.places.view(.seoul, zoom: 20, choice, for: .user(1)).cards
                return Dictionary(uniqueKeysWithValues: cards.map { ($0.listing.name, $0.opening) })
            }
            let atNoon = try await states(nil)
            #expect(atNoon["광장시장"] == .open && atNoon["망원시장"] == .open && atNoon["모란장"] == .closed)
            #expect(atNoon["Starbucks"] == .unknown && atNoon["별책방"] == .unknown)
            // 20:00 of the same Monday: closed places are left out.
            #expect(try await states(now + .hours(8)) == ["망원시장": .open])
            // Noon of the 24th, a day of the periodic market, whose hours are unknown.
            let tomorrow = try await states(now + .days(1))
            #expect(tomorrow == ["광장시장": .open, "망원시장": .open, "모란장": .thatDay])
            let card = try await world.places.search("광장시장", limit: 1, for: .user(1)).cards.first
            #expect(card?.closesAt == now + .hours(6) && card?.opensAt == nil)
        }
    }

    @Test func `cards show only the caller's favourites, and a filter selects them`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let id = try await world.id("모란장")
            let place = Place(name: "", coordinate: .seoul, placeID: id)
            let added = try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(1))
            let mine = try await world.places.view(.seoul, zoom: 20, for: .user(1)).cards
            #expect(mine.filter { $0.favouriteID != nil }.map(\.listing.id) == [id])
            #expect(mine.first { $0.listing.id == id }?.favouriteID == added.favourite.id)
            #expect(
                try await world.places.view(.seoul, zoom: 20, for: .user(2)).cards.allSatisfy { $0.favouriteID == nil }
            )
            let only = PlaceChoice(favouritesOnly: true)
            #expect(try await world.places.view(.seoul, zoom: 5, only, for: .user(1)).cards.map(\.listing.id) == [id])
            #expect(try await world.places.view(.seoul, zoom: 5, only, for: .user(2)).total == 0)
        }
    }

    // MARK: - The map

    @Test(.proves("11.7", "viewPlaces"))
    func `a view has the sources of its places and the counts of the whole directory`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let cafes = PlaceSource(name: "cafes", title: "Cafés", timeZone: "Asia/Seoul")
            try await world.importRows([.sample("Far", metres: 300_000, category: "cafe")], source: cafes)
            await world.rebuild()
            let near = try await world.places.view(.seoul, zoom: 10, for: .user(1))
            #expect(near.total == 5 && near.sources == [CountedSource(.market, count: 5)])
            let all = try await world.places.view(.world, zoom: 1, for: .user(1))
            #expect(all.total == 6 && all.sources.map(\.source.name) == ["cafes", "markets"])
            #expect(all.clusters.map(\.count) == [6])
        }
    }

    @Test(.proves("11.11", "viewPlaces"))
    func `a view that does not fit its frame has fewer items and the same total`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 200)) { world in
            let whole = try await world.places.view(.seoul, zoom: 19, limit: 500, for: .user(1))
            #expect(whole.cards.count == 200)
            let fitting = try await world.places.view(.seoul, zoom: 19, limit: 500, for: .user(1)) {
                $0.cards.count < 50
            }
            #expect(fitting.cards.count < 50 && fitting.cards.count + fitting.clusters.count < 200)
            #expect(fitting.total == 200 && fitting.cellPixels > 64)
            // Replies even if no item fits.
            let least = try await world.places.view(.seoul, zoom: 19, for: .user(1)) { _ in false }
            #expect(least.total == 200)
        }
    }

    @Test(.proves("nearbyPlaces")) func `lists nearby places nearest first, in pages`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            var (names, cursor): ([String], PlaceCursor?) = ([], nil)
            repeat {
                let page = try await world.places.nearby(
                    .seoul,
                    radiusMetres: 350,
                    after: cursor,
                    limit: 3,
                    for: .user(1)
                )
                #expect(page.sources.map(\.source.name) == ["markets"])
                names += page.cards.map(\.listing.name)
                #expect(page.cards.allSatisfy { ($0.distanceMetres ?? 1_000) < 350 })
                cursor = page.cursor
            } while cursor != nil
            #expect(names == ["광장시장", "망원시장", "모란장", "Starbucks"])
        }
    }

    @Test(.proves("searchPlaces"))
    func `pages of a search are complete and without duplicates while the directory changes`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 100)) { world in
            var (names, cursor): ([String], PlaceCursor?) = ([], nil)
            var turn = 0
            repeat {
                let page = try await world.places.search("place", after: cursor, limit: 10, for: .user(1))
                names += page.cards.map(\.listing.name)
                // The cursor is sent to the client and back as a text.
                cursor = page.cursor.flatMap { PlaceCursor($0.text) }
                turn += 1
                // Another place between the others, and some that change.
                try await world.importRows([
                    .sample("Place 5\(turn)5", metres: 5), .sample("Place \(90 + turn % 10)", metres: 7),
                ])
                await world.rebuild()
            } while cursor != nil
            #expect(Set(names).count == names.count)
            #expect(Set(names).isSuperset(of: (0..<90).map { "Place \($0)" }))
        }
    }

    // MARK: - One place

    @Test(.proves("getPlace"))
    func `details have the week, the source and every field of the directory`() async throws {
        var row = ImportedPlace.sample("광장시장", hours: "Mo-Sa 09:00-18:00; PH off", phone: "02-123")
        row.names = [DirectoryPlace.Name(language: "en", name: "Gwangjang Market")]
        row.website = "https://example.org/a"
        row.facts = [DirectoryPlace.Fact(key: "parking", value: "yes")]
        try await PlaceWorld.run([row]) { [row] world in
            let details = try await world.places.details(of: try await world.id("광장시장"), for: .user(1))
            #expect(ImportedPlace(details.place).names == row.names && details.place.facts == row.facts)
            #expect(details.place.phone == "02-123" && details.place.website == row.website)
            #expect(details.source == CountedSource(.market, count: 1))
            #expect(details.card.opening == .open && details.card.listing.region?.text == "KR-11/종로구")
            let week = try #require(details.week)
            #expect(week.days.map(\.spans.count) == [1, 1, 1, 1, 1, 1, 0] && !week.holidaysUnknown)
            #expect(week.days.first?.spans.first?.from == "09:00")
        }
    }

    @Test(.proves("getPlace"))
    func `a removed place has details marked as removed, an unknown one does not exist`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let id = try await world.id("모란장")
            try await world.administration.remove(id, audit: nil)
            await world.rebuild()
            let details = try await world.places.details(of: id, for: .user(1))
            #expect(details.card.isRemoved && details.card.listing.name == "모란장")
            #expect(try await world.places.view(.seoul, zoom: 20, for: .user(1)).total == 4)
            await #expect(throws: ApplicationError.refused(.placeNotFound, field: "placeId")) {
                try await world.places.details(of: PlaceID(high: 0, low: 1), for: .user(1))
            }
        }
    }

    // MARK: - Refusals

    @Test(.defends("forged-cursors")) func `rejects a value out of range with its field`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            let (places, user) = (world.places, UserID.user(1))
            func field(_ act: () async throws -> Void) async -> String {
                do {
                    try await act()
                    return "taken"
                } catch Refusal.invalid(let field) {
                    return field
                } catch ApplicationError.refused(.invalid(let field), _, _) {
                    return field
                } catch let problem as TextProblem {
                    return problem.field
                } catch {
                    return "\(error)"
                }
            }
            let upsideDown = Box(south: 38, west: 126, north: 37, east: 127)
            #expect(await field { _ = try await places.view(upsideDown, zoom: 5, for: user) } == "box")
            #expect(await field { _ = try await places.view(.seoul, zoom: -1, for: user) } == "zoom")
            #expect(await field { _ = try await places.view(.seoul, zoom: 21, for: user) } == "zoom")
            #expect(await field { _ = try await places.view(.seoul, zoom: 20, for: user) } == "taken")
            #expect(await field { _ = try await places.view(.seoul, zoom: 5, limit: 0, for: user) } == "limit")
            #expect(await field { _ = try await places.view(.seoul, zoom: 5, limit: 9_999, for: user) } == "taken")
            let seventeen = PlaceChoice(PlaceFilter(categories: Array(repeating: CategoryID(text: "cafe"), count: 17)))
            #expect(
                await field { _ = try await places.view(.seoul, zoom: 5, seventeen, for: user) } == "filter.categories"
            )
            let sources = PlaceChoice(PlaceFilter(sources: Array(repeating: "markets", count: 9)))
            #expect(await field { _ = try await places.search("a", sources, limit: 1, for: user) } == "filter.sources")
            for radius in [-1, 50_000.5, .nan, .infinity] {
                let act: () async throws -> Void = {
                    _ = try await places.nearby(.seoul, radiusMetres: radius, limit: 1, for: user)
                }
                #expect(await field(act) == "radiusMetres")
            }
            let nowhere = Coordinate(latitude: 91, longitude: 0)
            #expect(
                await field { _ = try await places.nearby(nowhere, radiusMetres: 1, limit: 1, for: user) } == "latitude"
            )
            #expect(await field { _ = try await places.search("a", near: nowhere, limit: 1, for: user) } == "near")
            #expect(await field { _ = try await places.search("a", box: upsideDown, limit: 1, for: user) } == "box")
            let texts = [
                "", "  ", "!?", String(repeating: "a", count: 61), "a b c d e f", String(repeating: "a", count: 2_000),
            ]
            for text in texts {
                #expect(await field { _ = try await places.search(text, limit: 1, for: user) } == "text", "\(text)")
            }
            let sixty = String(repeating: "a", count: 60)
            #expect(await field { _ = try await places.search(sixty, limit: 1, for: user) } == "taken")
        }
    }

    @Test(.proves("searchPlaces"), .defends("forged-cursors"))
    func `rejects the cursor of a list in another order`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 5)) { world in
            let byName = try await world.places.search("place", limit: 1, for: .user(1)).cursor
            let byDistance = try await world.places.search("place", near: .seoul, limit: 1, for: .user(1)).cursor
            try #require(byName != nil && byDistance != nil)
            await #expect(throws: Refusal.invalid(field: "cursor")) {
                try await world.places.search("place", near: .seoul, after: byName, limit: 1, for: .user(1))
            }
            await #expect(throws: Refusal.invalid(field: "cursor")) {
                try await world.places.search("place", after: byDistance, limit: 1, for: .user(1))
            }
            await #expect(throws: Refusal.invalid(field: "cursor")) {
                try await world.places.nearby(.seoul, radiusMetres: 100, after: byName, limit: 1, for: .user(1))
            }
        }
    }

    // MARK: - Privacy

    @Test(.defends("logged-searches"))
    func `logs no search texts, points and boxes at debug level`() async throws {
        try await PlaceWorld.run(Self.rows) { world in
            _ = try await world.places.search("비밀모임", near: .seoul, limit: 5, for: .user(1))
            _ = try? await world.places.search("비밀모임 a b c d e", limit: 5, for: .user(1))
            _ = try await world.places.view(.seoul, zoom: 10, for: .user(1))
            _ = try await world.places.nearby(.seoul, radiusMetres: 500, limit: 5, for: .user(1))
            let log = world.log.records.joined(separator: "\n")
            #expect(log.contains("The index of places was built"))
            for secret in ["비밀", "37.", "126.", "127."] { #expect(!log.contains(secret), "\(secret)") }
        }
    }
}
