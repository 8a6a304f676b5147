package import PromisedDomain

extension Fix {
    /// A fix as a phone reports it, without clock readings by default.
    ///
    /// - Parameters:
    ///   - seq: the phone's number for it.
    ///   - metres: how far north of `place`; negative for south.
    ///   - place: the origin of `metres`.
    ///   - accuracy: horizontal accuracy in metres.
    ///   - speed: in metres per second, nil if unknown.
    ///   - uptimeMs: the phone's monotonic clock at the fix.
    ///   - wallMs: the phone's wall clock at the fix.
    package static func sample(
        seq: UInt32 = 1,
        metres: Double = 0,
        from place: Coordinate = .meetingPlace,
        accuracy: Double? = 10,
        speed: Double? = nil,
        uptimeMs: Double? = nil,
        wallMs: Double? = nil
    ) -> Fix {
        Fix(
            seq: seq,
            coordinate: place.north(metres),
            accuracyMetres: accuracy,
            speedMps: speed,
            uptimeMs: uptimeMs,
            wallMs: wallMs
        )
    }
}

extension SettledFix {
    /// A fix at some metres due north of a place.
    ///
    /// - Parameters:
    ///   - seq: the phone's number for it.
    ///   - time: when it was made.
    ///   - metres: how far north of `place`; negative for south.
    ///   - place: the origin of `metres`.
    ///   - accuracy: as reported, in metres.
    ///   - speed: as reported, in metres per second; nil if unknown.
    ///   - delay: how long after `time` the server received it.
    package static func sample(
        seq: UInt32,
        at time: Instant,
        metres: Double,
        from place: Coordinate = .meetingPlace,
        accuracy: Double? = 10,
        speed: Double? = nil,
        delay: TimeSpan = .zero
    ) -> SettledFix {
        SettledFix(
            seq: seq,
            coordinate: place.north(metres),
            accuracyMetres: accuracy,
            speedMps: speed,
            time: time,
            receivedAt: time + delay
        )
    }
}

extension Coordinate {
    /// The point `metres` due north of here, or due south if negative, by the distance of the rules.
    ///
    /// Where the numbers allow it, ``distanceMetres(to:)`` back to here is exactly `metres`, so that a boundary can be
    /// tested on itself; that holds near the equator, and within a micrometre elsewhere. Does not pass the poles.
    package func north(_ metres: Double) -> Coordinate {
        let degrees = metres / Coordinate.earthRadiusMetres * 180 / .pi
        var point = Coordinate(latitude: latitude + degrees, longitude: longitude)
        for _ in 0..<64 {
            let error = distanceMetres(to: point) - abs(metres)
            if error == 0 { break }
            let outwards = point.latitude - latitude >= 0 ? point.latitude.nextUp : point.latitude.nextDown
            let inwards = point.latitude - latitude >= 0 ? point.latitude.nextDown : point.latitude.nextUp
            let candidate = Coordinate(latitude: error > 0 ? inwards : outwards, longitude: longitude)
            guard abs(distanceMetres(to: candidate) - abs(metres)) < abs(error) else { break }
            point = candidate
        }
        return point
    }
}
