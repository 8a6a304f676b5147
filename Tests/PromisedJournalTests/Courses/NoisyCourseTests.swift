import Foundation
import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import Testing

/// The statistics of courses under the noise of a phone: a fix each 5 s, honest accuracy, 600 runs each.
@Suite struct NoisyCourseTests {
    private static let runs: UInt64 = 600
    private static let plane = LocalPlane(origin: Coordinate(latitude: 37.5665, longitude: 126.9780))

    @Test(arguments: [(5.0, 0.02), (10.0, 0.04)])
    func `measures a walk with a turn a minute nearly exactly`(sigma: Double, limit: Double) {
        var (errors, plainErrors) = ([Double](), [Double]())
        for seed in 0..<Self.runs {
            var generator = SeededGenerator(seed: seed)
            let journey = walk(using: &generator)
            let samples = samples(of: journey, sigma: sigma, using: &generator)
            let length = Route(journey.waypoints.map(\.point)).lengthMetres
            errors.append(abs(CourseStatistics(samples.trackPoints).distanceMetres / length - 1))
            plainErrors.append(abs(plainDistance(CleanTrack(samples.trackPoints).track) / length - 1))
        }
        print("walk, σ \(sigma) m: median error \(median(errors)), summed plainly \(median(plainErrors))")
        #expect(median(errors) <= limit)
        #expect(median(plainErrors) > 2 * limit, "the noise makes no difference")
    }

    @Test(.proves("17.2")) func `ten minutes of standing add at most 70 m`() {
        var (lengths, plainLengths) = ([Double](), [Double]())
        for seed in 0..<Self.runs {
            var generator = SeededGenerator(seed: seed)
            var plan = Itinerary(from: .origin)
            plan.pause(seconds: 600)
            let points = samples(of: Journey(plan, using: &generator), sigma: 5, using: &generator).trackPoints
            lengths.append(CourseStatistics(points).distanceMetres)
            plainLengths.append(plainDistance(CleanTrack(points).track))
        }
        print("standing, σ 5 m: median \(median(lengths)) m, summed plainly \(median(plainLengths)) m")
        #expect(median(lengths) <= 70)
        #expect(median(plainLengths) > 300, "the noise makes no difference")
    }

    @Test func `measures a hill of 60 m as 50 to 60 m in nine runs of ten`() {
        var (ascents, plainAscents) = ([Double](), [Double]())
        for seed in 0..<Self.runs {
            var generator = SeededGenerator(seed: seed)
            let points = hill(using: &generator)
            ascents.append(CourseStatistics(points).ascentMetres ?? 0)
            let altitudes = points.compactMap(\.altitudeMetres)
            plainAscents.append(zip(altitudes, altitudes.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) })
        }
        let good = ascents.count { (50...60).contains($0) }
        print(
            "hill, σ 3 m: \(good) of \(ascents.count) within 50…60 m, median \(median(ascents)) m,",
            "summed plainly \(median(plainAscents)) m"
        )
        #expect(good * 10 >= ascents.count * 9)
        #expect(median(plainAscents) > 150, "the noise makes no difference")
    }

    // MARK: - Ways

    /// Half an hour on foot, a turn into another street about once a minute.
    private func walk(using generator: inout SeededGenerator) -> Journey {
        var plan = Itinerary(from: .origin)
        var bearing = generator.uniform(0...360)
        var corners = [PlanePoint.origin]
        for _ in 0..<30 {
            let leg = Pace.walking.cruiseMps * generator.uniform(40...80)
            corners.append((corners.last ?? .origin) + .polar(distanceMetres: leg, bearingDegrees: bearing))
            bearing += generator.uniform(-90...90)
        }
        plan.move(along: Route(corners), at: .walking)
        return Journey(plan, using: &generator)
    }

    private func samples(
        of journey: Journey,
        sigma: Double,
        using generator: inout SeededGenerator
    ) -> [GPSSample] {
        // A fix each 5 s, none missing.
        GPSReceiver(noise: GPSNoise(sigmaMetres: sigma), missingShare: 0, outageShare: 0)
            .samples(of: journey, on: Self.plane, from: RandomTrack.start, using: &generator)
    }

    /// Two kilometres on foot over a hill of 60 m. The error of the altitude wanders like that of the position.
    private func hill(using generator: inout SeededGenerator) -> [TrackPoint] {
        var plan = Itinerary(from: .origin)
        plan.move(to: PlanePoint(eastMetres: 2_000, northMetres: 0), at: .walking)
        let journey = Journey(plan, using: &generator)
        var (error, last) = (3 * generator.normal(), RandomTrack.start)
        return samples(of: journey, sigma: 5, using: &generator)
            .map { sample in
                let memory = exp(-(sample.time - last).seconds / GPSNoise(sigmaMetres: 5).correlationSeconds)
                last = sample.time
                error = error * memory + 3 * (1 - memory * memory).squareRoot() * generator.normal()
                let metres = journey.position(atSeconds: (sample.time - RandomTrack.start).seconds).eastMetres
                return sample.trackPoint(altitudeMetres: 60 - abs(metres - 1_000) * 0.06 + error)
            }
    }

    // MARK: - Measuring

    private func plainDistance(_ track: Track) -> Double {
        zip(track.points, track.points.dropFirst()).reduce(0) { metres, step in
            metres + step.0.coordinate.distanceMetres(to: step.1.coordinate)
        }
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension GPSSample {
    fileprivate func trackPoint(altitudeMetres: Double? = nil) -> TrackPoint {
        TrackPoint(
            coordinate,
            altitudeMetres: altitudeMetres,
            time: time,
            accuracyMetres: accuracyMetres,
            speedMps: speedMps
        )
    }
}

extension [GPSSample] {
    fileprivate var trackPoints: [TrackPoint] { map { $0.trackPoint() } }
}
