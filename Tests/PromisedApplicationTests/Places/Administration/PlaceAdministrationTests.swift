import PromisedDomain
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PlaceAdministrationTests {
    private static func audit(_ action: String) -> AuditEntry {
        AuditEntry(at: PlaceWorld.noon, actor: "ops", action: action)
    }

    @Test func `adds a manual place to the operator's source and to the audit`() async throws {
        try await PlaceWorld.run { world in
            var place = ImportedPlace.sample("우리집 앞", hours: "24/7")
            place.ref = ""
            let made = try await world.administration.create(place, audit: Self.audit("createPlace"))
            let id = made.card.listing.id
            #expect(made.place.ref == "\(id)" && made.card.listing.source == PlaceAdministration.ownSource)
            #expect(made.card.opening == .open && made.place.updatedAt == world.clock.now)
            await world.rebuild()
            #expect(try await world.id("우리집 앞") == id)
            let entry = try #require(
                try await world.store.administration.audit(since: nil, after: nil, limit: 1).items.first
            )
            #expect(entry.action == "createPlace" && entry.subject == "\(id)")
        }
    }

    @Test func `adds a place to an existing source under a free ref`() async throws {
        try await PlaceWorld.run([.sample("A", ref: "1")]) { world in
            let made = try await world.administration.create(.sample("B", ref: "2"), in: "markets", audit: nil)
            #expect(made.place.listing.source == "markets" && made.place.listing.hours.timeZone == "Asia/Seoul")
            let refused: [(row: ImportedPlace, source: String, field: String)] = [
                (.sample("C", ref: "1"), "markets", "ref"), (.sample("C", ref: "3"), "cafes", "source"),
                (.sample("", ref: "3"), "markets", "name"), (.sample("C", category: "x"), "markets", "categories"),
            ]
            for (row, source, field) in refused {
                let error = await #expect(throws: ApplicationError.self) {
                    try await world.administration.create(row, in: source, audit: nil)
                }
                guard case .refused(.invalid(let found), _, let message?) = error else {
                    Issue.record("another error: \(String(describing: error))")
                    continue
                }
                #expect(found == field && !message.isEmpty)
            }
        }
    }

    @Test func `an edit replaces all but the ref, and derives the region from the address unless given`()
        async throws
    {
        try await PlaceWorld.run([.sample("A", ref: "1", phone: "02-1")]) { world in
            let id = try await world.id("A")
            let row = ImportedPlace.sample("B", ref: "another", address: "부산광역시 해운대구 1", phone: "02-2")
            let edited = try await world.administration.edit(id, to: row, audit: Self.audit("editPlace"))
            #expect(edited.place.phone == "02-2" && edited.place.ref == "1" && edited.card.listing.name == "B")
            #expect(edited.card.listing.region?.text == "KR-26/해운대구")
            var abroad = row
            abroad.region = RegionCode(text: "JP-13")
            let moved = try await world.administration.edit(id, to: abroad, audit: nil)
            #expect(moved.card.listing.region == abroad.region)
            var broken = row
            broken.website = "gopher://a"
            let sent = broken
            await #expect(throws: ApplicationError.self) {
                try await world.administration.edit(id, to: sent, audit: nil)
            }
            #expect(try await world.administration.show(id).place == moved.place)
        }
    }

    @Test func `a removed place cannot be edited or removed again`() async throws {
        try await PlaceWorld.run([.sample("A")]) { world in
            let id = try await world.id("A")
            try await world.administration.remove(id, audit: Self.audit("removePlace"))
            let unknown = ApplicationError.refused(.placeNotFound, field: "placeId")
            await #expect(throws: unknown) { try await world.administration.remove(id, audit: nil) }
            await #expect(throws: unknown) { try await world.administration.edit(id, to: .sample("B"), audit: nil) }
            await #expect(throws: unknown) { try await world.administration.show(PlaceID(high: 0, low: 1)) }
            #expect(try await world.administration.show(id).card.isRemoved)
        }
    }

    @Test func `lists all places in pages, by id, under a filter`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 25)) { world in
            try await world.importRows(
                [.sample("Café", category: "cafe")],
                source: PlaceSource(name: "cafes", timeZone: "UTC")
            )
            await world.rebuild()
            var (ids, cursor): ([PlaceID], PlaceCursor?) = ([], nil)
            let markets = PlaceFilter(sources: ["markets"])
            repeat {
                let page = try await world.administration.find("", filter: markets, after: cursor, limit: 10)
                ids += page.cards.map(\.listing.id)
                cursor = page.cursor.flatMap { PlaceCursor($0.text) }
            } while cursor != nil
            #expect(ids.count == 25 && ids == ids.sorted())
            #expect(try await world.administration.find("café", limit: 5).cards.map(\.listing.source) == ["cafes"])
        }
    }

    @Test(.proves("11.8"))
    func `deletes rows of removed places after thirty days unless users refer to them`() async throws {
        try await PlaceWorld.run([.sample("A"), .sample("B")]) { world in
            let (a, b) = (try await world.id("A"), try await world.id("B"))
            let place = Place(name: "", coordinate: .seoul, placeID: a)
            let kept = try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(1))
            for id in [a, b] { try await world.administration.remove(id, audit: nil) }
            world.clock.advance(by: PlaceAdministration.tombstoneRetention)
            #expect(try await world.administration.sweep() == 0)
            world.clock.advance(by: .milliseconds(1))
            #expect(try await world.administration.sweep() == 1)
            #expect(try await world.store.places.places([a, b]).map(\.listing.id) == [a])
            try await world.favourites.remove(kept.favourite.id, of: .user(1))
            #expect(try await world.administration.sweep() == 1)
        }
    }
}
