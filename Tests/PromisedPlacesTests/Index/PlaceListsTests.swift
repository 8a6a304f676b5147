import PromisedDomain
import PromisedPlaces
import Testing

@Suite struct PlaceListsTests {
    private static let seeds: [UInt64] = [1, 2, 3]

    @Test(arguments: seeds)
    func `regions count their places and those of their parts, and have the smallest boxes`(seed: UInt64) {
        let places = RandomDirectory(seed: seed, count: 500).places
        let extents = PlaceIndex(places, version: 9).regionExtents
        #expect(extents.map(\.code) == extents.map(\.code).sorted())
        var expected: [RegionCode: [Coordinate]] = [:]
        for place in places {
            guard let region = place.listing.region else { continue }
            expected[region, default: []].append(place.listing.coordinate)
            if let parent = region.parent { expected[parent, default: []].append(place.listing.coordinate) }
        }
        #expect(extents.count == expected.count && extents.count >= 4)
        for extent in extents {
            let coordinates = expected[extent.code] ?? []
            #expect(extent.count == coordinates.count)
            let (latitudes, longitudes) = (coordinates.map(\.latitude), coordinates.map(\.longitude))
            #expect(extent.box.south == latitudes.min() && extent.box.north == latitudes.max())
            #expect(extent.box.west == longitudes.min() && extent.box.east == longitudes.max())
        }
    }

    @Test(arguments: seeds)
    func `pages by id equal those of a plain list under every filter`(seed: UInt64) {
        let places = RandomDirectory(seed: seed, count: 300).places
        let index = PlaceIndex(places, version: 9)
        let filters = [
            PlaceFilter(), PlaceFilter(categories: [CategoryID(text: "bookshop")]),
            PlaceFilter(regions: [RegionCode(text: "KR-11")]), PlaceFilter(sources: ["osm"]),
            PlaceFilter(categories: [CategoryID(text: "none")]),
        ]
        for filter in filters {
            var (ids, cursor): ([PlaceID], PlaceCursor?) = ([], nil)
            repeat {
                let page = index.places(passing: filter, limit: 7, after: cursor)
                #expect(page.entries.count <= 7 && page.entries.allSatisfy { $0.distanceMetres == nil })
                ids += page.entries.map { index.id(of: $0.row) }
                cursor = page.cursor
            } while cursor != nil
            let expected = places.map(\.listing).filter { filter.allows($0) { _ in .unknown } }.map(\.id).sorted()
            #expect(ids == expected, "seed \(seed)")
        }
    }

    @Test func `an empty directory has neither regions nor pages`() {
        let index = PlaceIndex([DirectoryPlace](), version: 0)
        #expect(index.regionExtents.isEmpty && index.places(passing: PlaceFilter(), limit: 1).entries.isEmpty)
    }
}
