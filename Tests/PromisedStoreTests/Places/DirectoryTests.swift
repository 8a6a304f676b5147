import Dispatch
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct DirectoryTests {
    @Test func `an empty directory has the version 0 and no places`() async throws {
        try await withStore { store async throws in
            #expect(try await store.places.directoryVersion() == 0)
            #expect(try await store.places.placeSources() == [])
            let read = try await store.places.readDirectory { version, places in
                try places.forEachPlace { _, _ in Issue.record("There is none") }
                return (version, places.count)
            }
            #expect(read == (0, 0))
        }
    }

    @Test func `the reader returns each existing place with its names`() async throws {
        try await withStore { store async throws in
            let ids = try await store.fill([.sample(1), .bare(2), .sample(3)]).seen
            let gone = try #require(try await store.placeID(ref: "ref-3"))
            try await store.places.removePlaces([gone], at: .meeting)
            let read = try await store.places.readDirectory { version, places in
                var read: [PlaceListing: [String]] = [:]
                try places.forEachPlace { read[$0] = $1 }
                return (version, places.count, read)
            }
            #expect(try await read.0 == store.places.directoryVersion() && read.1 == 2)
            let expected = try await store.places.places(ids.filter { $0 != gone }).map {
                ($0.listing, $0.names.map(\.name))
            }
            #expect(read.2 == Dictionary(uniqueKeysWithValues: expected))
            #expect(read.2.values.contains(["Books = 1", "書店"]) && read.2.values.contains([]))
        }
    }

    @Test func `the store's index equals one of the same places`() async throws {
        try await withStore { store async throws in
            let rows = SyntheticDirectory(count: 1_000, seed: 5).map(ImportedPlace.init)
            let ids = try await store.fill(rows).seen
            let index = try await store.places.readDirectory { version, places in
                var builder = PlaceIndexBuilder(expectedCount: places.count)
                try places.forEachPlace { builder.add($0, otherNames: $1) }
                return builder.index(version: version)
            }
            #expect(index.count == 1_000)
            let places = try await store.places.places(ids)
            #expect(places.count == 1_000)
            for place in places {
                let row = try #require(index.row(of: place.listing.id))
                var expected = place.listing
                // The index stores no time zone of unknown hours.
                if expected.hours.text.isEmpty { expected.hours = PlaceHours() }
                #expect(index.listing(of: row) == expected)
            }
        }
    }

    @Test func `reads a consistent snapshot and delays neither writes nor other reads`() async throws {
        try await withStore { store async throws in
            try await store.fill([.sample(1)])
            let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let names = store.places.readDirectory { _, places in
                begun.signal()
                gate.wait()
                var names: [String] = []
                try places.forEachPlace { place, _ in names.append(place.name) }
                return names
            }
            _ = await SQLiteDriver.offPool { begun.wait() }
            _ = try await store.places.putPlaces([.sample(1, name: "New"), .sample(2)], source: "books", at: .meeting)
            #expect(try await Set(store.directoryNames()) == ["New", "책방 2"])
            gate.signal()
            #expect(try await names == ["책방 1"])
        }
    }

    @Test func `an error of the body ends the call`() async throws {
        try await withStore { store async throws in
            try await store.fill([.sample(1)])
            await #expect(throws: StoreError.fenced) {
                try await store.places.readDirectory { _, places in
                    try places.forEachPlace { _, _ in throw StoreError.fenced }
                }
            }
        }
    }

    @Test func `replaces a source under its name, and every change increments the version`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            let before = try await store.places.directoryVersion()
            var source = PlaceSource.sample()
            (source.title, source.timeZone) = ("New", "Asia/Tokyo")
            let entry = AuditEntry(at: .meeting, actor: "a", action: "beginImport", subject: "books")
            try await store.places.putSource(source, audit: entry)
            #expect(try await store.places.placeSources() == [CountedSource(source, count: 1)])
            #expect(try await store.places.placeSource(named: "books") == source)
            #expect(try await store.places.placeSource(named: "other") == nil)
            #expect(try await store.places.directoryVersion() == before + 1)
            #expect(try await store.places.places([id])[0].listing.hours.timeZone == "Asia/Tokyo")
            #expect(try await store.administration.audit(limit: 5).items == [entry])
            try await store.places.putSource(.sample("another"))
            #expect(try await store.places.placeSources().map(\.source.name) == ["another", "books"])
        }
    }

    @Test func `returns places in the order of the ids, without unknown ones`() async throws {
        try await withStore { store async throws in
            let ids = try await store.fill((1...3).map { .sample($0) }).seen
            let unknown = PlaceID(high: 1, low: 1)
            let order = [ids[2], unknown, ids[0], ids[1]]
            #expect(try await store.places.places(order).map(\.listing.id) == [ids[2], ids[0], ids[1]])
        }
    }
}

extension Store {
    fileprivate func directoryNames() async throws -> [String] {
        try await read { db in
            try db.rows("SELECT name FROM place WHERE removed_at IS NULL").map { try $0.value("name") }
        }
    }
}
