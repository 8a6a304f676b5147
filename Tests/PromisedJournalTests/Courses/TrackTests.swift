import PromisedDomain
import PromisedJournal
import PromisedPlaces
import Testing

@Suite struct TrackTests {
    private func track(_ longitudes: [Double]) -> Track {
        Track(longitudes.map { TrackPoint(Coordinate(latitude: $0 / 10, longitude: $0)) })
    }

    @Test func `segments end where their number changes, and are renumbered`() {
        let numbers = [4, 4, 9, 4, 4, 4, 0]
        let track = Track(numbers.map { TrackPoint(Coordinate(latitude: 1, longitude: 2), segment: $0) })
        #expect(track.segments == [0..<2, 2..<3, 3..<6, 6..<7])
        #expect(track.points.map(\.segment) == [0, 0, 1, 2, 2, 2, 3])
        #expect(Track().isEmpty && Track().segments.isEmpty)
    }

    @Test(
        arguments: [
            ([10, 20, 15], 10, 20), ([-20, -10], -20, -10), ([-5, 5], -5, 5), ([0], 0, 0),
            // Across the meridian of 180°.
            ([170, -170], 170, -170), ([179, 180, -179], 179, -179), ([-179.5, 179.5, 100], 100, -179.5),
            ([-90, 91], 91, -90), ([-90, 90], -90, 90),
        ] as [([Double], Double, Double)]
    )
    func `the box is the narrowest with all points`(longitudes: [Double], west: Double, east: Double) {
        let track = track(longitudes)
        #expect(track.box?.west == west && track.box?.east == east)
        #expect(track.points.allSatisfy { track.box?.contains($0.coordinate) == true })
        #expect(Track().box == nil)
    }

    @Test func `a way starts at its earliest time`() {
        let times: [Int64?] = [nil, 7, 5, nil, 9]
        let points = times.map { time in
            TrackPoint(
                Coordinate(latitude: 0, longitude: 0),
                time: time.map { Instant(milliseconds: $0) }
            )
        }
        #expect(Track(points).startedAt == Instant(milliseconds: 5))
        #expect(track([1]).startedAt == nil)
    }
}
