package import PromisedDomain

/// Finds names for points of a course in the directory of places.
package protocol CoursePlaces {
    /// The places of the directory within `metres` of a point, the nearest first.
    func places(within metres: Double, of coordinate: Coordinate) -> [Place]
    /// The name of the region that a point lies in; nil if it is unknown.
    func regionName(at coordinate: Coordinate) -> String?
}

extension CoursePlaces {
    /// The place at a point of a course: the nearest of the directory within 200 m, else the point itself, named after
    /// its region if known. Never a place that `hidden` hides.
    func place(at coordinate: Coordinate, hidden: HiddenEnds?) -> Place {
        let near = places(within: CourseWaypoint.nameReachMetres, of: coordinate)
        if let place = near.first(where: { hidden?.hides($0.coordinate) != true }) { return place }
        return Place(name: regionName(at: coordinate) ?? "", coordinate: coordinate)
    }
}

/// A named point on a course.
package struct CourseWaypoint: Hashable, Sendable {
    /// The role of a way-point.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Where the course begins.
        case start
        /// On the way.
        case via
        /// Where it ends.
        case end
        /// Named by its user or by the source file.
        case note
    }

    /// The maximum number per course.
    package static let limit = 50
    /// A place of the directory gives its name to points up to this far away, in metres.
    static let nameReachMetres = 200.0
    /// The number of generated way-points between start and end.
    private static let inner = 5

    /// Its name, possibly empty.
    package var name: String
    /// A place of the directory, or the point itself.
    package var place: Place
    package var kind: Kind
    /// Metres along the way from the start.
    package var atMetres: Double

    package init(name: String, place: Place, kind: Kind, atMetres: Double) {
        self.name = name
        self.place = place
        self.kind = kind
        self.atMetres = atMetres
    }

    /// The way-points of a way whose user named none: start, end, and up to five counted points between them, at
    /// round(i (m − 1) / 4), i = 0…4, of all m, each once. In the order of the way; empty for an empty way.
    ///
    /// - Parameters:
    ///   - track: the clean way, or the part of it that others see.
    ///   - names: names the points.
    ///   - hidden: for others, the ends that names must not reveal.
    package static func along(_ track: Track, names: some CoursePlaces, hidden: HiddenEnds? = nil) -> [CourseWaypoint] {
        let counted = CountedPoints(of: track)
        return chosen(of: counted.indices.count).map { index, kind in
            let place = names.place(at: track.points[counted.indices[index]].coordinate, hidden: hidden)
            return CourseWaypoint(name: place.name, place: place, kind: kind, atMetres: counted.metres[index])
        }
    }

    /// Which of `count` counted points become way-points, ascending.
    static func chosen(of count: Int) -> [(index: Int, kind: Kind)] {
        guard count > 0 else { return [] }
        guard count > 1 else { return [(0, .start)] }
        let between = count - 2
        var chosen: [(index: Int, kind: Kind)] = [(0, .start)]
        for step in 0..<(between > 0 ? inner : 0) {
            let index = 1 + Int((Double(step * (between - 1)) / Double(inner - 1)).rounded())
            if chosen.last?.index != index { chosen.append((index, .via)) }
        }
        return chosen + [(count - 1, .end)]
    }
}
