public import PromisedDomain

extension SettledFix {
    /// A fix that lies some metres due north of a place.
    ///
    /// - Parameters:
    ///   - seq: the phone's number for it.
    ///   - time: when it was made.
    ///   - metres: how far north of `place`; south when negative.
    ///   - place: measured from here.
    ///   - accuracy: as reported, in metres.
    ///   - speed: as reported, in metres per second; nil when unknown.
    ///   - delay: how long after `time` the server received it.
    public static func sample(
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
