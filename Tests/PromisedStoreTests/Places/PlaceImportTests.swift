import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PlaceImportTests {
    private static let later = Instant.meeting + .hours(1)

    @Test func `reads a place back with every field`() async throws {
        try await withStore { store async throws in
            let rows = [ImportedPlace.sample(1), .bare(2)]
            let changes = try await store.fill(rows)
            #expect(changes.added == 2 && changes.changed == 0 && changes.unchanged == 0)
            let revision = try await store.places.directoryVersion()
            for row in rows {
                let id = try #require(try await store.placeID(ref: row.ref))
                let place = DirectoryPlace(
                    row,
                    id: id,
                    of: .sample(),
                    revision: revision,
                    updatedAt: .meeting
                )
                #expect(try await store.places.places([id]) == [place])
            }
        }
    }

    @Test func `repeated rows write nothing`() async throws {
        try await withStore { store async throws in
            let rows = (1...1_000).map { ImportedPlace.sample($0) }
            let first = try await store.fill(rows)
            let (version, before) = (try await store.places.directoryVersion(), try await store.placeRows())
            let transactions = await store.sqlite.queue.transactionCount
            let again = try await store.places.putPlaces(rows, source: "books", at: Self.later)
            #expect(again.unchanged == 1_000 && again.added == 0 && again.changed == 0)
            #expect(Set(again.seen) == Set(first.seen) && again.seen.count == 1_000)
            #expect(try await store.places.directoryVersion() == version)
            #expect(try await store.placeRows() == before)
            #expect(await store.sqlite.queue.transactionCount == transactions)
        }
    }

    @Test func `counts one changed, one missing and one new row`() async throws {
        try await withStore { store async throws in
            try await store.fill((1...20).map { .sample($0) })
            var rows = (2...21).map { ImportedPlace.sample($0) }
            rows[4].phone = "other"
            let changes = try await store.places.putPlaces(rows, source: "books", at: Self.later)
            #expect(changes.added == 1 && changes.changed == 1 && changes.unchanged == 18)
            let missing = try await store.places.missingPlaces(of: "books", seen: Set(changes.seen))
            #expect(try await missing == [#require(store.placeID(ref: "ref-1"))])
            #expect(try await store.places.removePlaces(missing, at: Self.later) == 1)
            #expect(try await store.directory() == Dictionary(uniqueKeysWithValues: rows.map { ($0.ref, $0) }))
        }
    }

    /// Each field alone makes a difference.
    @Test(
        arguments: [
            { $0.name = "x" }, { $0.names.removeLast() }, { $0.coordinate.latitude = 1 },
            { $0.coordinate.longitude = 1 },
            { $0.address = "" }, { $0.region = nil }, { $0.categories.removeLast() }, { $0.hours = "24/7" },
            { $0.phone = "" }, { $0.website = "" }, { $0.social = "" }, { $0.facts[0].value = "" },
        ] as [@Sendable (inout ImportedPlace) -> Void]
    )
    func `writes a changed field under a new version`(
        change: @Sendable (inout ImportedPlace) -> Void
    )
        async throws
    {
        try await withStore { store async throws in
            var row = ImportedPlace.sample(1)
            let id = try await store.fill([row, .sample(2)]).seen
            let before = try await store.places.directoryVersion()
            change(&row)
            let changes = try await store.places.putPlaces([row, .sample(2)], source: "books", at: Self.later)
            #expect(changes.changed == 1 && changes.unchanged == 1 && Set(changes.seen) == Set(id))
            #expect(try await store.places.directoryVersion() == before + 1)
            let place = try await store.places.places([#require(store.placeID(ref: "ref-1"))])[0]
            #expect(ImportedPlace(place) == row && place.updatedAt == Self.later)
            #expect(place.listing.revision == before + 1)
            let other = try await store.places.places([#require(store.placeID(ref: "ref-2"))])[0]
            #expect(other.updatedAt == .meeting && other.listing.revision == before)
        }
    }

    @Test(.proves("11.1")) func `restores a removed place under its id, even unchanged`() async throws {
        try await withStore { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            #expect(try await store.places.removePlaces([id], at: Self.later) == 1)
            #expect(try await store.places.places([id])[0].removedAt == Self.later)
            let changes = try await store.places.putPlaces([.sample(1)], source: "books", at: Self.later)
            #expect(changes.added == 1 && changes.seen == [id])
            #expect(try await store.places.places([id])[0].removedAt == nil)
            #expect(try await store.places.placeSources() == [CountedSource(.sample(), count: 1)])
        }
    }

    @Test func `a dry run gives the same report and writes nothing`() async throws {
        try await withStore { store async throws in
            try await store.fill((1...10).map { .sample($0) })
            var rows = (5...14).map { ImportedPlace.sample($0) }
            rows[0].name = "x"
            let (version, before) = (try await store.places.directoryVersion(), try await store.placeRows())
            let dry = try await store.places.putPlaces(rows, source: "books", at: Self.later, isDryRun: true)
            #expect(try await store.placeRows() == before)
            #expect(try await store.places.directoryVersion() == version)
            let wet = try await store.places.putPlaces(rows, source: "books", at: Self.later)
            #expect((dry.added, dry.changed, dry.unchanged) == (4, 1, 5))
            #expect((wet.added, wet.changed, wet.unchanged) == (4, 1, 5))
            #expect(dry.seen.count == 6 && Set(dry.seen).isSubset(of: wet.seen))
            // Every row of a new source is new.
            let unknown = try await store.places.putPlaces(rows, source: "other", at: Self.later, isDryRun: true)
            #expect(unknown.added == 10 && unknown.seen == [])
        }
    }

    @Test(.proves("12.6"))
    func `writes a batch in parts, each in its own transaction and version`() async throws {
        try await withStore { store async throws in
            try await store.places.putSource(.sample())
            let (version, before) = (
                try await store.places.directoryVersion(), await store.sqlite.queue.transactionCount
            )
            let rows = (1...1_000).map { ImportedPlace.sample($0) }
            // A seeded generator continues from part to part: all ids are unique.
            let changes = try await store.places.putPlaces(
                rows,
                source: "books",
                at: .meeting,
                using: SeededGenerator(seed: 1)
            )
            #expect(changes.added == 1_000 && Set(changes.seen).count == 1_000)
            #expect(await store.sqlite.queue.transactionCount == before + 4)
            #expect(try await store.places.directoryVersion() == version + 4)
        }
    }

    @Test func `rejects a batch with a duplicate ref`() async throws {
        try await withStore { store async throws in
            try await store.places.putSource(.sample())
            await #expect(throws: StoreError.self) {
                _ = try await store.places.putPlaces([.sample(1), .sample(1)], source: "books", at: .meeting)
            }
            #expect(try await store.directory().isEmpty)
        }
    }

    @Test(.proves("11.1")) func `equal refs of two sources are two places`() async throws {
        try await withStore { store async throws in
            let first = try await store.fill([.sample(1)], source: "a").seen
            let second = try await store.fill([.sample(1)], source: "b").seen
            #expect(first != second)
            #expect(try await store.places.places(second + first).map(\.listing.source) == ["b", "a"])
        }
    }

    @Test func `rejects places of an unknown or removed source`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.broken("Places of an unknown source")) {
                _ = try await store.places.putPlaces([.sample(1)], source: "books", at: .meeting)
            }
            try await store.fill([.sample(1)])
            #expect(try await store.places.removeSource(named: "books", at: .meeting) == 1)
            await #expect(throws: StoreError.broken("Places of an unknown source")) {
                _ = try await store.places.putPlaces([.sample(1)], source: "books", at: .meeting)
            }
            #expect(try await store.directory().isEmpty)
        }
    }

    @Test(
        arguments: [
            { $0.names[0].name = "a\r\nb" }, { $0.names[0].language = "a=b" }, { $0.facts[0].value = "a\nb" },
            { $0.facts[0].key = "\n" },
        ] as [@Sendable (inout ImportedPlace) -> Void]
    )
    func `rejects a batch with a name or fact too long for its column`(
        change: @Sendable (inout ImportedPlace) -> Void
    ) async throws {
        try await withStore { store async throws in
            var row = ImportedPlace.sample(2)
            change(&row)
            let rows = [.sample(1), row]
            try await store.places.putSource(.sample())
            await #expect(throws: StoreError.broken("A name or fact with a line break")) {
                _ = try await store.places.putPlaces(rows, source: "books", at: .meeting)
            }
            #expect(try await store.directory().isEmpty)
        }
    }

    @Test(.proves("12.5"))
    func `repeating an interrupted import gives the result of an uninterrupted one`() async throws {
        let rows = SyntheticDirectory(count: 3_000, seed: 3).map(ImportedPlace.init)
        let batches = stride(from: 0, to: rows.count, by: 1_000).map { Array(rows[$0..<$0 + 1_000]) }
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.fill(batches[0])
        _ = try await store.places.putPlaces(batches[1], source: "books", at: .meeting)
        // The files as a crash leaves them: the log is not yet in the database.
        let copy = try directory.copyAfterCrash()
        let crashed = try await Store.open(directory: copy.path)
        let taken = try await crashed.directory()
        #expect(taken == Dictionary(uniqueKeysWithValues: rows[..<2_000].map { ($0.ref, $0) }))
        var total = PlaceChanges()
        for batch in batches {
            total.add(try await crashed.places.putPlaces(batch, source: "books", at: Self.later))
        }
        #expect((total.added, total.changed, total.unchanged) == (1_000, 0, 2_000))
        _ = try await store.places.putPlaces(batches[2], source: "books", at: .meeting)
        #expect(try await crashed.directory() == store.directory())
        #expect(try await crashed.places.directoryVersion() == store.places.directoryVersion())
        #expect(try await crashed.upkeep.verify() == [])
        try await crashed.close()
        try await store.close()
    }

    @Test(.proves("12.5"), .defends("import-floods"))
    func `a full disk rejects only the batch`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.fill((1...10).map { .sample($0) })
            try await store.limitPages(toMoreBy: 8)
            await #expect(throws: StoreError.unavailable(code: 13)) {
                _ = try await store.places.putPlaces((1...1_000).map { .sample($0) }, source: "books", at: Self.later)
            }
            #expect(StoreError.unavailable(code: 13).isDiskFull && !StoreError.unavailable(code: 8).isDiskFull)
            // The disk is as full as before, with room for small writes.
            try await store.upkeep.checkWritable()
            #expect(try await store.createPromiseOfUser1())
            #expect(try await store.directory().count == 10)
            try await store.limitPages(toMoreBy: 1_000_000)
            let changes = try await store.places.putPlaces(
                (1...1_000).map { .sample($0) },
                source: "books",
                at: Self.later
            )
            #expect((changes.added, changes.unchanged) == (990, 10))
            #expect(Set(changes.seen).count == 1_000)
        }
    }

    @Test func `an oversized batch is an error of the caller`() async {
        // Removed by this process, because the other one dies.
        let directory = TemporaryDirectory()
        await #expect(processExitsWith: .failure) { [path = directory.path as String] in
            let store = try await Store.open(directory: path)
            _ = try await store.places.putPlaces((0...1_000).map { .sample($0) }, source: "books", at: .meeting)
        }
        withExtendedLifetime(directory) {}
    }
}

extension Store {
    fileprivate func createPromiseOfUser1() async throws -> Bool {
        let creation = try await promises.createPromise(
            .sample(),
            participants: [.accepted(.user(1))],
            events: [],
            key: "k",
            contentHash: [1],
            now: .meeting
        )
        return creation == .created
    }
}
