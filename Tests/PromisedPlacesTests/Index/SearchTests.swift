import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct SearchTests {
    private static let queries = [
        "광장", "시장", "책", "방 종로", "광자", "ㄱㅈ", "ㅅㅈㅊ", "ㅊ", "달강", "book", "BOOK 시", "종로1", "서울특별시종로구종로1",
        "마포구 12", "神田3", "eglise", "장", "kr11", "망원로", "2", "bo", "광 장 시", "없는말", "rue de l eglise 1", "종로구 책",
    ]

    @Test(.proves("11.13"), arguments: 1...5)
    func `results equal the definition on pages of any size`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let places = RandomDirectory(seed: UInt64(seed), count: 200 + 300 * seed).places
        let plain = PlainSearch(places)
        let index = PlaceIndex(places.shuffled(using: &generator), version: 5)
        for (round, text) in Self.queries.enumerated() {
            let search = PlaceIndex.Search(
                try PlaceQuery(text),
                near: round % 2 == seed % 2 ? nil : places[round].listing.coordinate,
                box: round % 5 == seed % 5 ? RandomDirectory.box(places, using: &generator) : nil,
                filter: round % 3 == 0 ? RandomDirectory.filter(places, using: &generator) : PlaceFilter(),
                opening: RandomDirectory.opening
            )
            let expected = plain.results(search)
            let found = pages(of: index, search, limit: [500, 17, 1][round % 3])
            #expect(
                found == expected,
                "seed \(seed): \(text), near \(String(describing: search.near)), \(search.filter)"
            )
        }
    }

    private func pages(of index: PlaceIndex, _ search: PlaceIndex.Search, limit: Int) -> [PlaceID] {
        var found: [PlaceID] = []
        var cursor: PlaceCursor?
        repeat {
            let page = index.search(search, limit: limit, after: cursor)
            #expect(page.entries.count <= limit)
            found += page.entries.map { index.id(of: $0.row) }
            cursor = page.cursor.flatMap { PlaceCursor($0.text) }
            #expect(cursor == page.cursor)
        } while cursor != nil
        return found
    }

    /// More names that begin with a text than are sorted one by one.
    @Test(arguments: ["광", "광장", "광장 시장", "ㄱ", "ㄱㅈ", "광자", "시"])
    func `returns the first of thousands of equal names, with and without a point`(text: String) throws {
        var places = RandomDirectory(seed: 31, count: 6_000, spread: 20).places
        for place in places.indices {
            places[place].listing.name = ["광장", "광장", "광장", "광장 시장", "광장길", "시장"][place % 6]
        }
        let plain = PlainSearch(places)
        let index = PlaceIndex(places, version: 5)
        let far = [(90, 0), (-89.5, 170), (3, -180)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        for near in [nil] + [places[0], places[3_000]].map(\.listing.coordinate) + far {
            let search = PlaceIndex.Search(try PlaceQuery(text), near: near)
            #expect(pages(of: index, search, limit: 60) == plain.results(search))
        }
    }

    /// Names with eight and more units in common, and equal ones whose ids have the same first half and whose other names
    /// are in another order.
    @Test func `sorts names with a common start, equal ones by id`() throws {
        let names = ["광장시장책방종로", "광장시장책방종로1", "광장시장책방종로1길", "광장시장책방종로12길 3", "광장", "광"]
        var places = RandomDirectory(seed: 8, count: 300).places
        for place in places.indices {
            places[place].listing.id = PlaceID(high: 7, low: UInt64(place * 7_919 % 300))
            places[place].listing.name = names[place % 6]
            places[place].listing.categories = [CategoryID(text: "cafe")]
            places[place].names = [DirectoryPlace.Name(language: "en", name: "\(900 - place)")]
        }
        let plain = PlainSearch(places)
        let index = PlaceIndex(places, version: 5)
        for text in ["광", "광장시장책방종로", "광장시장책방종로 1", "책방"] {
            let search = PlaceIndex.Search(try PlaceQuery(text))
            #expect(pages(of: index, search, limit: 7) == plain.results(search))
        }
    }

    @Test(arguments: [true, false])
    func `lists each place once while the directory changes`(isNear: Bool) throws {
        for seed in 1...6 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var places = RandomDirectory(seed: UInt64(seed), count: 400).places
            let untouched = Set(places.shuffled(using: &generator).prefix(200).map(\.listing.id))
            let search = PlaceIndex.Search(try PlaceQuery("장"), near: isNear ? places[0].listing.coordinate : nil)
            var index = PlaceIndex(places, version: 5)
            let all = pages(of: index, search, limit: 500)
            var found: [PlaceID] = []
            var cursor: PlaceCursor?
            var version = 5
            repeat {
                let page = index.search(search, limit: 15, after: cursor)
                found += page.entries.map { index.id(of: $0.row) }
                cursor = page.cursor
                version += 1
                for place in places.indices where !untouched.contains(places[place].listing.id) && generator.chance(0.5)
                {
                    places[place].listing.name += ["장", "시장 책", "광"][version % 3]
                    places[place].listing.categories = [CategoryID(text: RandomDirectory.categories[version % 5])]
                    places[place].listing.coordinate.latitude *= 0.99
                    places[place].listing.revision = version
                }
                index = PlaceIndex(places, version: version)
            } while cursor != nil
            #expect(Set(found).count == found.count, "seed \(seed)")
            #expect(found.count <= 200)
            // Unchanged ones are in order, within the two hundred.
            let kept = found.filter(untouched.contains)
            #expect(kept.starts(with: all.filter(untouched.contains)), "seed \(seed)")
        }
    }

    @Test func `continues the pages after a category was removed`() throws {
        var places = RandomDirectory(seed: 6, count: 300).places
        for place in places.indices {
            places[place].listing.name = "광장"
            places[place].listing.categories = [CategoryID(text: ["a", "b", "c"][place % 3])]
        }
        let search = PlaceIndex.Search(try PlaceQuery("광장"))
        let first = PlaceIndex(places, version: 5).search(search, limit: 150)
        let index = PlaceIndex(places.filter { $0.listing.categories != [CategoryID(text: "b")] }, version: 6)
        let second = index.search(search, limit: 50, after: first.cursor)
        #expect(second.entries.count == 50)
        #expect(second.entries.allSatisfy { index.listing(of: $0.row).categories.map(\.text) == ["c"] })
        #expect(second.cursor == nil)
        #expect(index.search(search, limit: 50, after: first.cursor).entries == second.entries)
    }
}
