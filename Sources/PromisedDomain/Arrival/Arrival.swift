/// That a participant came: when, how sure, and how it is known.
public struct Arrival: Hashable, Sendable, Codable {
    /// How sure the server is.
    ///
    /// ```
    /// (none) ──▶ provisional ──▶ confirmed
    ///    ▲            │              │
    ///    └─ retracted ┴── by backfill┘
    /// ```
    public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
        /// Seen there; may still be retracted.
        case provisional
        /// Decided, unless backfill says otherwise before the result is final.
        case confirmed
    }

    /// How an arrival is known.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// From reported positions.
        case gps
        /// Said so, near enough.
        case myself = "self"
        /// By the code of somebody who was there.
        case peer
        /// An administrator's correction.
        case owner
    }

    /// A claim to be there that did not come from positions (domain §6.7).
    public struct CheckIn: Hashable, Sendable, Codable {
        /// When the server received it, or what an administrator entered.
        public var at: Instant
        /// How it was made; not ``Source/gps``.
        public var source: Source

        /// A check-in at an instant.
        public init(at: Instant, source: Source) {
            self.at = at
            self.source = source
        }
    }

    /// How sure.
    public var stage: Stage
    /// The instant that counts.
    public var creditedAt: Instant
    /// How it is known.
    public var source: Source
    /// What the positions say; nil when only a check-in speaks for it.
    public var evidence: ArrivalEvidence?
    /// The check-in by hand, by code or by an administrator, kept even where the positions credit an earlier time.
    public var checkIn: CheckIn?

    /// An arrival credited at an instant.
    public init(
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
