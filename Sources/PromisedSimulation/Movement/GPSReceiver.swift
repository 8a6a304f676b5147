package import PromisedDomain

/// A phone's receiver: when it makes a fix, its error, and the accuracy it reports.
package struct GPSReceiver: Hashable, Sendable {
    /// The error of its positions.
    package var noise: GPSNoise
    /// Seconds from fix to fix; above 0.
    package var intervalSeconds: Double
    /// Standard deviation of the instants around their grid, in seconds; the order of fixes is preserved.
    package var jitterSeconds: Double
    /// Share of single fixes that are missing, 0…1.
    package var missingShare: Double
    /// Probability that a fix begins an outage (a tunnel, an arcade), 0…1.
    package var outageShare: Double
    /// Mean length of an outage, in seconds (exponential).
    package var outageSeconds: Double
    /// Standard deviation of the reported speed, in metres per second; nil if none is reported.
    package var speedErrorMps: Double?

    /// A receiver with all its numbers; by default a fix each 5 s, a few of them missing.
    package init(
        noise: GPSNoise,
        intervalSeconds: Double = 5,
        jitterSeconds: Double = 0.4,
        missingShare: Double = 0.03,
        outageShare: Double = 0.001,
        outageSeconds: Double = 25,
        speedErrorMps: Double? = 0.4
    ) {
        self.noise = noise
        self.intervalSeconds = intervalSeconds
        self.jitterSeconds = jitterSeconds
        self.missingShare = missingShare
        self.outageShare = outageShare
        self.outageSeconds = outageSeconds
        self.speedErrorMps = speedErrorMps
    }

    /// The phone's reports of `journey`, which begins at `start`.
    ///
    /// - Parameters:
    ///   - journey: the true positions.
    ///   - plane: the plane of the journey.
    ///   - start: the instant of the journey's second 0.
    ///   - generator: draws every error, and the phase of the first fix.
    /// - Returns: the samples in order of time, from the journey's start to its end.
    package func samples(
        of journey: Journey,
        on plane: LocalPlane,
        from start: Instant,
        using generator: inout SeededGenerator
    ) -> [GPSSample] {
        var samples: [GPSSample] = []
        var errors = ErrorWalk(noise, using: &generator)
        var grid = intervalSeconds * generator.fraction()
        var outageUntil = 0.0
        while grid <= journey.durationSeconds {
            let seconds = max(0, grid + jitter(using: &generator))
            let reading = errors.reading(atSeconds: seconds, using: &generator)
            let speed = reportedSpeed(journey, atSeconds: seconds, using: &generator)
            if generator.chance(outageShare) { outageUntil = seconds + generator.exponential(mean: outageSeconds) }
            let isMissing = generator.chance(missingShare) || seconds < outageUntil
            if !isMissing {
                samples.append(
                    GPSSample(
                        time: start + .seconds(seconds),
                        coordinate: plane.coordinate(of: journey.position(atSeconds: seconds) + reading.error),
                        accuracyMetres: reading.accuracyMetres,
                        speedMps: reading.origin == .cellTower ? nil : speed,
                        origin: reading.origin
                    )
                )
            }
            grid += intervalSeconds
        }
        return samples
    }

    /// A random shift of less than half the interval in either direction.
    private func jitter(using generator: inout SeededGenerator) -> Double {
        let largest = 0.45 * intervalSeconds
        return min(largest, max(-largest, jitterSeconds * generator.normal()))
    }

    private func reportedSpeed(
        _ journey: Journey,
        atSeconds seconds: Double,
        using generator: inout SeededGenerator
    ) -> Double? {
        let noise = generator.normal()
        guard let speedErrorMps else { return nil }
        return max(0, journey.speedMps(atSeconds: seconds) + speedErrorMps * noise)
    }
}
