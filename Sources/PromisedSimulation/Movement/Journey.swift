/// The true position at each instant; a ``GPSReceiver`` adds errors to it.
///
/// It has one position per second while moving, with straight lines in between, so corners are cut by at most a
/// second's movement.
package struct Journey: Hashable, Sendable {
    /// A place and the seconds since the start at which it is reached.
    package struct Waypoint: Hashable, Sendable {
        /// Seconds since the start.
        package var seconds: Double
        package var point: PlanePoint

        /// A place reached after `seconds`.
        package init(seconds: Double, point: PlanePoint) {
            self.seconds = seconds
            self.point = point
        }
    }

    /// The points in order of time, at least one.
    package private(set) var waypoints: [Waypoint]

    /// A journey through `waypoints`: at least one, their seconds rising.
    package init(through waypoints: [Waypoint]) {
        precondition(!waypoints.isEmpty, "a journey begins somewhere")
        self.waypoints = waypoints
    }

    /// The journey that follows `itinerary`, with the speed variation of its paces.
    package init(_ itinerary: Itinerary, using generator: inout SeededGenerator) {
        waypoints = [Waypoint(seconds: 0, point: itinerary.start)]
        var motion = Motion()
        for (index, stage) in itinerary.stages.enumerated() {
            switch stage {
            case .pause(let seconds):
                motion.rest()
                waypoints.append(Waypoint(seconds: durationSeconds + seconds, point: end))
            case .move(let route, let pace):
                let stops = itinerary.stages.dropFirst(index + 1).first.map(\.isPause) ?? true
                follow(route, at: pace, stops: stops, motion: &motion, using: &generator)
            }
        }
    }

    package var durationSeconds: Double { waypoints.last?.seconds ?? 0 }

    /// Where it ends.
    package var end: PlanePoint { waypoints.last?.point ?? .origin }

    /// The position after `seconds`; before the start and after the arrival, that of the nearer end.
    package func position(atSeconds seconds: Double) -> PlanePoint {
        let next = firstWaypoint(after: seconds)
        guard next > 0 else { return waypoints[0].point }
        guard next < waypoints.count else { return end }
        let (from, to) = (waypoints[next - 1], waypoints[next])
        return from.point + (to.point - from.point) * ((seconds - from.seconds) / (to.seconds - from.seconds))
    }

    /// The speed after `seconds`, in metres per second; 0 before the start and after the arrival.
    package func speedMps(atSeconds seconds: Double) -> Double {
        let next = firstWaypoint(after: seconds)
        guard next > 0, next < waypoints.count else { return 0 }
        let (from, to) = (waypoints[next - 1], waypoints[next])
        return from.point.distanceMetres(to: to.point) / (to.seconds - from.seconds)
    }

    /// When the journey first comes within `radiusMetres` of `centre`, in seconds since the start; nil for never.
    ///
    /// Accurate to a few milliseconds for circles that are large compared to a second's movement.
    package func firstEntrySeconds(within radiusMetres: Double, of centre: PlanePoint) -> Double? {
        guard let inside = waypoints.firstIndex(where: { $0.point.distanceMetres(to: centre) <= radiusMetres })
        else { return nil }
        guard inside > 0 else { return 0 }
        var outsideAt = waypoints[inside - 1].seconds
        var insideAt = waypoints[inside].seconds
        while insideAt - outsideAt > 0.001 {
            let middle = (insideAt + outsideAt) / 2
            if position(atSeconds: middle).distanceMetres(to: centre) <= radiusMetres {
                insideAt = middle
            } else {
                outsideAt = middle
            }
        }
        return insideAt
    }

    private mutating func follow(
        _ route: Route,
        at pace: Pace,
        stops: Bool,
        motion: inout Motion,
        using generator: inout SeededGenerator
    ) {
        var done = 0.0
        while done < route.lengthMetres {
            let remaining = route.lengthMetres - done
            let speed = motion.step(pace, remainingMetres: stops ? remaining : nil, using: &generator)
            let share = min(1, remaining / speed)
            done += speed * share
            waypoints.append(Waypoint(seconds: durationSeconds + share, point: route.point(atMetres: done)))
            if remaining <= speed { break }
        }
    }

    private func firstWaypoint(after seconds: Double) -> Int {
        var low = 0
        var high = waypoints.count
        while low < high {
            let middle = (low + high) / 2
            if waypoints[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The speed, second by second.
private struct Motion {
    private var speed = 0.0
    /// The current deviation from the cruising speed, in standard deviations.
    private var mood = 0.0

    mutating func rest() { speed = 0 }

    /// The distance of the next second, in metres: above 0, so that every movement ends.
    mutating func step(_ pace: Pace, remainingMetres: Double?, using generator: inout SeededGenerator) -> Double {
        let memory = 1 - min(1, 1 / pace.steadinessSeconds)
        mood = memory * mood + (1 - memory * memory).squareRoot() * generator.normal()
        var wanted = max(0.2 * pace.cruiseMps, pace.cruiseMps + pace.variationMps * mood)
        if let remainingMetres { wanted = min(wanted, (2 * pace.brakingMps2 * remainingMetres).squareRoot()) }
        speed = min(wanted, speed + pace.accelerationMps2)
        return max(speed, 0.3)
    }
}

extension Itinerary.Stage {
    fileprivate var isPause: Bool {
        switch self {
        case .pause: true
        case .move: false
        }
    }
}
