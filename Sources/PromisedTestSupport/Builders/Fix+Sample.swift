public import PromisedDomain

extension Fix {
    /// A fix as a phone reports it, without clock readings unless they are given.
    ///
    /// - Parameters:
    ///   - seq: the phone's number for it.
    ///   - metres: how far north of `place`; south when negative.
    ///   - place: measured from here.
    ///   - accuracy: horizontal accuracy in metres.
    ///   - speed: in metres per second, nil when unknown.
    ///   - uptimeMs: the phone's monotonic clock at the fix.
    ///   - wallMs: the phone's wall clock at the fix.
    public static func sample(
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
