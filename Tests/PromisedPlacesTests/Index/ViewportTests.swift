import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct ViewportTests {
    /// A view in a form that can be compared.
    private struct Shown: Equatable {
        var total: Int
        var cellPixels: Int
        var places: Set<PlaceID>
        /// By box, count, categories, label and zoom.
        var clusters: Set<PlaceCluster>
        var sources: [String]
    }

    @Test(.proves("11.10"), arguments: 1...8)
    func `views equal the definition for any box, zoom and filter`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let places = RandomDirectory(seed: UInt64(seed), count: 400 + seed * 60).places
        let index = PlaceIndex(places.shuffled(using: &generator), version: 5)
        for round in 0..<30 {
            let box = RandomDirectory.box(places, using: &generator)
            let zoom = Int(generator.fraction() * 21)
            let filter = round % 2 == 0 ? PlaceFilter() : RandomDirectory.filter(places, using: &generator)
            let limit = [1, 7, 40, 300, 500][round % 5]
            let view = index.view(box, zoom: zoom, filter: filter, limit: limit, opening: RandomDirectory.opening)
            let expected = plainView(places, box, zoom, filter, limit)
            #expect(shown(view, index) == expected, "seed \(seed), round \(round): \(box), zoom \(zoom), \(filter)")
        }
    }

    /// The borders of blocks of 64 rows; filters that match few rows of a block, most, all or none.
    @Test(arguments: [1, 63, 64, 65, 128, 129, 700])
    func `filtered views equal the definition at the borders of blocks`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let places = RandomDirectory(seed: UInt64(count), count: count, spread: 0.3).places
        let index = PlaceIndex(places, version: 5)
        let filters = [
            PlaceFilter(sources: ["osm"]), PlaceFilter(sources: ["osm", "bikes"]), PlaceFilter(sources: ["none"]),
            PlaceFilter(sources: RandomDirectory.sources), PlaceFilter(openAt: Instant(milliseconds: 0)),
            PlaceFilter(favourites: Set(places.prefix(3).map(\.listing.id))),
        ]
        for filter in filters {
            for zoom in [0, 2, 5, 9] {
                let box = zoom == 0 ? .world : RandomDirectory.box(places, using: &generator)
                let view = index.view(box, zoom: zoom, filter: filter, opening: RandomDirectory.opening)
                let expected = plainView(places, box, zoom, filter, 300)
                #expect(shown(view, index) == expected, "\(count) places: \(box), zoom \(zoom), \(filter)")
            }
        }
    }

    /// A box much longer than wide has cells around it that are many times those in it.
    @Test(arguments: 1...6)
    func `views of thin boxes equal the definition`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed + 100))
        let places = RandomDirectory(seed: UInt64(seed + 100), count: 500, spread: 1).places
        let index = PlaceIndex(places, version: 5)
        let filters = [
            PlaceFilter(), PlaceFilter(categories: [CategoryID(text: "cafe"), CategoryID(text: "bookshop")]),
            PlaceFilter(categories: [CategoryID(text: "bookshop/used")], regions: [RegionCode(text: "KR-11")]),
        ]
        for round in 0..<12 {
            let place = places[round * 40].listing.coordinate
            let (long, thin) = (2 * generator.fraction(), 0.01 * generator.fraction() * generator.fraction())
            let (height, width) = round % 2 == 0 ? (long, thin) : (thin, long)
            let box = Box(
                south: max(-90, place.latitude - height),
                west: max(-180, place.longitude - width),
                north: min(90, place.latitude + height),
                east: min(180, place.longitude + width)
            )
            let (zoom, filter, limit) = (6 + round, filters[round % 3], [2, 9, 300][round / 4])
            let view = index.view(box, zoom: zoom, filter: filter, limit: limit)
            let expected = plainView(places, box, zoom, filter, limit)
            #expect(shown(view, index) == expected, "seed \(seed), round \(round): \(box), zoom \(zoom), \(filter)")
        }
    }

    /// An index has 64 categories, and ignores further ones of a place.
    @Test func `omits the categories beyond the sixty-fourth`() {
        let ids = (0..<70).map { CategoryID(text: "c\($0)") }
        let places = ids.indices.map { number in
            var place = place(at: Coordinate(latitude: 37.5, longitude: 127), number)
            place.listing.categories = number == 0 ? [ids[0]] : [ids[0], ids[number]]
            return place
        }
        let index = PlaceIndex(places, version: 1)
        for number in ids.indices {
            let count = number == 0 ? 70 : number < 64 ? 1 : 0
            #expect(index.view(.world, zoom: 5, filter: PlaceFilter(categories: [ids[number]])).total == count)
        }
        #expect(index.view(.world, zoom: 5).clusters.first?.categories.first?.count == 70)
    }

    private func shown(_ view: PlaceView, _ index: PlaceIndex) -> Shown {
        Shown(
            total: view.total,
            cellPixels: view.cellPixels,
            places: Set(view.places.map(index.id)),
            clusters: Set(view.clusters.map(rounded)),
            sources: view.sources
        )
    }

    /// The position to a ten-thousandth of a degree: sums are made in another order.
    private func rounded(_ cluster: PlaceCluster) -> PlaceCluster {
        var cluster = cluster
        func round(_ degrees: Double) -> Double { (degrees * 1_000).rounded() / 1_000 }
        cluster.coordinate.latitude = round(cluster.coordinate.latitude)
        cluster.coordinate.longitude = round(cluster.coordinate.longitude)
        return cluster
    }

    private func plainView(
        _ all: [DirectoryPlace],
        _ box: Box,
        _ zoom: Int,
        _ filter: PlaceFilter,
        _ limit: Int
    ) -> Shown {
        let places = all.filter { filter.allows($0.listing, opening: RandomDirectory.opening) }
        let inBox = places.filter { box.contains($0.listing.coordinate) }
        if zoom >= 17, inBox.count <= limit {
            return Shown(
                total: inBox.count,
                cellPixels: 64,
                places: Set(inBox.map(\.listing.id)),
                clusters: [],
                sources: Set(inBox.map(\.listing.source)).sorted()
            )
        }
        var (level, pixels) = (zoom + 2, 64)
        while true {
            let groups = PlainMap(places, level: level).groups().filter { group in
                group.places.contains { box.contains($0.listing.coordinate) }
            }
            if groups.count <= limit || level == 0 {
                return Shown(
                    total: inBox.count,
                    cellPixels: pixels,
                    places: Set(groups.filter { $0.places.count == 1 }.flatMap(\.places).map(\.listing.id)),
                    clusters: Set(groups.filter { $0.places.count > 1 }.map { cluster($0, all, zoom) }),
                    sources: Set(groups.flatMap(\.places).map(\.listing.source)).sorted()
                )
            }
            (level, pixels) = (level - 1, pixels * 2)
        }
    }

    private func cluster(_ group: PlainMap.Group, _ all: [DirectoryPlace], _ zoom: Int) -> PlaceCluster {
        let coordinates = group.places.map(\.listing.coordinate)
        var counts: [CategoryID: Int] = [:]
        for category in group.places.flatMap(\.listing.categories) { counts[category, default: 0] += 1 }
        func total(_ category: CategoryID) -> Int { all.count { $0.listing.categories.contains(category) } }
        let mercator = Double.pi * (1 - 2 * (group.y + 0.5) / 4_294_967_296)
        return rounded(
            PlaceCluster(
                count: group.places.count,
                coordinate: Coordinate(
                    latitude: atan(sinh(mercator)) * 180 / .pi,
                    longitude: (group.x + 0.5) / 4_294_967_296 * 360 - 180
                ),
                box: Box(
                    south: coordinates.map(\.latitude).min() ?? 0,
                    west: coordinates.map(\.longitude).min() ?? 0,
                    north: coordinates.map(\.latitude).max() ?? 0,
                    east: coordinates.map(\.longitude).max() ?? 0
                ),
                expandZoom: expandZoom(coordinates, zoom),
                categories: counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
                    .map { PlaceCluster.Category(id: $0.key, count: $0.value) },
                label: counts.keys.min { (total($0), $0) < (total($1), $1) }
            )
        )
    }

    private func expandZoom(_ coordinates: [Coordinate], _ zoom: Int) -> Int {
        func cells(_ zoom: Int) -> Int {
            let width = 4_294_967_296 / Double(4 << zoom)
            return Set(
                coordinates.map { coordinate in
                    let position = PlainMap.position(coordinate)
                    return [Int(position.x / width), Int(position.y / width)]
                }
            ).count
        }
        guard cells(20) > 1 else { return 21 }
        return (min(zoom + 1, 20)...20).first { cells($0) > 1 } ?? 21
    }

    // MARK: - What follows from it

    @Test(.proves("11.10"), arguments: [5, 9, 13])
    func `a place is in the same cluster for any box`(zoom: Int) {
        let places = RandomDirectory(seed: 77, count: 3_000, spread: 6).places
        let index = PlaceIndex(places, version: 5)
        let world = Set(index.view(.world, zoom: zoom, limit: 100_000).clusters)
        var generator = SeededGenerator(seed: 78)
        for _ in 0..<100 {
            let view = index.view(RandomDirectory.box(places, using: &generator), zoom: zoom, limit: 100_000)
            #expect(world.isSuperset(of: view.clusters))
        }
    }

    @Test(.proves("11.10"), arguments: [PlaceFilter(), PlaceFilter(categories: [CategoryID(text: "bookshop")])])
    func `the counts of the world add up at each zoom`(filter: PlaceFilter) {
        let places = RandomDirectory(seed: 79, count: 5_000, spread: 20).places
        let index = PlaceIndex(places, version: 5)
        let count = places.count { filter.allows($0.listing) { _ in .unknown } }
        for zoom in 0...20 {
            let view = index.view(.world, zoom: zoom, filter: filter, limit: 100_000)
            #expect(view.total == count)
            #expect(view.places.count + view.clusters.reduce(0) { $0 + $1.count } == count)
        }
    }

    @Test func `never separates identical points`() {
        let twins = (0..<9).map { place(at: Coordinate(latitude: 37.5, longitude: 127), $0) }
        let index = PlaceIndex(twins, version: 1)
        let view = index.view(.world, zoom: 12, limit: 300)
        #expect(view.clusters.map(\.expandZoom) == [21])
        #expect(view.clusters.map(\.count) == [9])
        // From zoom 17 on they are places, as long as they fit.
        #expect(index.view(.world, zoom: 17, limit: 9).places.count == 9)
        #expect(index.view(.world, zoom: 17, limit: 8).clusters.map(\.count) == [9])
        #expect(index.view(.world, zoom: 16, limit: 9).clusters.count == 1)
    }

    @Test(.proves("11.11")) func `a view that does not fit has wider cells`() {
        let index = PlaceIndex(RandomDirectory(seed: 80, count: 2_000, spread: 6).places, version: 5)
        let widest = index.view(.world, zoom: 8, limit: 500)
        let narrow = index.view(.world, zoom: 8, limit: 500, fits: { $0.itemCount < widest.itemCount })
        #expect(narrow.cellPixels > widest.cellPixels)
        #expect(narrow.itemCount < widest.itemCount)
        #expect(narrow.total == widest.total)
        let single = index.view(.world, zoom: 8, limit: 500, fits: { _ in false })
        #expect(single.itemCount == 1)
        #expect(single.cellPixels == 64 << 10)
    }

    @Test func `an empty directory or box gives an empty view`() {
        let empty = PlaceIndex([DirectoryPlace](), version: 0)
        #expect(empty.view(.world, zoom: 3).itemCount == 0)
        let index = PlaceIndex([place(at: Coordinate(latitude: 37.5, longitude: 127), 1)], version: 1)
        let box = Box(south: 36, west: 127, north: 37.4999, east: 128)
        #expect(index.view(box, zoom: 5).total == 0)
        #expect(index.view(box, zoom: 5).itemCount == 0)
    }

    @Test func `a box across the date line shows both sides`() {
        let sides = [179.99, -179.99, 180, -180, 0].enumerated().map { number, longitude in
            place(at: Coordinate(latitude: 10, longitude: longitude), number)
        }
        let index = PlaceIndex(sides, version: 1)
        let box = Box(south: 9, west: 179, north: 11, east: -179)
        for zoom in 0...20 { #expect(index.view(box, zoom: zoom).total == 4) }
        #expect(index.view(box, zoom: 18).places.count == 4)
    }

    private func place(at coordinate: Coordinate, _ number: Int) -> DirectoryPlace {
        var generator = SeededGenerator(seed: UInt64(number))
        let listing = PlaceListing(
            id: PlaceID(at: Instant(milliseconds: 0), using: &generator),
            name: "광장",
            coordinate: coordinate,
            categories: [CategoryID(text: "cafe")],
            source: "osm",
            revision: 1
        )
        return DirectoryPlace(listing: listing, ref: "\(number)", updatedAt: Instant(milliseconds: 0))
    }
}
