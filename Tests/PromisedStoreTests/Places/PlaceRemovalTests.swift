import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PlaceRemovalTests {
    private static let later = Instant.meeting + .hours(1)

    @Test func `removing counts existing places once`() async throws {
        try await withStore { store async throws in
            let ids = try await store.fill((1...1_000).map { .sample($0) }).seen
            let more = try await store.places.putPlaces(
                (1_001...1_500).map { .sample($0) },
                source: "books",
                at: .meeting
            )
            .seen
            let version = try await store.places.directoryVersion()
            #expect(try await store.places.removePlaces(ids + more + ids, at: Self.later) == 1_500)
            // Two batches made changes.
            #expect(try await store.places.directoryVersion() == version + 2)
            #expect(try await store.places.removePlaces(ids, at: Self.later + .hours(1)) == 0)
            #expect(try await store.places.directoryVersion() == version + 2)
            let removed = try await store.places.places([ids[0], more[0]])
            #expect(removed.map(\.removedAt) == [Self.later, Self.later])
            #expect(removed.map(\.listing.revision) == [version + 1, version + 2])
            #expect(removed.map(\.updatedAt) == [.meeting, .meeting])
            #expect(try await store.places.placeSources().map(\.count) == [0])
        }
    }

    @Test func `finds the places of a source missing from the import`() async throws {
        try await withStore { store async throws in
            let ids = try await store.fill((1...4).map { .sample($0) }).seen
            try await store.fill([.sample(1)], source: "other")
            try await store.places.removePlaces([ids[0]], at: Self.later)
            #expect(try await Set(store.places.missingPlaces(of: "books", seen: [ids[1]])) == Set(ids[2...]))
            #expect(try await store.places.missingPlaces(of: "books", seen: Set(ids)) == [])
            #expect(try await store.places.missingPlaces(of: "unknown", seen: []) == [])
        }
    }

    @Test func `removes a source with its places and restores it without them`() async throws {
        try await withStore { store async throws in
            let ids = try await store.fill((1...3).map { .sample($0) }).seen
            try await store.fill([.sample(9)], source: "other")
            let entry = AuditEntry(at: Self.later, actor: "a", action: "removeSource", subject: "books")
            #expect(try await store.places.removeSource(named: "books", at: Self.later, audit: entry) == 3)
            #expect(try await store.places.placeSources() == [CountedSource(.sample("other"), count: 1)])
            // Its places are still shown where something refers to them.
            #expect(try await store.places.placeSource(named: "books") == .sample())
            #expect(try await store.places.places(ids).map(\.listing.source) == ["books", "books", "books"])
            #expect(try await store.places.removeSource(named: "books", at: Self.later) == nil)
            #expect(try await store.places.removeSource(named: "unknown", at: Self.later) == nil)
            #expect(try await store.administration.audit(limit: 5).items == [entry])
            try await store.places.putSource(.sample())
            #expect(try await store.places.placeSources().map(\.count) == [0, 1])
        }
    }

    @Test(.proves("11.8")) func `deletes only old tombstones without references`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let ids = try await store.fill((1...6).map { .sample($0) }).seen
            let places = try await store.places.places(ids).map(\.listing)
            let favourite = Favourite(
                id: FavouriteID(high: 1, low: 1),
                label: "",
                place: places[0].place,
                createdAt: .meeting
            )
            let addition = try await store.places.addFavourite(
                favourite,
                of: .user(1),
                key: "k",
                contentHash: [1],
                now: .meeting
            )
            #expect(addition == .added)
            var promise = Promise.sample()
            promise.place = places[1].place
            try await store.open(promise)
            try await store.places.removePlaces(Array(ids[0...3]), at: .meeting)
            try await store.places.removePlaces([ids[4]], at: Self.later)
            let version = try await store.places.directoryVersion()
            #expect(try await store.places.sweepPlaces(removedBefore: .meeting, limit: 10) == 0)
            #expect(try await store.places.sweepPlaces(removedBefore: Self.later, limit: 1) == 1)
            #expect(try await store.places.sweepPlaces(removedBefore: Self.later, limit: 10) == 1)
            #expect(try await store.places.places(ids).map(\.listing.id) == [ids[0], ids[1], ids[4], ids[5]])
            // The directory's readers need not reload.
            #expect(try await store.places.directoryVersion() == version)
            try await store.places.removeFavourite(favourite.id, of: .user(1))
            #expect(try await store.places.sweepPlaces(removedBefore: Self.later, limit: 10) == 1)
            #expect(
                try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise.place.placeID == ids[1]
            )
        }
    }

    @Test func `deletes a removed source after its last place`() async throws {
        try await withStore { store async throws in
            try await store.fill([.sample(1)])
            _ = try await store.places.removeSource(named: "books", at: .meeting)
            #expect(try await store.places.sweepPlaces(removedBefore: Self.later, limit: 0) == 0)
            #expect(try await store.places.placeSource(named: "books") != nil)
            #expect(try await store.places.sweepPlaces(removedBefore: Self.later, limit: 10) == 1)
            #expect(try await store.places.placeSource(named: "books") == nil)
        }
    }
}
