internal import PromisedDomain
internal import PromisedSimulation

/// A phone's way towards the place, or past it, in a straight line.
struct Walk: Hashable, Sendable {
    static let interval = TimeSpan.seconds(5)

    let promise: Int
    let fromMetres: Double
    let toMetres: Double
    let metresPerSecond: Double
    let stay: TimeSpan
    let startedAt: Instant

    /// Creates a planned walk that begins now; distances in metres, the speed in metres per second, the stay in
    /// seconds.
    init(to promise: Int, from: Double, to: Double, at speed: Double, stay seconds: Int64, now: Instant) {
        self.promise = promise
        (fromMetres, toMetres, metresPerSecond) = (from, to, speed)
        stay = .milliseconds(seconds * 1_000)
        startedAt = now
    }

    /// The duration with the stay at its end.
    var duration: TimeSpan { .seconds(length / metresPerSecond) + stay }

    /// The distance to the place at an instant, in metres.
    func metres(at now: Instant) -> Double {
        let gone = metresPerSecond * max(0, (now - startedAt).seconds)
        return fromMetres + (toMetres - fromMetres) * (length > 0 ? min(1, gone / length) : 1)
    }

    /// `true` on the way, `false` at its end.
    private func isMoving(at now: Instant) -> Bool { metresPerSecond * (now - startedAt).seconds < length }

    private var length: Double { abs(toMetres - fromMetres) }

    /// The speed at an instant, in metres per second.
    func speedMps(at now: Instant) -> Double { isMoving(at: now) ? metresPerSecond : 0 }

    /// The surroundings at an instant: by the speed on the way, under a roof at the end.
    func surroundings(at now: Instant) -> Surroundings {
        guard isMoving(at: now) else { return .indoors }
        return metresPerSecond < 3 ? .foot : metresPerSecond < 8 ? .wheels : .car
    }

    /// The point at these distances north and east of the place.
    static func point(_ metres: Double, eastMetres: Double = 0) -> Coordinate {
        let degreesPerMetre = 180 / .pi / Coordinate.earthRadiusMetres
        return Coordinate(
            latitude: Story.place.latitude + metres * degreesPerMetre,
            longitude: Story.place.longitude + eastMetres * degreesPerMetre
        )
    }
}
