/// The evidence for an arrival; kept with the result after raw positions are deleted. Holds no coordinate.
public struct ArrivalEvidence: Hashable, Sendable, Codable {
    /// The part of domain §6.1 or §6.8 that fired.
    public enum Clause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Two fixes or more over 5 s at walking pace (domain §6.1).
        case settled
        /// Four fixes or more over the time a crossing would take (domain §6.1).
        case lingering
        /// A strong, slow fix and then silence for 30 s (domain §6.1).
        case silent
        /// The first fix inside (domain §6.8).
        case firstFix
    }

    /// A distance from the place at an instant.
    public struct Sample: Hashable, Sendable, Codable {
        /// When.
        public var time: Instant
        /// Metres from the place.
        public var distanceMetres: Double

        /// A distance at an instant.
        public init(time: Instant, distanceMetres: Double) {
            self.time = time
            self.distanceMetres = distanceMetres
        }
    }

    /// The device whose fixes decided.
    public var device: DeviceKey
    /// Which part of the rule fired.
    public var clause: Clause
    /// The instant at which the arrival became provisional.
    public var provisionalAt: Instant
    /// The instant at which it was confirmed, nil while provisional.
    public var confirmedAt: Instant?
    /// The first fix inside of the run that counts.
    public var firstInside: Sample
    /// The last fix outside before it; nil if there is none.
    public var lastOutside: Sample?
    /// How many fixes the run held when the rule fired.
    public var fixCount: Int
    /// How many of them were strong.
    public var strongCount: Int

    /// Evidence with all its fields.
    public init(
        device: DeviceKey,
        clause: Clause,
        provisionalAt: Instant,
        confirmedAt: Instant? = nil,
        firstInside: Sample,
        lastOutside: Sample?,
        fixCount: Int,
        strongCount: Int
    ) {
        self.device = device
        self.clause = clause
        self.provisionalAt = provisionalAt
        self.confirmedAt = confirmedAt
        self.firstInside = firstInside
        self.lastOutside = lastOutside
        self.fixCount = fixCount
        self.strongCount = strongCount
    }
}
