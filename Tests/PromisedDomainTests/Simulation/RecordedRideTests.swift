import Foundation
import PromisedDomain
import PromisedFormats
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Seven devices on one bicycle: a fair server ranks them as arriving together.
@Suite(
    .enabled(
        if: RepositoryFolder.ride != nil,
        "the recorded ride is not beside the repository (../shared/tracks/ride-a)"
    )
)
struct RecordedRideTests {
    private static let place = Coordinate(latitude: 51.22970, longitude: -1.33885)
    private static let opensAt = Instant(milliseconds: 1_575_032_950_000)  // 2019-11-29T13:09:10Z

    private struct Row: CustomTestStringConvertible {
        let radiusMetres: Double
        /// Seconds between the first and the last credited time of the interpolated crossings, at most.
        let spread: Double
        /// Seconds after 13:40:00 between which all are credited.
        let seconds: ClosedRange<Double>
        /// Seconds between the first and the last device with the rule `first-fix`.
        let firstFixSpread: ClosedRange<Double>
        var testDescription: String { "R \(radiusMetres) m" }
    }

    private static let rows = [
        Row(radiusMetres: 100, spread: 3.2, seconds: 13.5...16.9, firstFixSpread: 9...13),
        Row(radiusMetres: 150, spread: 1.7, seconds: 4.6...6.5, firstFixSpread: 7...11),
    ]

    @Test(.proves("6.16"), arguments: rows)
    private func `detects seven devices on one bicycle arriving together`(row: Row) throws {
        let arrivals = try arrivals(radiusMetres: row.radiusMetres, rule: .robust)
        #expect(arrivals.count == 7)
        let seconds = arrivals.values.map { ($0.creditedAt - Self.reference).seconds }.sorted()
        let (first, last) = (try #require(seconds.first), try #require(seconds.last))
        print("ride-a, \(row.testDescription), robust: credited at \(seconds)")
        #expect(last - first <= row.spread)
        #expect(row.seconds.contains(first) && row.seconds.contains(last))
        #expect(Ranking.rank(arrivals).map(\.rank) == Array(repeating: 1, count: 7))
    }

    @Test(.proves("6.14"), arguments: rows)
    private func `the first fix alone separates the same devices`(row: Row) throws {
        let arrivals = try arrivals(radiusMetres: row.radiusMetres, rule: .firstFix)
        #expect(arrivals.count == 7)
        let seconds = arrivals.values.map { ($0.creditedAt - Self.reference).seconds }.sorted()
        let (first, last) = (try #require(seconds.first), try #require(seconds.last))
        print("ride-a, \(row.testDescription), first-fix: credited at \(seconds)")
        #expect(row.firstFixSpread.contains(last - first))
        #expect(Set(Ranking.rank(arrivals).map(\.rank)).count > 1)
    }

    /// 2019-11-29T13:40:00Z.
    private static let reference = Instant(milliseconds: 1_575_034_800_000)

    /// The points inside the window of each track, by file name; read once for all tests.
    private static let tracks = Result<[[RidePoint]], any Error> {
        let ride = try #require(RepositoryFolder.ride)
        return try FileManager.default.contentsOfDirectory(at: ride, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "gpx" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try GPXFile(contentsOf: $0).ridePoints.filter { $0.time >= opensAt } }
    }

    private func arrivals(radiusMetres: Double, rule: ArrivalRule.Name) throws -> [UserID: Arrival] {
        let criteria = ArrivalCriteria(
            centre: Self.place,
            radiusMetres: radiusMetres,
            rule: rule,
            opensAt: Self.opensAt
        )
        var arrivals: [UserID: Arrival] = [:]
        for (index, points) in try Self.tracks.get().enumerated() {
            arrivals[UserID(high: 0, low: UInt64(index))] = points.detection(under: criteria, from: Self.opensAt).map {
                Arrival(stage: .confirmed, creditedAt: $0.creditedAt, source: .gps)
            }
        }
        return arrivals
    }
}

extension [RidePoint] {
    /// The arrival of a device that reports the newest point every 5 s from an instant on, an hour after the last point:
    /// everything is decided then.
    func detection(under criteria: ArrivalCriteria, from start: Instant) -> ArrivalDetector.Detection? {
        var track = DeviceTrack(criteria: criteria)
        for fix in settled(from: start) { #expect(track.insert([fix]) == .extended) }
        return track.latest.flatMap { track.arrival(at: $0.time + .hours(1)) }
    }

    /// The fixes of a device that reports the newest point every 5 s from an instant on.
    func settled(from start: Instant) -> [SettledFix] {
        reports(every: .seconds(5), from: start).enumerated().map { index, report in
            SettledFix(
                seq: UInt32(index + 1),
                coordinate: report.point.coordinate,
                accuracyMetres: report.point.accuracyMetres,
                time: report.point.time,
                receivedAt: report.at
            )
        }
    }
}
