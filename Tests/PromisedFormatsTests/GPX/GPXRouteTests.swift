import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

/// Routes with all points of the way, and routes beside a track of the same way.
@Suite struct GPXRouteTests {
    private static let garmin = "http://www.garmin.com/xmlschemas/GpxExtensions/v3"

    private static func points(_ name: String, _ positions: [(Double, Double)]) -> String {
        positions.map { #"<\#(name) lat="\#($0.0)" lon="\#($0.1)"/>"# }.joined()
    }

    private static func route(_ positions: [(Double, Double)], _ name: String = "planned") -> String {
        "<rte><name>\(name)</name><desc>by road</desc>\(points("rtept", positions))</rte>"
    }

    private static func track(_ positions: [(Double, Double)]...) -> String {
        "<trk>\(positions.map { "<trkseg>\(points("trkpt", $0))</trkseg>" }.joined())</trk>"
    }

    private static func longitudes(_ content: String) throws -> [[Double]] {
        try GPXFile(GPXSamples.bytes(content)).document.tracks.map { $0.segments.joined().map(\.coordinate.longitude) }
    }

    // MARK: - Garmin's ways

    private static func shaped(_ prefix: String, _ declaration: String) -> String {
        let shape = (3...5).map { #"<\#(prefix)rpt lat="1" lon="\#($0)"><\#(prefix)a/></\#(prefix)rpt>"# }.joined()
        return """
            <rte><rtept lat="1" lon="2"><ele>7</ele><extensions><x:other><x:rpt lat="9" lon="9"/></x:other>
            <\(prefix)RoutePointExtension \(declaration)><\(prefix)Subclass>00</\(prefix)Subclass>\(shape)
            </\(prefix)RoutePointExtension></extensions></rtept><rtept lat="1" lon="6"/></rte>
            """
    }

    @Test(
        .proves("17.7"),
        arguments: [
            ("gpxx:", "xmlns:gpxx='\(garmin)'"), ("a:", "xmlns:a='\(garmin)'"), ("", "xmlns='\(garmin)'"),
            ("gpxx:", "xmlns:gpxx='http://www.garmin.com/xmlschemas/GpxExtensions/v2'"),
        ]
    )
    func `a route of Garmin's programs has the way between its points`(prefix: String, declaration: String) throws {
        let file = try GPXFile(GPXSamples.bytes(Self.shaped(prefix, declaration)))
        #expect(file.points.map(\.coordinate.longitude) == [2, 3, 4, 5, 6])
        #expect(file.points.map(\.elevation) == [7, nil, nil, nil, nil] && file.droppedCount == 0)
    }

    @Test(arguments: ["xmlns:gpxx='urn:other'", "", "xmlns:gpxx='http://www.garmin.com/xmlschemas/TripExtensions/v1'"])
    func `skips an extension of another publisher`(declaration: String) throws {
        #expect(try Self.longitudes(Self.shaped("gpxx:", declaration)) == [[2, 6]])
    }

    @Test func `drops and counts points without a position, but keeps their way`() throws {
        let content = Self.shaped("g:", "xmlns:g='\(Self.garmin)'")
            .replacing(#"<rtept lat="1" lon="2">"#, with: "<rtept>")
            .replacing(#"lon="4""#, with: #"lon="4,0""#)
        let file = try GPXFile(GPXSamples.bytes(content))
        #expect(file.points.map(\.coordinate.longitude) == [3, 5, 6])
        #expect(file.droppedCount == 2 && file.problems.counts == [.missing: 1, .decimalComma: 1])
    }

    @Test func `counts points of ways as points of the route`() {
        let shape = Self.points("g:rpt", (0..<100_000).map { _ in (1, 2) })
        let content = """
            <rte><rtept lat="1" lon="2"><extensions><g:RoutePointExtension xmlns:g="\(Self.garmin)">\(shape)
            </g:RoutePointExtension></extensions></rtept></rte>
            """
        #expect(throws: GPXError.tooMuch(line: 2, .points)) { try GPXFile(GPXSamples.bytes(content)) }
    }

    // MARK: - A route and a track

    private static let way = (0...20).map { index -> (Double, Double) in
        (37.55 + 0.0005 * Double(index), index > 10 ? 126.992 : 126.99)
    }
    private static let corners = [way[0], way[10], way[11], way[20]]

    @Test(
        .proves("17.7"),
        arguments: [route(corners) + track(way), track(way) + route(corners), route(way) + track(corners)]
    )
    func `reads only the track of a route and a track of the same way`(content: String) throws {
        let file = try GPXFile(GPXSamples.bytes(content))
        #expect(file.document.tracks.count == 1 && file.droppedCount == 0)
        #expect(file.document.tracks.first?.name == "planned" && file.document.tracks.first?.description == "by road")
        #expect(content.contains("<trkpt lat=\"\(Self.way[5].0)") == (file.points.count == Self.way.count))
    }

    @Test func `matches a route to a track of several segments and to one off the road`() throws {
        let strayed = Self.way.enumerated().map { index, point -> (Double, Double) in
            (point.0 + (index.isMultiple(of: 2) ? 0.0005 : -0.0005), point.1)
        }
        for track in [Self.track(Array(Self.way[..<9]), Array(Self.way[9...])), Self.track(strayed)] {
            #expect(try Self.longitudes(Self.route(Self.corners) + track).count == 1)
        }
    }

    @Test func `a track keeps its name, and each route is dropped for the track of its way`() throws {
        let other = Self.way.map { ($0.0 + 1, $0.1) }
        let named = Self.track(Self.way).replacing("<trk>", with: "<trk><name>ridden</name>")
        let content = Self.route(other, "second") + Self.route(Self.corners) + named + Self.track(other)
        #expect(try GPXFile(GPXSamples.bytes(content)).document.tracks.map(\.name) == ["ridden", "second"])
    }

    @Test(
        arguments: [
            // Reversed, a part of the way, another way, elsewhere.
            route(corners.reversed()), route([way[0], way[10]]), route([way[10], way[20]]),
            route([way[0], (37.555, 127.02), way[20]]), route(corners.map { ($0.0, $0.1 + 0.01) }),
            // Out of order, and without points.
            route([way[0], way[15], way[5], way[20]]), "<rte/>",
        ]
    )
    func `keeps a route of another way`(route: String) throws {
        #expect(try Self.longitudes(route + Self.track(Self.way)).count == 2)
    }

    @Test func `keeps two loops from one entrance`() throws {
        let round = [(37.55, 126.99), (37.56, 126.99), (37.56, 127), (37.55, 127), (37.55, 126.99)]
        let other = round.map { (37.55 - ($0.0 - 37.55), $0.1) }
        #expect(try Self.longitudes(Self.route(round) + Self.track(other)).count == 2)
        #expect(try Self.longitudes(Self.route(round) + Self.track(round)).count == 1)
    }

    @Test func `matches a way across the date line`() throws {
        let way = (0...20).map { index -> (Double, Double) in
            let longitude = 179.99 + 0.001 * Double(index)
            return (10, longitude > 180 ? longitude - 360 : longitude)
        }
        #expect(try Self.longitudes(Self.route([way[0], way[20]]) + Self.track(way)).count == 1)
        #expect(try Self.longitudes(Self.route(way) + Self.track([way[0], way[20]])).count == 1)
    }

    @Test func `keeps two tracks of one way, and two routes`() throws {
        #expect(try Self.longitudes(Self.track(Self.way) + Self.track(Self.way)).count == 2)
        #expect(try Self.longitudes(Self.route(Self.way) + Self.route(Self.way)).count == 2)
    }
}
