/// The point that represents the geometry of a GeoJSON feature (RFC 7946 section 3.1) as a place.
///
/// - Areas, also several: the centroid of the largest, or if that lies outside or in a hole, the middle of its widest
///   part at half its height.
/// - Lines: the middle of the longest.
/// - Points: the one nearest to their mean.
/// - Collections: as above, areas before lines before points.
enum FeaturePoint {
    /// A position, in the units of the file.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// The point of a geometry; nil without readable positions.
    static func point(of geometry: JSONValue) -> Point? {
        var parts = Parts()
        guard parts.add(geometry, depth: 0) else { return nil }
        let (shapes, isWrapped) = parts.unwrapped()
        guard let point = shapes.point else { return nil }
        return isWrapped ? Point(x: point.x - 360 * ((point.x + 180) / 360).rounded(.down), y: point.y) : point
    }

    // MARK: - Parts of a geometry

    fileprivate struct Parts {
        /// Each with its outer ring first and its holes after it.
        private var areas: [[[Point]]] = []
        private var lines: [[Point]] = []
        private var points: [Point] = []

        /// Adds the parts of a geometry. Returns `false` if it is unreadable.
        mutating func add(_ geometry: JSONValue, depth: Int) -> Bool {
            guard case .text(let type) = geometry["type"] else { return false }
            if type == "GeometryCollection" {
                guard case .array(let geometries) = geometry["geometries"], depth < 8 else { return false }
                for geometry in geometries {
                    guard add(geometry, depth: depth + 1) else { return false }
                }
                return true
            }
            guard let coordinates = geometry["coordinates"] else { return false }
            switch type {
            case "Point": return keep(Self.position(coordinates).map { [$0] }, in: \.points)
            case "MultiPoint": return keep(Self.positions(coordinates), in: \.points)
            case "LineString": return keep(Self.positions(coordinates).map { [$0] }, in: \.lines)
            case "MultiLineString": return keep(Self.list(coordinates, of: Self.positions), in: \.lines)
            case "Polygon": return keep(Self.area(coordinates).map { [$0] }, in: \.areas)
            case "MultiPolygon": return keep(Self.list(coordinates, of: Self.area), in: \.areas)
            default: return false
            }
        }

        private mutating func keep<Part>(_ found: [Part]?, in list: WritableKeyPath<Parts, [Part]>) -> Bool {
            guard let found else { return false }
            self[keyPath: list] += found
            return true
        }

        private static func list<Part>(_ value: JSONValue, of part: (JSONValue) -> Part?) -> [Part]? {
            guard case .array(let elements) = value else { return nil }
            var parts: [Part] = []
            for element in elements {
                guard let part = part(element) else { return nil }
                parts.append(part)
            }
            return parts
        }

        private static func area(_ value: JSONValue) -> [[Point]]? { list(value, of: positions) }

        private static func positions(_ value: JSONValue) -> [Point]? { list(value, of: position) }

        private static func position(_ value: JSONValue) -> Point? {
            guard case .number(let x) = value["0"], case .number(let y) = value["1"], let x = Double(x),
                let y = Double(y),
                x.isFinite, y.isFinite
            else { return nil }
            return Point(x: x, y: y)
        }

        /// The same parts with degrees that do not jump at ±180, and `true` if they did.
        func unwrapped() -> (Parts, Bool) {
            let all = Array(areas.joined().joined()) + Array(lines.joined()) + points
            guard let first = all.first, all.allSatisfy({ abs($0.x) <= 360 && abs($0.y) <= 90 }),
                let west = all.map(\.x).min(), let east = all.map(\.x).max(), east - west > 180
            else { return (self, false) }
            func near(_ point: Point) -> Point {
                Point(x: point.x - 360 * ((point.x - first.x) / 360).rounded(), y: point.y)
            }
            var parts = self
            parts.areas = areas.map { $0.map { $0.map(near) } }
            parts.lines = lines.map { $0.map(near) }
            parts.points = points.map(near)
            return (parts, true)
        }

        var point: Point? {
            let largest = areas.max { Self.size(of: $0) < Self.size(of: $1) }
            if let largest, let point = Self.inside(largest) { return point }
            let longest = (lines + areas.joined()).max { Self.length(of: $0) < Self.length(of: $1) }
            if let longest, let middle = Self.middle(of: longest) { return middle }
            return Self.central(points)
        }
    }
}

