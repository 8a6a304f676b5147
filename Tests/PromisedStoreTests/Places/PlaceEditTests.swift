import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PlaceEditTests {
    private static let later = Instant.meeting + .hours(1)
    private static let entry = AuditEntry(at: .meeting, actor: "a", action: "createPlace")

    private static func place(_ row: ImportedPlace, id: UInt64 = 7, source: String = "books") -> DirectoryPlace {
        DirectoryPlace(
            row,
            id: PlaceID(high: 0x7000, low: id),
            of: .sample(source),
            revision: 0,
            updatedAt: later
        )
    }

    @Test func `a manual place has the given id and a new revision`() async throws {
        try await withStore { store async throws in
            try await store.fill([.sample(1)])
            let before = try await store.places.directoryVersion()
            var place = Self.place(.sample(2))
            #expect(try await store.places.createPlace(place, audit: Self.entry) == .created(place.listing.id))
            place.listing.revision = before + 1
            #expect(try await store.places.places([place.listing.id]) == [place])
            #expect(try await store.places.directoryVersion() == before + 1)
            #expect(try await store.places.placeSources().map(\.count) == [2])
            #expect(try await store.administration.audit(limit: 5).items.map(\.subject) == ["\(place.listing.id)"])
        }
    }

    @Test func `rejects a duplicate ref and an unknown source`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            let before = try await store.placeRows()
            #expect(try await store.places.createPlace(Self.place(.sample(1)), audit: Self.entry) == .refTaken(id))
            let elsewhere = Self.place(.sample(2), source: "none")
            #expect(try await store.places.createPlace(elsewhere, audit: Self.entry) == .sourceMissing)
            #expect(try await store.placeRows() == before)
            #expect(try await store.administration.audit(limit: 5).items == [])
        }
    }

    @Test func `a manual place reuses the id of the removed one`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            #expect(try await store.places.removePlace(id, at: .meeting))
            #expect(try await store.places.createPlace(Self.place(.sample(1, name: "New"))) == .created(id))
            let place = try await store.places.places([id])[0]
            #expect(place.listing.name == "New" && place.removedAt == nil && place.updatedAt == Self.later)
        }
    }

    @Test func `an edit keeps source and ref`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            var place = try await store.places.places([id])[0]
            let before = place
            (place.listing.name, place.ref, place.listing.source) = ("New", "other", "other")
            (place.facts, place.updatedAt) = ([], Self.later)
            #expect(try await store.places.editPlace(place, audit: Self.entry))
            var expected = before
            (expected.listing.name, expected.facts, expected.updatedAt) = ("New", [], Self.later)
            expected.listing.revision += 1
            #expect(try await store.places.places([id]) == [expected])
            #expect(try await store.administration.audit(limit: 5).items == [Self.entry])
        }
    }

    @Test func `edits and removes only places of the directory`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            let place = try await store.places.places([id])[0]
            #expect(try await store.places.removePlace(id, at: Self.later, audit: Self.entry))
            let (version, rows) = (try await store.places.directoryVersion(), try await store.placeRows())
            #expect(try await !store.places.removePlace(id, at: Self.later, audit: Self.entry))
            #expect(try await !store.places.editPlace(place, audit: Self.entry))
            #expect(try await !store.places.editPlace(Self.place(.sample(2)), audit: Self.entry))
            #expect(try await !store.places.removePlace(PlaceID(high: 1, low: 1), at: Self.later))
            #expect(try await store.placeRows() == rows)
            #expect(try await store.places.directoryVersion() == version)
            #expect(try await store.administration.audit(limit: 5).items == [Self.entry])
        }
    }
}
