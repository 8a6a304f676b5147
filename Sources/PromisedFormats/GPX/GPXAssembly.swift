import PromisedDomain

/// Assembles a document from its elements, and enforces the limits of files.
struct GPXAssembly {
    /// The document so far, without the open track.
    private(set) var document = GPXDocument()
    /// Points and way-points without a valid position.
    private(set) var droppedCount = 0
    private var track = GPXDocument.Track()
    private var segment: [GPXPoint] = []
    /// The open point; nil if it is dropped.
    private var point: GPXPoint?
    /// The points between the open point of a route and the next one.
    private var shape: [GPXPoint] = []
    /// The indices of the tracks that are routes.
    private var routes: Set<Int> = []
    /// The open way-point; nil if it is dropped.
    private var waypoint: GPXDocument.Waypoint?
    private var pointCount = 0
    private var segmentCount = 0
    private var waypointCount = 0

    /// Begins an element; only points and way-points have a position.
    mutating func begin(_ element: GPXElement, at coordinate: Coordinate?) throws(GPXError.Limit) {
        switch element {
        case .track, .route:
            guard document.tracks.count < GPXError.Limit.tracks.most else { throw .tracks }
            track = GPXDocument.Track()
            pointCount = 0
        case .segment: try Self.count(&segmentCount, .segments)
        case .trackPoint, .routePoint:
            try Self.count(&pointCount, .points)
            point = coordinate.map { GPXPoint(coordinate: $0) }
        case .shapePoint:
            try Self.count(&pointCount, .points)
            if let coordinate { shape.append(GPXPoint(coordinate: coordinate)) } else { droppedCount += 1 }
        case .waypoint:
            try Self.count(&waypointCount, .waypoints)
            waypoint = coordinate.map { GPXDocument.Waypoint(coordinate: $0) }
        default: break
        }
    }

    /// Sets the text of an element inside `parent`; a later one of the same name replaces it.
    mutating func take(_ text: ArraySlice<UInt8>, of element: GPXElement, in parent: GPXElement) {
        switch (parent, element) {
        case (.trackPoint, .elevation), (.routePoint, .elevation): point?.elevation = GPXNumber.value(text)
        case (.trackPoint, .time), (.routePoint, .time): point?.time = GPXTime.instant(text)
        case (.trackPoint, .dilution), (.routePoint, .dilution):
            point?.hdop = GPXNumber.value(text).flatMap { $0 >= 0 ? $0 : nil }
        case (.waypoint, .elevation): waypoint?.elevation = GPXNumber.value(text)
        case (.waypoint, .time): waypoint?.time = GPXTime.instant(text)
        case (.waypoint, .name): waypoint?.name = Self.string(text)
        case (.waypoint, .comment): waypoint?.comment = Self.string(text)
        case (.waypoint, .description): waypoint?.description = Self.string(text)
        case (.track, .name), (.route, .name): track.name = Self.string(text)
        case (.track, .description), (.route, .description): track.description = Self.string(text)
        case (_, .documentName): document.name = Self.string(text)
        default: break
        }
    }

    /// Ends an element.
    mutating func end(_ element: GPXElement) {
        switch element {
        case .trackPoint, .routePoint:
            if let point { segment.append(point) } else { droppedCount += 1 }
            segment += shape
            shape = []
        case .segment: endSegment()
        case .track, .route:
            endSegment()
            if element == .route { routes.insert(document.tracks.count) }
            document.tracks.append(track)
        case .waypoint:
            if let waypoint { document.waypoints.append(waypoint) } else { droppedCount += 1 }
        default: break
        }
    }

    /// The document, once all elements have ended. If a route and a track follow the same way, only the track remains.
    func finished() -> GPXDocument {
        var (document, routes) = (document, routes)
        let tracks = document.tracks.indices.filter { !routes.contains($0) }
        routes = routes.filter { route in
            guard let track = tracks.first(where: { document.tracks[route].leadsAlong(document.tracks[$0]) }) else {
                return false
            }
            document.tracks[track].name = document.tracks[track].name ?? document.tracks[route].name
            document.tracks[track].description =
                document.tracks[track].description ?? document.tracks[route].description
            return true
        }
        document.tracks = document.tracks.indices.filter { !routes.contains($0) }.map { document.tracks[$0] }
        return document
    }

    /// `true` if the points between the open point of a route and the next one have begun.
    var hasShape: Bool { !shape.isEmpty }

    /// `true` if the open track has a point.
    var hasOpenPoints: Bool { !segment.isEmpty || !track.segments.isEmpty }

    /// `true` if a track has a point.
    var hasPoints: Bool { !segment.isEmpty || document.tracks.contains { !$0.segments.isEmpty } }

    private mutating func endSegment() {
        if !segment.isEmpty { track.segments.append(segment) }
        segment = []
    }

    private static func count(_ number: inout Int, _ limit: GPXError.Limit) throws(GPXError.Limit) {
        guard number < limit.most else { throw limit }
        number += 1
    }

    private static func string(_ text: ArraySlice<UInt8>) -> String? {
        text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
