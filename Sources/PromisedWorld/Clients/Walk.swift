internal import PromisedDomain

/// A phone's way towards the place, or past it, in a straight line.
struct Walk: Hashable, Sendable {
    /// The time between two fixes.
    static let interval = TimeSpan.seconds(5)

    let promise: Int
    let fromMetres: Double
    let toMetres: Double
    let metresPerSecond: Double
    let stay: TimeSpan
    let startedAt: Instant

    /// A planned walk that begins now; distances in metres, the speed in metres per second, the stay in seconds.
    init(to promise: Int, from: Double, to: Double, at speed: Double, stay seconds: Int64, now: Instant) {
        self.promise = promise
        (fromMetres, toMetres, metresPerSecond) = (from, to, speed)
        stay = .milliseconds(seconds * 1_000)
        startedAt = now
    }

    /// How long it takes with the stay at its end.
    var duration: TimeSpan { .seconds(abs(toMetres - fromMetres) / metresPerSecond) + stay }

    /// The distance to the place at an instant, in metres.
    func metres(at now: Instant) -> Double {
        let gone = metresPerSecond * max(0, (now - startedAt).seconds)
        let whole = abs(toMetres - fromMetres)
        return fromMetres + (toMetres - fromMetres) * (whole > 0 ? min(1, gone / whole) : 1)
    }

    /// The point that far north of the place.
    static func point(_ metres: Double) -> Coordinate {
        Coordinate(
            latitude: Story.place.latitude + metres / Coordinate.earthRadiusMetres * 180 / .pi,
            longitude: Story.place.longitude
        )
    }
}
