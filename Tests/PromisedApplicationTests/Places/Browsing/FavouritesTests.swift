import PromisedAccess
import PromisedDomain
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct FavouritesTests {
    private static func own(_ name: String) -> Place { Place(name: name, address: "somewhere", coordinate: .seoul) }

    @Test func `a favourite of the directory copies the place and shows its card`() async throws {
        try await PlaceWorld.run([.sample("광장시장", hours: "24/7")]) { world in
            let id = try await world.id("광장시장")
            let asked = Place(name: "My own words", coordinate: Coordinate(latitude: 1, longitude: 1), placeID: id)
            let shown = try await world.favourites.add(asked, label: " 밥 ", key: "k", contentHash: [1], of: .user(1))
            #expect(shown.favourite.place.name == "광장시장" && shown.favourite.place.coordinate == .seoul)
            #expect(shown.favourite.label == "밥" && shown.favourite.createdAt == world.clock.now)
            #expect(shown.card?.opening == .open && shown.card?.favouriteID == shown.favourite.id)
            let listed = try await world.favourites.list(of: .user(1), after: nil, limit: 10)
            #expect(listed.items == [shown] && listed.next == nil)
            #expect(try await world.favourites.list(of: .user(2), after: nil, limit: 10).items.isEmpty)
        }
    }

    @Test func `cleans a user's own place like those of promises`() async throws {
        try await PlaceWorld.run { world in
            let own = Place(name: "  집\u{301} ", address: "", coordinate: .seoul)
            let shown = try await world.favourites.add(own, label: "", key: "k", contentHash: [1], of: .user(1))
            #expect(shown.favourite.place.name == "집\u{301}" && shown.card == nil)
            for bad in [Place(name: "", coordinate: .seoul), Place(name: "a\nb", coordinate: .seoul)] {
                let error = await #expect(throws: TextProblem.self) {
                    try await world.favourites.add(bad, label: "", key: "l", contentHash: [2], of: .user(1))
                }
                #expect(error?.field == "place.name")
            }
            let error = await #expect(throws: TextProblem.self) {
                let label = String(repeating: "a", count: 41)
                return try await world.favourites.add(own, label: label, key: "m", contentHash: [3], of: .user(1))
            }
            #expect(error?.field == "label")
        }
    }

    @Test(.proves("addFavourite", "request.key-reused"))
    func `a repeated request gives the same favourite, different content is rejected`() async throws {
        try await PlaceWorld.run([.sample("광장시장")]) { world in
            let place = Place(name: "", coordinate: .seoul, placeID: try await world.id("광장시장"))
            let first = try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(1))
            let again = try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(1))
            // The place is known by now under another key.
            let other = try await world.favourites.add(place, label: "b", key: "l", contentHash: [2], of: .user(1))
            #expect(again == first && other == first)
            await #expect(throws: Refusal.requestKeyReused) {
                try await world.favourites.add(place, label: "c", key: "k", contentHash: [3], of: .user(1))
            }
            // A repetition is answered although the place was removed; a first request is refused.
            try await world.administration.remove(try #require(place.placeID), audit: nil)
            let late = try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(1))
            #expect(late.favourite == first.favourite && late.card?.isRemoved == true)
            await #expect(throws: ApplicationError.refused(.placeNotFound, field: "placeId")) {
                try await world.favourites.add(place, label: "", key: "k", contentHash: [1], of: .user(2))
            }
        }
    }

    @Test(.proves("place.not-found")) func `rejects an unknown place`() async throws {
        try await PlaceWorld.run { world in
            let unknown = Place(name: "x", coordinate: .seoul, placeID: PlaceID(high: 1, low: 1))
            await #expect(throws: ApplicationError.refused(.placeNotFound, field: "placeId")) {
                try await world.favourites.add(unknown, label: "", key: "k", contentHash: [1], of: .user(1))
            }
        }
    }

    @Test(.proves("11.14", "removeFavourite"), .defends("favourites-of-others"))
    func `does not remove another user's favourite`() async throws {
        try await PlaceWorld.run { world in
            let shown = try await world.favourites.add(
                Self.own("집"),
                label: "",
                key: "k",
                contentHash: [1],
                of: .user(1)
            )
            let unknown = ApplicationError.refused(.placeNotFound, field: "favouriteId")
            await #expect(throws: unknown) { try await world.favourites.remove(shown.favourite.id, of: .user(2)) }
            try await world.favourites.remove(shown.favourite.id, of: .user(1))
            await #expect(throws: unknown) { try await world.favourites.remove(shown.favourite.id, of: .user(1)) }
        }
    }

    @Test(.proves("11.14"))
    func `accepts five hundred favourites and rejects one more until another is removed`() async throws {
        try await PlaceWorld.run { world in
            @Sendable func add(_ number: Int) async throws -> FavouriteID {
                let bytes = [UInt8(number >> 8), UInt8(number & 255)]
                let place = Self.own("Place \(number)")
                let key = "key \(number)"
                return try await world.favourites.add(place, label: "", key: key, contentHash: bytes, of: .user(1))
                    .favourite.id
            }
            let ids = try await withThrowingTaskGroup(of: FavouriteID.self) { group in
                for number in 0..<Favourite.most { group.addTask { try await add(number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let error = await #expect(throws: ApplicationError.self) { try await add(500) }
            guard case .refused(.placeLimit, _, _) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            try await world.favourites.remove(ids[7], of: .user(1))
            _ = try await add(501)
            var (seen, cursor): (Set<FavouriteID>, FavouriteCursor?) = ([], nil)
            repeat {
                let page = try await world.favourites.list(of: .user(1), after: cursor, limit: 50)
                for item in page.items { #expect(seen.insert(item.favourite.id).inserted) }
                cursor = page.next
            } while cursor != nil
            #expect(seen.count == Favourite.most)
        }
    }
}
