package import PromisedDomain

/// A phone's own reading of its position at one instant.
package struct GPSSample: Hashable, Sendable {
    /// The source of the reading, which a server never learns.
    package enum Origin: Hashable, Sendable {
        case satellites
        /// From reflected satellite signals, or a wrong calculation: hundreds of metres off.
        case outlier
        /// From the connected cell tower.
        case cellTower
        /// From nearby wireless networks.
        case network
    }

    package var time: Instant
    /// The measured position.
    package var coordinate: Coordinate
    /// The reported horizontal accuracy in metres (68 %), honest or not; nil for none.
    package var accuracyMetres: Double?
    /// The reported speed in metres per second; nil for none.
    package var speedMps: Double?
    /// The source of the reading.
    package var origin: Origin

    package init(
        time: Instant,
        coordinate: Coordinate,
        accuracyMetres: Double? = nil,
        speedMps: Double? = nil,
        origin: Origin = .satellites
    ) {
        self.time = time
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.speedMps = speedMps
        self.origin = origin
    }

    /// The sample as a fix that the server received `delay` after it was made.
    package func settled(seq: UInt32, delay: TimeSpan = .milliseconds(200)) -> SettledFix {
        SettledFix(
            seq: seq,
            coordinate: coordinate,
            accuracyMetres: accuracyMetres,
            speedMps: speedMps,
            time: time,
            receivedAt: time + delay
        )
    }
}

extension [GPSSample] {
    /// The samples as fixes with `seq` 1, 2, …, each received `delay` after it was made.
    package func settled(delay: TimeSpan = .milliseconds(200)) -> [SettledFix] {
        enumerated().map { $0.element.settled(seq: UInt32($0.offset + 1), delay: delay) }
    }
}
