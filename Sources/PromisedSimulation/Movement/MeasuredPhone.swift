package import PromisedDomain

/// A phone with the measured errors of real ones, in contrast to ``GPSReceiver``, whose errors are those of an ideal
/// receiver.
///
/// Its error drifts on two time scales, and the size differs between journeys and from minute to minute. Its reported
/// accuracy is wrong by a separate factor. For some periods its position comes from nearby wireless networks; rarely a
/// run of fixes is hundreds of metres off. Under a roof it reports a fixed point that is some metres wrong.
package struct MeasuredPhone: Hashable, Sendable {
    /// The operating system, which determines the reported accuracy and speed.
    package enum System: String, Hashable, Sendable, CaseIterable, Codable {
        case android
        case iPhone
    }

    /// The accuracy requested by the app, or by the system to save power.
    package enum Power: Hashable, Sendable {
        /// The best possible.
        case best
        /// Some hundred metres: mostly positions by networks.
        case low
    }

    package var system: System
    /// The requested accuracy.
    package var power: Power
    /// Seconds from report to report, except under a roof; above 0.
    package var intervalSeconds: Double

    /// Standard deviation of the instants around their grid, in seconds.
    private static let jitterSeconds = 0.4
    /// Seconds from report to report under a roof.
    private static let indoorGap = 5.0...30

    /// A phone that reports every 5 s, or in low power as the system allows: an iPhone every 6.5 s, Android every 32 s.
    package init(_ system: System, power: Power = .best) {
        self.system = system
        self.power = power
        switch (power, system) {
        case (.best, _): intervalSeconds = 5
        case (.low, .iPhone): intervalSeconds = 6.5
        case (.low, .android): intervalSeconds = 32
        }
    }

    /// The phone's reports of `journey`, which begins at `start`.
    ///
    /// - Parameters:
    ///   - journey: the true positions.
    ///   - scenery: the surroundings over the journey's seconds.
    ///   - plane: the plane of the journey.
    ///   - start: the instant of the journey's second 0.
    ///   - shared: the common error with other phones on the same body; nil for a single phone.
    ///   - generator: draws all other errors, and the phase of the first report.
    /// - Returns: the samples in order of time, from the journey's start to its end.
    package func samples(
        of journey: Journey,
        amid scenery: Scenery,
        on plane: LocalPlane,
        from start: Instant,
        sharing shared: SharedError? = nil,
        using generator: inout SeededGenerator
    ) -> [GPSSample] {
        var samples: [GPSSample] = []
        var errors = MeasuredErrorWalk(self, using: &generator)
        var grid = intervalSeconds * generator.fraction()
        while grid <= journey.durationSeconds {
            let seconds = max(0, grid + jitter(using: &generator))
            let surroundings = scenery.surroundings(atSeconds: seconds)
            let report = errors.report(
                atSeconds: seconds,
                in: surroundings,
                movingAtMps: journey.speedMps(atSeconds: seconds),
                shared: shared?.value(atSeconds: seconds),
                using: &generator
            )
            if let report {
                samples.append(
                    GPSSample(
                        time: start + .seconds(seconds),
                        coordinate: plane.coordinate(of: journey.position(atSeconds: seconds) + report.reading.error),
                        accuracyMetres: report.reading.accuracyMetres,
                        speedMps: report.speedMps,
                        origin: report.reading.origin
                    )
                )
            }
            grid += surroundings == .indoors ? generator.uniform(Self.indoorGap) : intervalSeconds
        }
        return samples
    }

    /// A random shift of less than half the interval in either direction, so that the order of reports is preserved.
    private func jitter(using generator: inout SeededGenerator) -> Double {
        let largest = 0.45 * min(intervalSeconds, Self.indoorGap.lowerBound)
        return min(largest, max(-largest, Self.jitterSeconds * generator.normal()))
    }
}
