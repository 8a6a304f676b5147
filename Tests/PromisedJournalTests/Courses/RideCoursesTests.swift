import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Seven devices on one bicycle: their courses nearly agree.
@Suite(
    .enabled(
        if: RepositoryFolder.ride != nil,
        "the recorded ride is not beside the repository (../shared/tracks/ride-a)"
    )
)
struct RideCoursesTests {
    private static let cleanedAt = Instant(milliseconds: 1_790_000_000_000)

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var points: Int
        var distance: Double
        var duration: Double
        var moving: Double
        var ascent: Double
        var descent: Double
        var testDescription: String { name }

        init(_ name: String, _ points: Int, _ distance: Double, _ times: (Double, Double), _ climbs: (Double, Double)) {
            self.name = name
            self.points = points
            self.distance = distance
            (duration, moving) = times
            (ascent, descent) = climbs
        }
    }

    /// The table of shared/places/README.md.
    static let rows = [
        Row("adafruit", 1_267, 31_726.7, (6_395, 5_740), (480.2, 459.7)),
        Row("edge605", 6_398, 31_940.6, (6_406, 5_721), (532.2, 490.8)),
        Row("etrex30", 1_043, 31_716.8, (6_376, 5_649), (365.9, 341.0)),
        Row("lezyne", 2_577, 31_935.3, (6_409, 5_736), (352.1, 328.3)),
        Row("motog3", 2_363, 31_950.7, (6_407, 5_792), (393.2, 360.2)),
        Row("openlog", 641, 32_293.7, (6_400, 6_060), (0, 0)),
        Row("xiaomi", 4_062, 32_124.9, (6_411, 5_762), (436.8, 404.6)),
    ]

    @Test(.proves("17.2"), arguments: rows)
    func `the course of each device has the numbers of the table`(row: Row) throws {
        let points = try RideTrack(row.name).points
        #expect(points.count == row.points)
        let clean = CleanTrack(Track(points), at: Self.cleanedAt)
        let statistics = CourseStatistics(of: clean)
        #expect(statistics.points + statistics.dropped == row.points)
        #expect(abs(statistics.distanceMetres / row.distance - 1) < 0.001)
        #expect(abs(statistics.duration.seconds - row.duration) <= 1)
        #expect(abs(statistics.moving.seconds - row.moving) <= 1)
        #expect(abs((statistics.ascentMetres ?? -1) - row.ascent) <= 0.5)
        #expect(abs((statistics.descentMetres ?? -1) - row.descent) <= 0.5)
        #expect((8...20).contains(statistics.topSpeedMps ?? 0), "a bicycle downhill")
        #expect(clean.track.segments.count == (row.name == "edge605" ? 5 : 1))
    }

    @Test func `the seven distances lie within 1.9 % of one another`() throws {
        let distances = try Self.rows.map { row in
            let clean = CleanTrack(Track(try RideTrack(row.name).points), at: Self.cleanedAt)
            return CourseStatistics(of: clean).distanceMetres
        }
        let (shortest, longest) = (try #require(distances.min()), try #require(distances.max()))
        #expect(longest / shortest <= 1.019)
    }

    @Test func `a ride recorded in parts, duplicated, out of order and two days late gives the same course`() throws {
        let points = try RideTrack("edge605").points
        let phone = RecorderPhone("edge605", points: points)
        let now = try #require(points.last?.time) + .days(2)
        var world = RecordingWorld(at: try #require(points.first?.time))
        var generator = SeededGenerator(seed: 605)
        var batches = stride(from: 0, to: points.count, by: 150).map { Array($0..<min($0 + 170, points.count)) }
        batches += batches.shuffled(using: &generator).prefix(10)
        for batch in batches.shuffled(using: &generator) {
            world.send(.append(phone.batch(batch.shuffled(using: &generator), at: now)), at: now)
            if generator.chance(0.1) { world.crash(at: now) }
        }
        #expect(world.kept.count == points.count)
        #expect(world.track == Track(points))
        let whole = CourseStatistics(of: CleanTrack(Track(points), at: now))
        #expect(world.statistics(at: now) == whole)
    }
}
