import GRDB
import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PlaceVerificationTests {
    /// A fault to insert past the checks of the schema, and the checks that must find it. The directory has two places,
    /// one of them a favourite and the place of a promise.
    @Test(arguments: [
        ("UPDATE place_source SET places = 3", ["places-counted"]),
        ("UPDATE place SET removed_at = 1 WHERE ref = 'ref-2'", ["places-counted"]),
        ("DELETE FROM place_source", ["references", "references"]),
        (
            "UPDATE place_source SET removed_at = 1",
            ["present-place-of-present-source", "present-place-of-present-source"]
        ),
        ("UPDATE place SET revision = revision + 1 WHERE ref = 'ref-1'", ["revision-in-range"]),
        ("DELETE FROM meta WHERE key = 'directory-version'", ["revision-in-range", "revision-in-range"]),
        ("UPDATE place SET categories = 'cafe nowhere' WHERE ref = 'ref-2'", ["categories-known"]),
        // The favourite and the promise.
        ("DELETE FROM place WHERE ref = 'ref-1'; UPDATE place_source SET places = 1", ["references", "references"]),
        ("UPDATE favourite SET place_id = x'00'", ["references"]),
        ("UPDATE promise SET place_id = x'00'", ["references"]),
        ("UPDATE place SET latitude = 90.1 WHERE ref = 'ref-1'", ["coordinates-in-range"]),
        ("UPDATE place SET longitude = -180.1 WHERE ref = 'ref-1'", ["coordinates-in-range"]),
        ("UPDATE favourite SET latitude = 91", ["coordinates-in-range"]),
    ])
    func `each check finds its violation`(sql: String, checks: [String]) async throws {
        let directory = try await filled()
        var lax = Configuration()
        lax.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite", configuration: lax)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        let violations = try await store.upkeep.verify()
        #expect(violations.map(\.check) == checks, "\(violations)")
        try await store.close()
    }

    @Test func `accepts an operator's category of the table`() async throws {
        try await withStore { store async throws in
            var row = ImportedPlace.bare(1)
            row.categories = [CategoryID(text: "sauna")]
            let id = try await store.fill([row]).seen
            #expect(try await store.upkeep.verify() == [InvariantViolation(check: "categories-known", detail: "sauna")])
            let sauna = PlaceCategory(
                id: CategoryID(text: "sauna"),
                name: BilingualName(english: "Sauna", korean: "찜질방"),
                icon: "sauna"
            )
            #expect(try await store.upkeep.verify(categories: CategoryTable(adding: [sauna])) == [])
            // The categories of a removed place are hidden.
            try await store.places.removePlaces(id, at: .meeting)
        }
    }

    private func filled() async throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        let id = try await store.fill([.sample(1), .sample(2)]).seen[0]
        let place = try await store.places.places([id])[0].listing.place
        let first = try #require(try await store.placeID(ref: "ref-1"))
        var promise = Promise.sample()
        promise.place = place
        promise.place.placeID = first
        try await store.open(promise)
        let favourite = Favourite(
            id: FavouriteID(high: 1, low: 1),
            label: "",
            place: promise.place,
            createdAt: .meeting
        )
        _ = try await store.places.addFavourite(favourite, of: .user(1), key: "f", contentHash: [1], now: .meeting)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
        return directory
    }
}
