import PromisedDomain
import PromisedFormats
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct FeaturePlaceTests {
    private static func file(_ text: String, chunk: Int = .max, area: ImportArea = ImportArea()) throws -> PlaceFile {
        let mapping = try PlaceMapping("ref=@id", "name=name", "latitude=@latitude", "longitude=@longitude")
        let bytes = Array(text.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: max(1, min(chunk, bytes.count))).map { start in
            Array(bytes[start..<min(start + min(chunk, bytes.count), bytes.count)])
        }
        return try PlaceFile(chunks, .geoJSON, mapping: mapping, area: area)
    }

    private static func feature(_ geometry: String, name: String = "A", id: String = "way/1") -> String {
        "{\"type\":\"Feature\",\"id\":\"\(id)\",\"properties\":{\"name\":\"\(name)\"},\"geometry\":\(geometry)}"
    }

    private static func collection(_ features: String...) -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    }

    private static func geometry(_ type: String, _ coordinates: String) -> String {
        "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
    }

    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        let geometry: String
        let longitude: Double
        let latitude: Double
        var testDescription: String { name }
    }

    private static let shapes = [
        Shape(name: "a point", geometry: geometry("Point", "[126.98,37.55]"), longitude: 126.98, latitude: 37.55),
        Shape(
            name: "a square",
            geometry: geometry("Polygon", "[[[0,1],[2,1],[2,3],[0,3],[0,1]]]"),
            longitude: 1,
            latitude: 2
        ),
        Shape(
            name: "a square that is not closed and runs the other way",
            geometry: geometry("Polygon", "[[[0,1],[0,3],[2,3],[2,1]]]"),
            longitude: 1,
            latitude: 2
        ),
        // The centroid of an L is outside: in the bar, at half its height.
        Shape(
            name: "an L",
            geometry: geometry("Polygon", "[[[0,0],[10,0],[10,1],[1,1],[1,10],[0,10],[0,0]]]"),
            longitude: 0.5,
            latitude: 5.5
        ),
        // The centroid is in the hole.
        Shape(
            name: "a ring",
            geometry: geometry(
                "Polygon",
                "[[[0,0],[8,0],[8,8],[0,8],[0,0]],[[2,2],[2,6],[6,6],[6,2],[2,2]]]"
            ),
            longitude: 1,
            latitude: 4
        ),
        Shape(
            name: "the larger of two areas",
            geometry: geometry("MultiPolygon", "[[[[0,1],[1,1],[1,2],[0,1]]],[[[10,1],[14,1],[14,5],[10,5],[10,1]]]]"),
            longitude: 12,
            latitude: 3
        ),
        Shape(
            name: "an area across 180 degrees",
            geometry: geometry("Polygon", "[[[179,1],[-179,1],[-179,3],[179,3],[179,1]]]"),
            longitude: -180,
            latitude: 2
        ),
        Shape(
            name: "an area without a size",
            geometry: geometry("Polygon", "[[[1,1],[3,1],[1,1]]]"),
            longitude: 3,
            latitude: 1
        ),
        Shape(
            name: "a line",
            geometry: geometry("LineString", "[[0,1],[4,1],[4,5]]"),
            longitude: 4,
            latitude: 1
        ),
        Shape(
            name: "the longer of two lines",
            geometry: geometry("MultiLineString", "[[[0,1],[1,1]],[[10,10],[20,10]]]"),
            longitude: 15,
            latitude: 10
        ),
        Shape(
            name: "several points",
            geometry: geometry("MultiPoint", "[[1,1],[2,2],[9,9]]"),
            longitude: 2,
            latitude: 2
        ),
        Shape(
            name: "a collection",
            geometry: """
                {"type":"GeometryCollection","geometries":[\(geometry("Point", "[50,50]")),\
                \(geometry("Polygon", "[[[0,1],[2,1],[2,3],[0,3],[0,1]]]"))]}
                """,
            longitude: 1,
            latitude: 2
        ),
    ]

    @Test(.proves("12.8"), arguments: shapes)
    func `areas, lines and points become places at a point inside them`(shape: Shape) throws {
        let file = try Self.file(Self.collection(Self.feature(shape.geometry)))
        let place = try #require(file.places.first)
        #expect(abs(abs(place.coordinate.longitude) - abs(shape.longitude)) < 1e-9)
        #expect(abs(place.coordinate.latitude - shape.latitude) < 1e-9)
        #expect(place.name == "A" && place.ref == "way/1")
    }

    private static let nowhere = [
        "null", "{}", "{\"type\":\"Polygon\"}", geometry("Polygon", "[]"), geometry("MultiPolygon", "[[]]"),
        geometry("LineString", "[]"), geometry("MultiPoint", "[]"), geometry("Polygon", "[[[1,2],[\"x\",3]]]"),
        geometry("Polygon", "[1,2]"), geometry("Circle", "[1,2]"),
        "{\"type\":\"GeometryCollection\",\"geometries\":[]}",
    ]

    @Test(arguments: nowhere)
    func `rejects a geometry without a position`(geometry: String) throws {
        let file = try Self.file(
            Self.collection(Self.feature(geometry), Self.feature(Self.geometry("Point", "[1,2]"), id: "2"))
        )
        #expect(file.words == ["1 no-position"] && file.places.map(\.ref) == ["2"])
    }

    @Test(.proves("12.8")) func `finds a point inside random areas, also star-shaped ones with many corners`() throws {
        for seed in UInt64(0)..<40 {
            var numbers = SeededNumbers(seed: seed)
            let corners = (0..<Int.random(in: 3...40, using: &numbers)).map { index in
                (Double(index), Double.random(in: 0.05...1, using: &numbers))
            }
            // Corners around 10, 10, at any distance; straight sides between neighbours make the star simple.
            let step = 2 * Double.pi / Double(corners.count)
            let ring = corners.map {
                (10 + $0.1 * Self.cosine($0.0 * step), 10 + $0.1 * Self.cosine($0.0 * step - .pi / 2))
            }
            let text = (ring + [ring[0]]).map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
            let file = try Self.file(Self.collection(Self.feature(Self.geometry("Polygon", "[[\(text)]]"))))
            let place = try #require(file.places.first?.coordinate, "seed \(seed)")
            var isInside = false
            for (one, next) in zip(ring, ring.dropFirst() + [ring[0]])
            where (one.1 > place.latitude) != (next.1 > place.latitude) {
                let crossing = one.0 + (place.latitude - one.1) / (next.1 - one.1) * (next.0 - one.0)
                if crossing > place.longitude { isInside.toggle() }
            }
            #expect(isInside, "seed \(seed): \(place)")
        }
    }

    /// The series of the cosine, good to 1e-9 for −2π…4π: the test needs no library.
    private static func cosine(_ angle: Double) -> Double {
        (1...24).reduce((sum: 1.0, term: 1.0)) { state, index in
            let term = -state.term * angle * angle / Double((2 * index - 1) * 2 * index)
            return (state.sum + term, term)
        }.sum
    }

    // MARK: - Documents

    @Test func `makes places of the field trial's areas and rejects only a missing geometry`() throws {
        let file = try PlaceFile(
            [try FieldSamples.bytes("24-areas.geojson")],
            .geoJSON,
            mapping: try PlaceMapping("ref=@id", "name=name", "latitude=@latitude", "longitude=@longitude")
        )
        #expect(file.places.map(\.name) == ["A", "B", "C"])
        let square = try #require(file.places.dropFirst().first?.coordinate)
        #expect(abs(square.longitude - 126.9805) < 1e-6 && abs(square.latitude - 37.5505) < 1e-6)
        #expect([126.97, 126.971].contains(file.places[2].coordinate.longitude))
        #expect(file.words == ["1 no-position"])
        // The file has one line: row, id and name identify the feature.
        #expect(file.refusals.map(\.label) == [RowLabel(row: 4, ref: "node/4", name: "D")])
    }

    @Test(.proves("12.8"), arguments: [1, 7, 64, Int.max])
    func `reads a single feature and sequences of documents`(chunk: Int) throws {
        let (a, b) = (Self.geometry("Point", "[1,2]"), Self.geometry("Point", "[3,4]"))
        let (one, two) = (Self.feature(a, id: "1"), Self.feature(b, name: "B", id: "2"))
        for (text, names) in [
            (one, ["A"]), ("\n \(one)\n", ["A"]), ("\u{1E}\(one)\n\u{1E}\(two)\n", ["A", "B"]),
            ("\u{1E}\(Self.collection(one, two))\n", ["A", "B"]), ("\(one)\n\(two)\n", ["A", "B"]),
            ("\u{FEFF}\(Self.collection(one, two))", ["A", "B"]), ("\u{1E}\u{1E}\(one)", ["A"]),
        ] {
            let file = try Self.file(text, chunk: chunk)
            #expect(file.places.map(\.name) == names && file.refusals == [], "\(text)")
        }
        let lines = try Self.file("\(one)\n\n\(two)", chunk: chunk)
        #expect(lines.places.map(\.line) == [1, 3])
    }

    @Test(arguments: [
        "", " ", "{}", "[]", "{\"type\":\"FeatureCollection\"}", "{\"type\":\"Topology\",\"objects\":{}}",
        "{\"type\":\"Feature\"", "\u{1E}{\"type\":\"Feature\"", "\u{1E}x",
    ])
    func `rejects a document without features`(text: String) {
        #expect(throws: FormatError.self) { try Self.file(text) }
        #expect(throws: FormatError.self) { try Self.file(text, chunk: 1) }
    }

    @Test(.proves("12.3")) func `reports coordinates in another system, and how to read them`() throws {
        let point = Self.feature(Self.geometry("Point", "[14135014.98,4520206.44]"))
        for crs in ["urn:ogc:def:crs:EPSG::3857", "EPSG:3857", "urn:ogc:def:crs:EPSG:6.9:3857"] {
            let text = """
                {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\(crs)"}},"features":[\(point)]}
                """
            let file = try Self.file(text)
            #expect(file.words == ["1 bad-position"])
            #expect(file.tally.advice?.contains("--crs 3857") == true)
            #expect(try Self.file(text, chunk: 5).tally.advice == file.tally.advice)
            let area = ImportArea(epsg: 3_857) {
                CoordinateSystem(rawValue: 3_857)?.coordinate(of: ProjectedPoint(x: $0, y: $1))
            }
            let read = try Self.file(text, area: area)
            #expect(read.places.count == 1 && read.tally.advice == nil)
        }
        for crs in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "EPSG:4737"] {
            let text = """
                {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\(crs)"}},"features":[\(point)]}
                """
            #expect(try Self.file(text).tally.advice == nil)
        }
    }

    @Test(.proves("12.12"))
    func `reports coordinates in an unsupported system, also after the features`() throws {
        let point = Self.feature(Self.geometry("Point", "[14135014.98,4520206.44]"))
        let unknown = #"{"type":"name","properties":{"name":"EPSG:25832"}}"#
        let text = #"{"type":"FeatureCollection","crs":\#(unknown),"features":[\#(point)]}"#
        let advice = try Self.file(text).tally.advice
        #expect(
            advice == """
                1 of 1 positions are out of range, and the file says that its coordinates are EPSG:25832: convert the file to \
                WGS 84 (EPSG:4326)
                """
        )
        let code = #"{ "type": "EPSG", "properties": { "code": 5179 } }"#
        let behind = #"{"type":"FeatureCollection","features":[\#(point)], "crs" : \#(code)}"#
        for chunk in [7, 5_000] {
            #expect(try Self.file(behind, chunk: chunk).tally.advice?.hasSuffix("EPSG:5179: use --crs 5179") == true)
        }
    }

    @Test(.proves("12.12")) func `accepts degrees of another system with a hint`() throws {
        let point = Self.feature(Self.geometry("Point", "[126.98,37.57]"))
        let tokyo = #"{"type":"name","properties":{"name":"EPSG:4301"}}"#
        let file = try Self.file(#"{"type":"FeatureCollection","crs":\#(tokyo),"features":[\#(point)]}"#)
        #expect(file.places.count == 1)
        let hint = "the file says that its coordinates are EPSG:4301: convert the file to WGS 84 (EPSG:4326)"
        #expect(file.tally.advice == hint)
        // A property of that name is not a coordinate system.
        let named = Self.feature(Self.geometry("Point", "[126.98,37.57]"), name: #"\"crs\" EPSG:4301"#)
        #expect(try Self.file(#"{"type":"FeatureCollection","features":[\#(named)]}"#).tally.advice == nil)
    }

    @Test(.proves("12.9")) func `reports rejected rows by number, id and name`() throws {
        let long = String(repeating: "x", count: 101)
        let text = Self.collection(
            Self.feature(Self.geometry("Point", "[1,2]"), name: long, id: "n/1"),
            Self.feature(Self.geometry("Point", "[1,2]"), name: "", id: "n/2"),
            Self.feature(Self.geometry("Point", "[1,2]"), name: "C", id: "n/3"),
            Self.feature(Self.geometry("Point", "[5,2]"), name: "D", id: "n/3"),
            "7"
        )
        let file = try Self.file(text)
        #expect(file.words == ["1 text", "1 no-name", "1 duplicate", "1 columns"])
        let labels = [
            RowLabel(row: 1, ref: "n/1", name: String(long.dropLast())), RowLabel(row: 2, ref: "n/2"),
            RowLabel(row: 4, ref: "n/3", name: "D"), RowLabel(row: 5),
        ]
        #expect(file.refusals.map(\.label) == labels)
        #expect(file.places.map(\.row) == [3])
    }
}
