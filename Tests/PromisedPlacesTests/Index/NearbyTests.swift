import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct NearbyTests {
    private static let centres = [
        Coordinate(latitude: 0, longitude: 179.99), Coordinate(latitude: 89.9, longitude: -100),
        Coordinate(latitude: -90, longitude: 0), Coordinate(latitude: 37.5, longitude: 127),
    ]

    @Test(.proves("11.12"), arguments: 1...6)
    func `the pages contain all places within the radius, the nearest first`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let places = RandomDirectory(seed: UInt64(seed), count: 1_200, spread: 0.5).places
        let index = PlaceIndex(places, version: 5)
        for round in 0..<30 {
            let centre =
                round < Self.centres.count
                ? Self.centres[round] : places[Int(generator.fraction() * 1_200)].listing.coordinate
            let radius = [0, 50, 1_000, 20_000, 50_000][round % 5]
            let filter = round % 2 == 0 ? PlaceFilter() : RandomDirectory.filter(places, using: &generator)
            let expected = plain(places, centre, Double(radius), filter)
            let found = pages(of: index, centre, Double(radius), filter, limit: [1_000, 7, 40][round % 3])
            #expect(found == expected, "seed \(seed), round \(round): \(centre), \(radius) m, \(filter)")
        }
    }

    private func plain(
        _ places: [DirectoryPlace],
        _ centre: Coordinate,
        _ radius: Double,
        _ filter: PlaceFilter
    ) -> [PlaceID] {
        places.filter { filter.allows($0.listing, opening: RandomDirectory.opening) }
            .map { (distance: centre.distanceMetres(to: $0.listing.coordinate), id: $0.listing.id) }
            .filter { $0.distance <= radius }.sorted { $0 < $1 }.map(\.id)
    }

    private func pages(
        of index: PlaceIndex,
        _ centre: Coordinate,
        _ radius: Double,
        _ filter: PlaceFilter,
        limit: Int
    ) -> [PlaceID] {
        var found: [PlaceID] = []
        var cursor: PlaceCursor?
        repeat {
            let page = index.nearby(
                centre,
                radiusMetres: radius,
                filter: filter,
                limit: limit,
                after: cursor,
                opening: RandomDirectory.opening
            )
            #expect(page.entries.count <= limit)
            #expect(page.sources == Set(page.entries.map { index.listing(of: $0.row).source }).sorted())
            found += page.entries.map { index.id(of: $0.row) }
            // As a client returns it.
            cursor = page.cursor.flatMap { PlaceCursor($0.text) }
            #expect(cursor == page.cursor)
        } while cursor != nil
        return found
    }

    @Test(.proves("11.12")) func `limits the radius to 50 kilometres`() {
        let places = RandomDirectory(seed: 4, count: 1_000, spread: 2).places
        let index = PlaceIndex(places, version: 5)
        let centre = places[0].listing.coordinate
        let page = index.nearby(centre, radiusMetres: 90_000, limit: 1_000)
        #expect(page.entries.map { index.id(of: $0.row) } == plain(places, centre, 50_000, PlaceFilter()))
        #expect(page.entries.allSatisfy { $0.distanceMetres ?? .infinity <= 50_000 })
    }

    @Test(.proves("11.12"), arguments: 1...8)
    func `lists each unchanged place once while the directory changes`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var places = RandomDirectory(seed: UInt64(seed), count: 300, spread: 0.05).places
        let untouched = Set(places.shuffled(using: &generator).prefix(150).map(\.listing.id))
        let centre = places[0].listing.coordinate
        var index = PlaceIndex(places, version: 5)
        let all = pages(of: index, centre, 50_000, PlaceFilter(), limit: 1_000)
        var found: [PlaceID] = []
        var cursor: PlaceCursor?
        var version = 5
        repeat {
            let page = index.nearby(centre, radiusMetres: 50_000, limit: 20, after: cursor)
            found += page.entries.map { index.id(of: $0.row) }
            cursor = page.cursor
            version += 1
            change(&places, but: untouched, version, using: &generator)
            index = PlaceIndex(places, version: version)
        } while cursor != nil
        #expect(Set(found).count == found.count)
        #expect(found.filter(untouched.contains) == all.filter(untouched.contains))
    }

    /// Moves, removes and adds some places.
    private func change(
        _ places: inout [DirectoryPlace],
        but untouched: Set<PlaceID>,
        _ version: Int,
        using generator: inout SeededGenerator
    ) {
        places.removeAll { !untouched.contains($0.listing.id) && generator.chance(0.1) }
        for place in places.indices where !untouched.contains(places[place].listing.id) && generator.chance(0.5) {
            places[place].listing.coordinate.latitude += generator.uniform(-0.05...0.05)
            places[place].listing.revision = version
        }
        for _ in 0..<10 {
            var added = places[Int(generator.fraction() * Double(places.count))]
            added.listing.id = PlaceID(at: Instant(milliseconds: Int64(version)), using: &generator)
            added.listing.revision = version
            places.append(added)
        }
    }

    @Test(arguments: [
        "", "x", "1.2.3", "-1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.d.0",
        "1.0.5.01934c5e-0a00-7abc-8123-456789abcdef.d.0",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.d.7ff0000000000000",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.e.0",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.n.cafe", "1.0.0.nobody.d.0",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.d.x",
        // Numbers with which a sum would overflow.
        "9223372036854775807.0.0.01934c5e-0a00-7abc-8123-456789abcdef.d.0",
        "1.9223372036854775807.0.01934c5e-0a00-7abc-8123-456789abcdef.d.0",
        "1.4294967296.0.01934c5e-0a00-7abc-8123-456789abcdef.d.0",
        // Keys that are not four digits for each unit.
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.n.cafe.cafe1",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.n.cafe.+afe",
        "1.0.0.01934c5e-0a00-7abc-8123-456789abcdef.n.cafe.광장시장",
    ])
    func `rejects other texts as cursors`(text: String) {
        #expect(PlaceCursor(text) == nil)
    }

    @Test(arguments: ["", "cafe", "광장시장", "スターバックス", String(repeating: "ﷺ", count: 300)])
    func `a cursor is a short ASCII text for any name`(key: String) throws {
        let id = PlaceID(high: 1, low: 2)
        let cursor = PlaceCursor(version: 3, shown: 4, grade: 2, order: .name(category: "cafe", key: key), id: id)
        let text = cursor.text
        #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.utf8.count <= 1_300)
        let read = try #require(PlaceCursor(text))
        #expect(read.text == text)
        guard case .name("cafe", let kept) = read.order else {
            Issue.record("The order is another one")
            return
        }
        // A truncated key follows all keys with the same beginning: their places are not repeated.
        #expect(kept == key || key.utf16.lexicographicallyPrecedes(kept.utf16))
    }
}
