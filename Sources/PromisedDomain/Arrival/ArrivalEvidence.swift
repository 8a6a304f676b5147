/// The evidence for an arrival; stored with the result after raw positions are deleted. Contains no coordinates.
package struct ArrivalEvidence: Hashable, Sendable, Codable {
    /// The part of domain §6.1 or §6.8 that fired.
    package enum Clause: String, Hashable, Sendable, Codable, CaseIterable {
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
    package struct Sample: Hashable, Sendable, Codable {
        package var time: Instant
        /// Metres from the place.
        package var distanceMetres: Double
        /// The error of the position in metres; nil in evidence of the first version of the rule.
        package var errorMetres: Double?
        /// `true` if the phone marked the position as simulated, otherwise nil.
        package var isMock: Bool?

        package init(time: Instant, distanceMetres: Double, errorMetres: Double? = nil, isMock: Bool = false) {
            self.time = time
            self.distanceMetres = distanceMetres
            self.errorMetres = errorMetres
            self.isMock = isMock ? true : nil
        }
    }

    /// The device whose fixes decided; anonymous in events and after the account is deleted.
    package var device: DeviceKey
    /// Which part of the rule fired.
    package var clause: Clause
    /// The instant at which the arrival became provisional.
    package var provisionalAt: Instant
    /// The instant at which it was confirmed, nil while provisional.
    package var confirmedAt: Instant?
    /// The first fix inside in the deciding run.
    package var firstInside: Sample
    /// The last fix outside before it; nil if there is none.
    package var lastOutside: Sample?
    /// How many fixes the run held when the rule fired.
    package var fixCount: Int
    /// How many of them were strong.
    package var strongCount: Int
    /// The version of the rule that decided; nil for the first, which did not record it.
    package var ruleVersion: Int?
    /// `true` if the arrival is based on a simulated position, otherwise nil.
    package var isMock: Bool?

    package init(
        device: DeviceKey,
        clause: Clause,
        provisionalAt: Instant,
        confirmedAt: Instant? = nil,
        firstInside: Sample,
        lastOutside: Sample?,
        fixCount: Int,
        strongCount: Int,
        ruleVersion: Int? = ArrivalRule.version,
        isMock: Bool = false
    ) {
        self.device = device
        self.clause = clause
        self.provisionalAt = provisionalAt
        self.confirmedAt = confirmedAt
        self.firstInside = firstInside
        self.lastOutside = lastOutside
        self.fixCount = fixCount
        self.strongCount = strongCount
        self.ruleVersion = ruleVersion
        self.isMock = isMock ? true : nil
    }
}
