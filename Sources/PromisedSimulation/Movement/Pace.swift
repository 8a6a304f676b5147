/// The speed of a movement, and its variation.
package struct Pace: Hashable, Sendable {
    /// Mean speed in metres per second on a free way; above 0.
    package var cruiseMps: Double
    /// Standard deviation of the speed around it, in metres per second.
    package var variationMps: Double
    /// The time constant of a deviation, in seconds; above 0.
    package var steadinessSeconds: Double
    /// Speed gained per second, in metres per second; above 0.
    package var accelerationMps2: Double
    /// Speed lost per second when stopping, in metres per second; above 0.
    package var brakingMps2: Double

    /// A pace with all its numbers.
    package init(
        cruiseMps: Double,
        variationMps: Double,
        steadinessSeconds: Double,
        accelerationMps2: Double,
        brakingMps2: Double
    ) {
        self.cruiseMps = cruiseMps
        self.variationMps = variationMps
        self.steadinessSeconds = steadinessSeconds
        self.accelerationMps2 = accelerationMps2
        self.brakingMps2 = brakingMps2
    }

    /// On foot: 1.4 ± 0.2 m/s.
    package static let walking = Pace(
        cruiseMps: 1.4,
        variationMps: 0.2,
        steadinessSeconds: 20,
        accelerationMps2: 0.8,
        brakingMps2: 1
    )

    /// On foot in a town, with its crossings: 1.05 ± 0.15 m/s.
    package static let strolling = walking.cruising(atMps: 1.05)

    /// By bicycle in town: 4.5 ± 0.7 m/s (16 km/h).
    package static let cycling = Pace(
        cruiseMps: 4.5,
        variationMps: 0.7,
        steadinessSeconds: 15,
        accelerationMps2: 0.8,
        brakingMps2: 1.5
    )

    /// By car in town: 11.1 ± 1 m/s (40 km/h).
    package static let driving = Pace(
        cruiseMps: 40 / 3.6,
        variationMps: 1,
        steadinessSeconds: 15,
        accelerationMps2: 1.8,
        brakingMps2: 2.5
    )

    /// The same pace with another mean; the variation is scaled in proportion.
    package func cruising(atMps speed: Double) -> Pace {
        var pace = self
        pace.variationMps *= speed / cruiseMps
        pace.cruiseMps = speed
        return pace
    }
}
