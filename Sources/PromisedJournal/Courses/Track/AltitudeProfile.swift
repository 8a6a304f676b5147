internal import PromisedDomain

/// The altitudes along one segment without the noise of single points: at each point that has one, the mean of those at
/// most 100 m before or after it along the way.
struct AltitudeProfile {
    /// How far the mean reaches to either side, in metres along the way.
    private static let reachMetres = 100.0

    /// The smoothed altitudes of the points with one, in their order.
    private(set) var altitudesMetres: [Double] = []

    init(of points: ArraySlice<TrackPoint>) {
        guard points.contains(where: { $0.altitudeMetres != nil }) else { return }
        let (metres, raw) = AltitudeProfile.measure(points)
        altitudesMetres.reserveCapacity(raw.count)
        var (first, end, sum) = (0, 0, 0.0)
        for index in raw.indices {
            while end < raw.count, metres[end] <= metres[index] + AltitudeProfile.reachMetres {
                sum += raw[end]
                end += 1
            }
            while metres[first] < metres[index] - AltitudeProfile.reachMetres {
                sum -= raw[first]
                first += 1
            }
            altitudesMetres.append(sum / Double(end - first))
        }
    }

    /// The points with an altitude: how far along the way through all points they lie, and their altitude.
    private static func measure(_ points: ArraySlice<TrackPoint>) -> (metres: [Double], altitudes: [Double]) {
        var (metres, altitudes, way) = ([Double](), [Double](), 0.0)
        var last = points.first?.coordinate
        for point in points {
            if let last { way += point.coordinate.distanceMetres(to: last) }
            last = point.coordinate
            guard let altitude = point.altitudeMetres else { continue }
            metres.append(way)
            altitudes.append(altitude)
        }
        return (metres, altitudes)
    }
}

/// The climbs and descents of a profile, summed between its turning points.
///
/// ```
///         5 m above the lowest           5 m below the peak: the climb counts
/// level ───────────────────────▶ climbing ─────────────────────────────────▶ descending
///   │                                     ◀─────────────────────────────────     ▲
///   │                                    5 m above the valley: the descent       │
///   └────────────────────────────────────────────────────────────────────────────┘
///         5 m below the highest                                     counts
/// ```
struct Climbs: Hashable, Sendable {
    /// A turn counts from this difference on, in metres.
    static let turnMetres = 5.0

    private enum Direction { case level, climbing, descending }

    /// The sum of the climbs, in metres.
    private(set) var ascentMetres = 0.0
    /// The sum of the descents, in metres.
    private(set) var descentMetres = 0.0
    private var direction = Direction.level
    /// While climbing, the last turning point; while descending, the valley so far.
    private var lowest = Double.infinity
    /// While descending, the last turning point; while climbing, the peak so far.
    private var highest = -Double.infinity

    /// The climbs of a profile in metres.
    init(_ altitudes: [Double]) {
        for altitude in altitudes { pass(altitude) }
        turn(to: .level)
    }

    private mutating func pass(_ altitude: Double) {
        if direction != .climbing { lowest = min(lowest, altitude) }
        if direction != .descending { highest = max(highest, altitude) }
        if direction != .descending, altitude <= highest - Climbs.turnMetres {
            turn(to: .descending)
            lowest = altitude
        } else if direction != .climbing, altitude >= lowest + Climbs.turnMetres {
            turn(to: .climbing)
            highest = altitude
        }
    }

    private mutating func turn(to next: Direction) {
        switch direction {
        case .climbing: ascentMetres += highest - lowest
        case .descending: descentMetres += highest - lowest
        case .level: break
        }
        direction = next
    }
}