// MARK: - Areas

extension FeaturePoint.Parts {
    fileprivate typealias Point = FeaturePoint.Point

    /// The size of an area without its holes.
    private static func size(of rings: [[Point]]) -> Double {
        guard let outer = rings.first else { return 0 }
        return rings.dropFirst().reduce(abs(moments(of: outer).area)) { $0 - abs(moments(of: $1).area) }
    }

    /// The signed size of a ring, and its centroid times that, seen from its first point.
    private static func moments(of ring: [Point]) -> (area: Double, x: Double, y: Double) {
        guard let origin = ring.first else { return (0, 0, 0) }
        var sum = (area: 0.0, x: 0.0, y: 0.0)
        for (one, next) in zip(ring, ring.dropFirst() + [origin]) {
            let (ax, ay, bx, by) = (one.x - origin.x, one.y - origin.y, next.x - origin.x, next.y - origin.y)
            let cross = ax * by - bx * ay
            sum.area += cross / 2
            sum.x += (ax + bx) * cross / 6
            sum.y += (ay + by) * cross / 6
        }
        return sum
    }

    /// A point inside an area; nil if the area has no size.
    private static func inside(_ rings: [[Point]]) -> Point? {
        guard let centroid = centroid(of: rings) else { return nil }
        if contains(centroid, rings) { return centroid }
        let heights = Set(rings.joined().map(\.y)).sorted()
        guard let low = heights.first, let high = heights.last else { return nil }
        // Between two heights no side begins or ends, so each is either crossed or not.
        let levels = zip(heights, heights.dropFirst()).map { ($0 + $1) / 2 }
        let level = levels.min { abs($0 - (low + high) / 2) < abs($1 - (low + high) / 2) }
        guard let level else { return nil }
        let crossings = crossings(of: level, rings)
        let parts = stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
        guard let widest = parts.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return nil }
        return Point(x: (widest.0 + widest.1) / 2, y: level)
    }

    private static func centroid(of rings: [[Point]]) -> Point? {
        guard let outer = rings.first, let origin = outer.first else { return nil }
        var (area, x, y) = moments(of: outer)
        if area < 0 { (area, x, y) = (-area, -x, -y) }
        guard area > 0 else { return nil }
        for hole in rings.dropFirst() {
            guard let start = hole.first else { continue }
            let part = moments(of: hole)
            let sign: Double = part.area < 0 ? -1 : 1
            area -= sign * part.area
            x -= sign * (part.x + part.area * (start.x - origin.x))
            y -= sign * (part.y + part.area * (start.y - origin.y))
        }
        guard area > 0 else { return nil }
        return Point(x: origin.x + x / area, y: origin.y + y / area)
    }

    private static func contains(_ point: Point, _ rings: [[Point]]) -> Bool {
        crossings(of: point.y, rings).count { $0 < point.x } % 2 == 1
    }

    /// Where a horizontal line crosses the sides of the rings, ascending.
    private static func crossings(of level: Double, _ rings: [[Point]]) -> [Double] {
        var crossings: [Double] = []
        for ring in rings {
            guard let first = ring.first else { continue }
            for (one, next) in zip(ring, ring.dropFirst() + [first]) where (one.y > level) != (next.y > level) {
                crossings.append(one.x + (level - one.y) / (next.y - one.y) * (next.x - one.x))
            }
        }
        return crossings.sorted()
    }
}

// MARK: - Lines and points

extension FeaturePoint.Parts {
    private static func distance(_ one: Point, _ other: Point) -> Double {
        ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
    }

    private static func length(of line: [Point]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    private static func middle(of line: [Point]) -> Point? {
        var left = length(of: line) / 2
        for (one, next) in zip(line, line.dropFirst()) {
            let step = distance(one, next)
            if step >= left, step > 0 {
                let share = left / step
                return Point(x: one.x + share * (next.x - one.x), y: one.y + share * (next.y - one.y))
            }
            left -= step
        }
        return line.first
    }

    private static func central(_ points: [Point]) -> Point? {
        let count = Double(points.count)
        let mean = Point(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        return points.min { distance($0, mean) < distance($1, mean) }
    }
}
