package import PromisedDomain

/// The plan of a journey: movements and pauses, one after the other.
package struct Itinerary: Hashable, Sendable {
    /// One part of the plan.
    package enum Stage: Hashable, Sendable {
        /// Along a route, which begins at the end of the previous stage.
        case move(Route, Pace)
        case pause(seconds: Double)
    }

    /// Where it begins.
    package let start: PlanePoint
    /// The parts in order.
    package private(set) var stages: [Stage] = []
    /// The current end of the plan.
    package private(set) var end: PlanePoint

    /// A plan that begins at `start`, without stages.
    package init(from start: PlanePoint) {
        self.start = start
        end = start
    }

    /// Appends a pause of `seconds`, 0 or more.
    package mutating func pause(seconds: Double) { stages.append(.pause(seconds: seconds)) }

    /// Appends a straight movement to `point`.
    package mutating func move(to point: PlanePoint, at pace: Pace) { move(along: Route([end, point]), at: pace) }

    /// Appends a movement along `route`, preceded by a straight one to its beginning if necessary.
    package mutating func move(along route: Route, at pace: Pace) {
        let joined = route.start == end ? route : Route([end] + route.points)
        stages.append(.move(joined, pace))
        end = joined.end
    }

    /// Appends a movement along `route` with waits at the stops.
    ///
    /// - Parameter stops: sorted by distance along the route; those beyond its ends are skipped.
    package mutating func move(along route: Route, at pace: Pace, stops: [Stop]) {
        var done = 0.0
        for stop in stops where stop.atMetres > done && stop.atMetres < route.lengthMetres {
            move(along: route.piece(from: done, to: stop.atMetres), at: pace)
            pause(seconds: stop.seconds)
            done = stop.atMetres
        }
        move(along: route.piece(from: done, to: route.lengthMetres), at: pace)
    }

    /// A wait on the way: a red light, a queue, a shop window.
    package struct Stop: Hashable, Sendable {
        /// Metres from the start of the route.
        package var atMetres: Double
        /// Its length in seconds.
        package var seconds: Double

        /// A wait of `seconds` after `atMetres` of the route.
        package init(atMetres: Double, seconds: Double) {
            self.atMetres = atMetres
            self.seconds = seconds
        }

        /// Traffic lights about every `spacingMetres` of a route, some of them red for up to `longestSeconds`. Returns
        /// the red ones, sorted by distance.
        package static func redLights(
            along route: Route,
            spacingMetres: Double = 300,
            redShare: Double = 0.4,
            longestSeconds: Double = 45,
            using generator: inout SeededGenerator
        ) -> [Stop] {
            var stops: [Stop] = []
            var metres = spacingMetres * generator.uniform(0.3...1)
            while metres < route.lengthMetres {
                if generator.chance(redShare) {
                    stops.append(Stop(atMetres: metres, seconds: generator.uniform(5...max(5, longestSeconds))))
                }
                metres += spacingMetres * generator.uniform(0.7...1.3)
            }
            return stops
        }
    }
}

/// A path through a ``LocalPlane``: straight pieces between points.
package struct Route: Hashable, Sendable {
    /// The points in order, at least one.
    package let points: [PlanePoint]
    /// For each point its distance in metres from the start along the route; ascending from 0.
    private let milestones: [Double]

    /// The route through `points`, at least one.
    package init(_ points: [PlanePoint]) {
        precondition(!points.isEmpty, "a route has at least one point")
        self.points = points
        var milestones = [0.0]
        for (from, to) in zip(points, points.dropFirst()) {
            milestones.append((milestones.last ?? 0) + from.distanceMetres(to: to))
        }
        self.milestones = milestones
    }

    /// The route through `coordinates`, at least one, on `plane`.
    package init(_ coordinates: [Coordinate], on plane: LocalPlane) { self.init(coordinates.map(plane.point(of:))) }

    /// Length in metres; 0 for a single point.
    package var lengthMetres: Double { milestones.last ?? 0 }

    /// Where the route begins.
    package var start: PlanePoint { points.first ?? .origin }

    /// Where the route ends.
    package var end: PlanePoint { points.last ?? .origin }

    /// The point `metres` along the route; its ends for anything outside 0…``lengthMetres``.
    package func point(atMetres metres: Double) -> PlanePoint {
        guard metres > 0 else { return start }
        guard let next = milestones.firstIndex(where: { $0 > metres }) else { return end }
        let share = (metres - milestones[next - 1]) / (milestones[next] - milestones[next - 1])
        return points[next - 1] + (points[next] - points[next - 1]) * share
    }

    /// The piece between two distances along the route, in metres.
    package func piece(from lower: Double, to upper: Double) -> Route {
        let inner = zip(points, milestones).filter { $0.1 > lower && $0.1 < upper }.map(\.0)
        return Route([point(atMetres: lower)] + inner + [point(atMetres: upper)])
    }
}
