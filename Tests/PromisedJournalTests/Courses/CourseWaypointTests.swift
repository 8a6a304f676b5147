import PromisedDomain
import PromisedJournal
import Testing

@Suite struct CourseWaypointTests {
    /// A way to the north with a point each 10 m.
    private func way(_ count: Int) -> Track {
        let degrees = 10 / Coordinate.earthRadiusMetres * 180 / .pi
        return Track((0..<count).map { TrackPoint(Coordinate(latitude: Double($0) * degrees, longitude: 127)) })
    }

    @Test(
        arguments: [
            (0, []), (1, [0]), (2, [0, 10]), (3, [0, 10, 20]), (4, [0, 10, 20, 30]),
            (7, [0, 10, 20, 30, 40, 50, 60]),
            // m = 9: 0, 2, 4, 6, 8 of those between.
            (11, [0, 10, 30, 50, 70, 90, 100]),
            // m = 7: round(1.5) = 2, round(4.5) = 5.
            (9, [0, 10, 30, 40, 60, 70, 80]),
        ] as [(Int, [Double])]
    )
    func `proposes the start, the end and five points between`(count: Int, metres: [Double]) {
        let waypoints = CourseWaypoint.along(way(count), names: Towns())
        #expect(waypoints.map { $0.atMetres.rounded() } == metres)
        let kinds = waypoints.map(\.kind)
        #expect(kinds.first == (count > 0 ? .start : nil))
        #expect(count < 2 || kinds.last == .end)
        #expect(kinds.dropFirst().dropLast().allSatisfy { $0 == .via })
    }

    @Test func `names a point by the nearest place, else by its region, else leaves it unnamed`() {
        let cafe = Place(name: "Café", coordinate: way(2).points[1].coordinate)
        let towns = Towns(place: cafe, region: "Jongno-gu")
        let near = CourseWaypoint.along(way(3), names: towns)
        #expect(near.map(\.name) == ["Café", "Café", "Café"])
        #expect(near.first?.place == cafe)
        let far = CourseWaypoint.along(way(100), names: towns)
        #expect(far.map(\.name) == ["Café", "Café"] + Array(repeating: "Jongno-gu", count: 5))
        #expect(far.last?.place.coordinate == way(100).points.last?.coordinate)
        #expect(CourseWaypoint.along(way(2), names: Towns()).map(\.name) == ["", ""])
    }

    @Test func `the metres along the way exclude gaps between segments`() {
        var points = way(4).points
        points[2].segment = 1
        points[3].segment = 1
        let waypoints = CourseWaypoint.along(Track(points), names: Towns())
        #expect(waypoints.map { $0.atMetres.rounded() } == [0, 10, 10, 20])
    }
}

/// One place and one region.
private struct Towns: CoursePlaces {
    var place: Place?
    var region: String?

    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        [place].compactMap(\.self).filter { $0.coordinate.distanceMetres(to: coordinate) <= metres }
    }

    func regionName(at coordinate: Coordinate) -> String? { region }
}
