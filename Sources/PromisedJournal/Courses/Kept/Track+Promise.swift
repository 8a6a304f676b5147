package import PromisedDomain

extension Track {
    /// How long after the credited arrival the way of a promise ends.
    private static let afterArrival = TimeSpan.minutes(2)

    /// A participant's own way of a promise: the fixes of the device that arrived, else of the one with the most fixes,
    /// from departure to 2 min after the credited arrival, or to the end of the window. Each boot of the device is a
    /// segment, in the order of their first fixes. Empty without fixes.
    ///
    /// Jumps stay in for ``CleanTrack``, which knows the whole way: a ``JumpFilter`` would trust a wrong first fix and
    /// drop the correct ones after it.
    ///
    /// - Parameters:
    ///   - fixes: all stored fixes of the participant, in any order.
    ///   - arrival: their arrival; nil without one.
    package init(of fixes: some Sequence<ArchivedFix>, arrival: Arrival?, in promise: Promise) {
        let devices = Dictionary(grouping: fixes, by: \.device.deviceID).mapValues { fixes in
            Dictionary(grouping: fixes, by: \.device).values.map { $0.map(\.fix).sorted() }
        }
        let most = devices.max { left, right in
            (left.value.joined().count, right.key) < (right.value.joined().count, left.key)
        }
        let boots = arrival?.evidence.flatMap { devices[$0.device.deviceID] } ?? most?.value ?? []
        let end = arrival.map { $0.creditedAt + Track.afterArrival } ?? promise.closesAt
        let segments = boots.map { boot in boot.filter { $0.time <= end } }
            .sorted { left, right in
                guard let one = left.first, let other = right.first else { return right.isEmpty && !left.isEmpty }
                return one < other
            }
        self.init(
            segments.enumerated().lazy.flatMap { number, segment in
                segment.map { TrackPoint($0, segment: number) }
            }
        )
    }
}

extension TrackPoint {
    /// The point of a fix.
    fileprivate init(_ fix: SettledFix, segment: Int) {
        self.init(
            fix.coordinate,
            time: fix.time,
            accuracyMetres: fix.accuracyMetres,
            speedMps: fix.speedMps,
            segment: segment
        )
    }
}
