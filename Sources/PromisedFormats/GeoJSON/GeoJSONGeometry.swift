import PromisedDomain

/// A geometry of RFC 7946 §3.1.
enum GeoJSONGeometry: Encodable {
    case point(GPXPoint)
    case line([GPXPoint])
    case lines([[GPXPoint]])

    /// The lines of all segments with two points or more; without such a segment, the first point; nil without points.
    init?(segments: [[GPXPoint]]) {
        let lines = segments.filter { $0.count > 1 }
        if lines.count > 1 {
            self = .lines(lines)
        } else if let line = lines.first {
            self = .line(line)
        } else {
            guard let point = segments.joined().first else { return nil }
            self = .point(point)
        }
    }

    /// A time or null for each point; nil if no point has one.
    var times: Times? {
        let times = Times(geometry: self)
        return times.hasAny ? times : nil
    }

    private enum CodingKeys: CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .point(let point):
            try container.encode("Point", forKey: .type)
            try container.encode(Self.position(point), forKey: .coordinates)
        case .line(let line):
            try container.encode("LineString", forKey: .type)
            try container.encode(line.map(Self.position), forKey: .coordinates)
        case .lines(let lines):
            try container.encode("MultiLineString", forKey: .type)
            try container.encode(lines.map { $0.map(Self.position) }, forKey: .coordinates)
        }
    }

    private static func position(_ point: GPXPoint) -> [Double] {
        [point.coordinate.longitude, point.coordinate.latitude] + (point.elevation.map { [$0] } ?? [])
    }
}

extension GeoJSONGeometry {
    /// The times of a geometry's points: in one list, or in a list for each line.
    struct Times: Encodable {
        let geometry: GeoJSONGeometry

        /// `true` if any point has a time.
        var hasAny: Bool {
            switch geometry {
            case .point(let point): point.time != nil
            case .line(let line): line.contains { $0.time != nil }
            case .lines(let lines): lines.joined().contains { $0.time != nil }
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch geometry {
            case .point(let point): try container.encode([point.time?.rfc3339])
            case .line(let line): try container.encode(line.map(\.time?.rfc3339))
            case .lines(let lines): try container.encode(lines.map { $0.map(\.time?.rfc3339) })
            }
        }
    }
}
