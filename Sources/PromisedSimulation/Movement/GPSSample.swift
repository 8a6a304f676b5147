package import PromisedDomain

/// What a phone says about its position at one instant.
package struct GPSSample: Hashable, Sendable {
    /// How the phone came to it; a server never learns this.
    package enum Origin: Hashable, Sendable {
        /// From satellites.
        case satellites
        /// From satellites by way of a wall, or from a broken calculation: hundreds of metres off.
        case outlier
        /// From the cell tower it is connected to.
        case cellTower
    }

    /// When the phone was there, on the simulation's clock.
    package var time: Instant
    /// Where the phone believes it was.
    package var coordinate: Coordinate
    /// What it reports as its horizontal accuracy in metres (68 %), honestly or not; nil when it reports none.
    package var accuracyMetres: Double?
    /// What it reports as its speed in metres per second; nil when it reports none.
    package var speedMps: Double?
    /// How the phone came to it.
    package var origin: Origin

    /// A sample with all its fields.
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
