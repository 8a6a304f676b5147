package import PromisedDomain

/// A phone that errs as real ones were measured to do, beside ``GPSReceiver``, whose errors are those of an ideal receiver.
///
/// Its error wanders on two scales of time, and its size differs from way to way and from minute to minute. The accuracy
/// that it claims is wrong by a factor of its own. For spells it takes its position from the wireless networks around;
/// rarely a run of fixes lies hundreds of metres off. Under a roof it stays at a point that is some metres wrong.
package struct MeasuredPhone: Hashable, Sendable {
    /// The system, which decides how a phone claims and what it says of its speed.
    package enum System: String, Hashable, Sendable, CaseIterable, Codable {
        case android
        case iPhone
    }

    /// The accuracy that the app, or the system to save power, asks for.
    package enum Power: Hashable, Sendable {
        /// The best that there is.
        case best
        /// Some hundred metres: mostly positions by networks.
        case low
    }

    /// The system.
    package var system: System
    /// The accuracy asked for.
    package var power: Power
    /// Seconds from report to report, but under a roof; above 0.
    package var intervalSeconds: Double

    /// Standard deviation of the instants around their grid, in seconds.
    private static let jitterSeconds = 0.4
    /// Seconds from report to report under a roof.
    private static let indoorGap = 5.0...30

    /// A phone that reports every 5 s, and in low power as the system lets it: an iPhone every 6.5 s, Android every 32 s.
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
    ///   - scenery: the surroundings by the journey's seconds.
    ///   - plane: the plane of the journey.
    ///   - start: the instant of the journey's second 0.
    ///   - shared: the error in common with other phones on the same body; nil if it is alone.
    ///   - generator: draws every error of its own, and the phase of the first report.
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

    /// A shift of less than half the interval either way, so that no report overtakes another.
    private func jitter(using generator: inout SeededGenerator) -> Double {
        let largest = 0.45 * min(intervalSeconds, Self.indoorGap.lowerBound)
        return min(largest, max(-largest, Self.jitterSeconds * generator.normal()))
    }
}
