/// A participant's arrival: its time, certainty and source.
package struct Arrival: Hashable, Sendable, Codable {
    /// The server's certainty of an arrival.
    ///
    /// ```
    /// (none) ──▶ provisional ──▶ confirmed
    ///    ▲            │              │
    ///    └─ retracted ┴── by backfill┘
    /// ```
    package enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
        /// Detected; may still be retracted.
        case provisional
        /// Decided, unless backfill changes it before the result is final.
        case confirmed
    }

    /// The source of an arrival.
    package enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// From reported positions.
        case gps
        /// The participant's own check-in, near enough.
        case myself = "self"
        /// The code of a participant who had arrived.
        case peer
        /// An administrator's correction.
        case owner
    }

    /// A claim of an arrival that is independent of positions (domain §6.7).
    package struct CheckIn: Hashable, Sendable, Codable {
        /// When the server received it, or the time that an administrator entered.
        package var at: Instant
        /// Its source; not ``Source/gps``.
        package var source: Source
        /// `true` if the position near the place was simulated, otherwise nil.
        package var isMock: Bool?

        package init(at: Instant, source: Source, isMock: Bool = false) {
            self.at = at
            self.source = source
            self.isMock = isMock ? true : nil
        }
    }

    package var stage: Stage
    package var creditedAt: Instant
    package var source: Source
    /// The evidence of the positions; nil if there is only a check-in.
    package var evidence: ArrivalEvidence?
    /// The check-in by hand, by code or by an administrator, retained even if the positions credit an earlier time.
    package var checkIn: CheckIn?

    package init(
        stage: Stage,
        creditedAt: Instant,
        source: Source,
        evidence: ArrivalEvidence? = nil,
        checkIn: CheckIn? = nil
    ) {
        self.stage = stage
        self.creditedAt = creditedAt
        self.source = source
        self.evidence = evidence
        self.checkIn = checkIn
    }
}

extension Arrival {
    /// Combines the arrival by positions with a check-in; nil if there is neither.
    ///
    /// A check-in is confirmed at once and credited at its own time unless the positions credit an earlier one
    /// (domain §6.7).
    init?(detection: ArrivalDetector.Detection?, device: DeviceKey?, checkIn: CheckIn?) {
        let evidence = detection.flatMap { found in device.map { ArrivalEvidence(found, device: $0) } }
        switch (detection, checkIn) {
        case (nil, nil): return nil
        case (let found?, nil):
            self.init(
                stage: found.confirmedAt == nil ? .provisional : .confirmed,
                creditedAt: found.creditedAt,
                source: .gps,
                evidence: evidence
            )
        case (let found, let claim?):
            let isEarlier = found.map { $0.creditedAt < claim.at } ?? false
            self.init(
                stage: .confirmed,
                creditedAt: isEarlier ? found?.creditedAt ?? claim.at : claim.at,
                source: isEarlier ? .gps : claim.source,
                evidence: evidence,
                checkIn: claim
            )
        }
    }
}

extension Arrival {
    /// `true` if it is based on a position that the phone marked as simulated.
    package var isMock: Bool {
        switch source {
        case .gps: evidence?.isMock == true
        case .myself: checkIn?.isMock == true
        case .peer, .owner: false
        }
    }

    /// `true` if an earlier version of the rule has confirmed it.
    var isDecidedByFormerRule: Bool {
        guard let evidence, evidence.confirmedAt != nil else { return false }
        return evidence.ruleVersion ?? 1 < ArrivalRule.version
    }

    /// The same arrival with a check-in, which never makes it later.
    func with(_ claim: CheckIn?) -> Arrival {
        guard let claim, claim != checkIn else { return self }
        var arrival = self
        arrival.checkIn = claim
        if claim.at < creditedAt { (arrival.creditedAt, arrival.source) = (claim.at, claim.source) }
        return arrival
    }
}

extension ArrivalEvidence {
    init(_ detection: ArrivalDetector.Detection, device: DeviceKey) {
        self.init(
            device: device,
            clause: detection.clause,
            provisionalAt: detection.provisionalAt,
            confirmedAt: detection.confirmedAt,
            firstInside: detection.firstInside,
            lastOutside: detection.lastOutside,
            fixCount: detection.fixCount,
            strongCount: detection.strongCount,
            isMock: detection.isMock
        )
    }
}

extension RankedArrival {
    /// The same, with evidence that names no device.
    var withoutDevice: RankedArrival {
        var ranked = self
        ranked.arrival.evidence?.device = DeviceKey(deviceID: "")
        return ranked
    }
}

/// An arrival with its place among the others.
package struct RankedArrival: Hashable, Sendable, Codable {
    package var userID: UserID
    package var arrival: Arrival
    /// 1 for the first; ties share a rank and the next one skips.
    package var rank: Int

    package init(userID: UserID, arrival: Arrival, rank: Int) {
        self.userID = userID
        self.arrival = arrival
        self.rank = rank
    }
}
