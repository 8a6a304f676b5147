import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

/// Requests about the directory, and their refused values.
@Suite struct PlaceRequestConversionTests {
    struct BoxRow: Sendable {
        let edges: (south: Double, west: Double, north: Double, east: Double)
        /// The rejected field; nil for an accepted box.
        var field: String?

        var wire: WireBox {
            .with { ($0.south, $0.west, $0.north, $0.east) = (edges.south, edges.west, edges.north, edges.east) }
        }
    }

    @Test(
        arguments: [
            // The whole earth, a point, across 180°, the poles.
            BoxRow(edges: (-90, -180, 90, 180)), BoxRow(edges: (37.5, 127, 37.5, 127)),
            BoxRow(edges: (-10, 179, 10, -179)), BoxRow(edges: (90, 0, 90, 0)),
            // Each edge one step outside.
            BoxRow(edges: (-90.001, 0, 0, 0), field: "south"), BoxRow(edges: (0, -180.001, 0, 0), field: "west"),
            BoxRow(edges: (0, 0, 90.001, 0), field: "north"), BoxRow(edges: (0, 0, 0, 180.001), field: "east"),
            // No numbers.
            BoxRow(edges: (.nan, 0, 0, 0), field: "south"), BoxRow(edges: (0, .nan, 0, 0), field: "west"),
            BoxRow(edges: (0, 0, .infinity, 0), field: "north"), BoxRow(edges: (0, 0, 0, .nan), field: "east"),
            // Upside down.
            BoxRow(edges: (1, 0, 0.999, 0), field: "south"),
        ]
    )
    func `requires the edges of a box on the earth`(row: BoxRow) throws {
        let request = WireViewPlaces.with { $0.box = row.wire }
        if let field = row.field {
            #expect(throws: WireError.invalid(field: field)) { try Box(row.wire) }
            #expect(throws: WireError.invalid(field: "box.\(field)")) { try request.visibleBox() }
        } else {
            let box = Box(south: row.edges.south, west: row.edges.west, north: row.edges.north, east: row.edges.east)
            #expect(try Box(row.wire) == box && WireBox(box) == row.wire)
            #expect(try request.visibleBox() == box)
        }
    }

    @Test func `a view needs a box`() {
        #expect(throws: WireError.invalid(field: "box")) { try WireViewPlaces().visibleBox() }
    }

    @Test(arguments: [(0, true), (20, true), (21, false), (UInt32.max, false)])
    func `a zoom is 0 to 20`(zoom: UInt32, isTaken: Bool) throws {
        let wire = WireViewPlaces.with { $0.zoom = zoom }
        if isTaken {
            #expect(try wire.checkedZoom() == Int(zoom))
        } else {
            #expect(throws: WireError.invalid(field: "zoom")) { try wire.checkedZoom() }
        }
    }

    @Test(
        arguments: [
            (0, true), (0.5, true), (50_000, true), (50_000.001, false), (-0.001, false), (.nan, false),
            (.infinity, false),
        ] as [(Double, Bool)]
    )
    func `a radius is at most 50 km`(metres: Double, isTaken: Bool) throws {
        let wire = WireNearbyPlaces.with { $0.radiusMetres = metres }
        if isTaken {
            #expect(try wire.checkedRadius() == metres)
        } else {
            #expect(throws: WireError.invalid(field: "radiusMetres")) { try wire.checkedRadius() }
        }
    }

    @Test(
        arguments: [
            (90, 180, nil), (-90, -180, nil), (90.001, 0, "latitude"), (.nan, 0, "latitude"),
            (0, -180.001, "longitude"),
            (0, .infinity, "longitude"),
        ] as [(Double, Double, String?)]
    )
    func `requires a centre and a point on the earth`(latitude: Double, longitude: Double, field: String?) throws {
        let nearby = WireNearbyPlaces.with { ($0.latitude, $0.longitude) = (latitude, longitude) }
        let point = WirePoint.with { ($0.latitude, $0.longitude) = (latitude, longitude) }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try nearby.centre() }
            #expect(throws: WireError.invalid(field: field)) { try Coordinate(point) }
        } else {
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            #expect(try nearby.centre() == coordinate && Coordinate(point) == coordinate)
        }
    }

    // MARK: - Filters

    @Test func `a filter uses all its parts`() throws {
        let wire = WirePlaceFilter.with {
            $0.categories = ["bookshop", "market/periodic"]
            $0.regions = ["KR-11/종로구"]
            $0.sources = ["markets-kr"]
            $0.openAt = WireTimestamp(DomainSamples.meetsAt)
            $0.favourites = true
        }
        let filter = try PlaceFilter(wire)
        #expect(filter.categories.map(\.text) == ["bookshop", "market/periodic"])
        #expect(filter.regions.map(\.text) == ["KR-11/종로구"] && filter.sources == ["markets-kr"])
        #expect(filter.openAt == DomainSamples.meetsAt && filter.favourites == nil)
        #expect(try PlaceFilter(WirePlaceFilter()).allowsAll)
    }

    @Test(arguments: [(16, 16, 8, nil), (17, 0, 0, "categories"), (0, 17, 0, "regions"), (0, 0, 9, "sources")])
    func `the lists of a filter are short`(categories: Int, regions: Int, sources: Int, field: String?) throws {
        let wire = WirePlaceFilter.with {
            $0.categories = Array(repeating: "cafe", count: categories)
            $0.regions = Array(repeating: "KR-11", count: regions)
            $0.sources = Array(repeating: "own", count: sources)
        }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try PlaceFilter(wire) }
        } else {
            #expect(try PlaceFilter(wire).categories.count == categories)
        }
    }

    @Test(arguments: [
        "", "Cafe", "1cafe", "a/b/c", "/a", "a/", "카페", "cafe ", String(repeating: "a", count: 25),
    ])
    func `a category has its form`(id: String) {
        let wire = WirePlaceFilter.with { $0.categories = ["cafe", id] }
        #expect(throws: WireError.invalid(field: "categories[1]")) { try PlaceFilter(wire) }
    }

    @Test(arguments: ["", "/", "KR-11/", " KR-11", "a/b/c", "KR\u{7}11", String(repeating: "x", count: 65)])
    func `a region has its form`(code: String) {
        let wire = WirePlaceFilter.with { $0.regions = [code] }
        #expect(throws: WireError.invalid(field: "regions[0]")) { try PlaceFilter(wire) }
    }

    @Test(arguments: ["", "Own", "own source", String(repeating: "a", count: 41)])
    func `rejects a malformed name of a source`(name: String) {
        let wire = WirePlaceFilter.with { $0.sources = [name] }
        #expect(throws: WireError.invalid(field: "sources[0]")) { try PlaceFilter(wire) }
    }

    @Test func `the time of a filter is in the years 1 to 9999`() {
        let wire = WirePlaceFilter.with { $0.openAt = WireTimestamp(seconds: 253_402_300_800, nanos: 0) }
        #expect(throws: WireError.invalid(field: "openAt")) { try PlaceFilter(wire) }
    }

    // MARK: - Regions

    @Test func `requests the first level without a parent`() throws {
        #expect(try WireListRegions().parentCode() == nil)
        #expect(try WireListRegions.with { $0.parent = "KR-11" }.parentCode() == RegionCode(text: "KR-11"))
    }

    @Test(arguments: ["", "KR-11/종로구", " "])
    func `a parent is a region of the first level`(code: String) {
        let wire = WireListRegions.with { $0.parent = code }
        #expect(throws: WireError.invalid(field: "parent")) { try wire.parentCode() }
    }
}
