/// The elements that are read, of all versions of GPX.
enum GPXElement {
    case gpx
    case metadata
    case documentName
    case waypoint
    case track
    case route
    case segment
    case trackPoint
    case routePoint
    /// The elements that a program adds to a point of a route.
    case extensions
    /// Garmin's extension of a point of a route: the way from there to the next point.
    case shape
    /// A point of that way.
    case shapePoint
    case name
    case comment
    case description
    case elevation
    case time
    case dilution
    /// Any other element, of GPX or not, with its content.
    case skipped

    /// `true` if the text of the element is read.
    var hasText: Bool {
        switch self {
        case .documentName, .name, .comment, .description, .elevation, .time, .dilution: true
        case .gpx, .metadata, .waypoint, .track, .route, .segment, .trackPoint, .routePoint, .extensions, .shape,
            .shapePoint, .skipped:
            false
        }
    }

    /// `true` if the element has the attributes `lat` and `lon`.
    var hasPosition: Bool {
        self == .trackPoint || self == .routePoint || self == .shapePoint || self == .waypoint
    }

    /// The element of a name inside this one.
    func child(_ name: ArraySlice<UInt8>) -> GPXElement {
        for (childName, child) in children where childName.utf8.elementsEqual(name) { return child }
        return .skipped
    }

    private var children: [(String, GPXElement)] {
        switch self {
        case .gpx: Self.ofDocument
        case .metadata: Self.ofMetadata
        case .waypoint: Self.ofWaypoint
        case .track: Self.ofTrack
        case .route: Self.ofRoute
        case .segment: Self.ofSegment
        case .trackPoint: Self.ofPoint
        case .routePoint: Self.ofRoutePoint
        case .extensions: Self.ofExtensions
        case .shape: Self.ofShape
        case .shapePoint, .documentName, .name, .comment, .description, .elevation, .time, .dilution, .skipped: []
        }
    }

    /// The title is an element of `gpx` in version 1.0, of `metadata` in 1.1.
    private static let ofDocument: [(String, GPXElement)] = [
        ("wpt", .waypoint), ("trk", .track), ("rte", .route), ("metadata", .metadata), ("name", .documentName),
    ]
    private static let ofMetadata: [(String, GPXElement)] = [("name", .documentName)]
    private static let ofWaypoint: [(String, GPXElement)] = [
        ("ele", .elevation), ("time", .time), ("name", .name), ("cmt", .comment), ("desc", .description),
    ]
    private static let ofTrack: [(String, GPXElement)] = [
        ("trkseg", .segment), ("name", .name), ("desc", .description),
    ]
    private static let ofRoute: [(String, GPXElement)] = [
        ("rtept", .routePoint), ("name", .name), ("desc", .description),
    ]
    private static let ofSegment: [(String, GPXElement)] = [("trkpt", .trackPoint)]
    private static let ofPoint: [(String, GPXElement)] = [
        ("ele", .elevation), ("time", .time), ("hdop", .dilution),
    ]
    private static let ofRoutePoint: [(String, GPXElement)] = ofPoint + [("extensions", .extensions)]
    private static let ofExtensions: [(String, GPXElement)] = [("RoutePointExtension", .shape)]
    private static let ofShape: [(String, GPXElement)] = [("rpt", .shapePoint)]
}
