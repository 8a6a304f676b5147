/// Names a promise.
public typealias PromiseID = ID<Promise>

/// A meetup with a place and a time.
public struct Promise: Hashable, Sendable {
    /// Its id.
    public let id: PromiseID
    /// The user who may change it.
    public var ownerID: UserID
    /// 1–60 characters.
    public var title: String
    /// At most 500 characters, possibly empty.
    public var note: String
    /// The place.
    public var place: Place
    /// The meeting time: `t` in the rules.
    public var meetsAt: Instant
    /// The radius of the circle that counts as "there", 20–500 m.
    public var radiusMetres: Int
    /// The penalty for late participants, if agreed.
    public var penalty: Penalty?
    /// How arrivals are decided.
    public var rule: ArrivalRule
    /// The spans it was created under.
    public var spans: WindowSpans
    /// Rises by one with each edit; for optimistic locking. The first is 1.
    public var version: Int
    /// When it was created.
    public var createdAt: Instant
    /// When it was cancelled; nil otherwise.
    public var cancelledAt: Instant?
    /// The reason for the cancellation; empty unless the owner gave one.
    public var cancelReason: String
    /// Names the gapless numbering of its durable events (docs/protocol.md#resuming); never empty.
    public var epoch: String

    /// A promise with all its fields; ``PromiseDraft`` checks what a client asks for.
    public init(
        id: PromiseID,
        ownerID: UserID,
        title: String,
        note: String = "",
        place: Place,
        meetsAt: Instant,
        radiusMetres: Int = 50,
        penalty: Penalty? = nil,
        rule: ArrivalRule = ArrivalRule(),
        spans: WindowSpans = WindowSpans(),
        version: Int = 1,
        createdAt: Instant,
        cancelledAt: Instant? = nil,
        cancelReason: String = "",
        epoch: String
    ) {
        self.id = id
        self.ownerID = ownerID
        self.title = title
        self.note = note
        self.place = place
        self.meetsAt = meetsAt
        self.radiusMetres = radiusMetres
        self.penalty = penalty
        self.rule = rule
        self.spans = spans
        self.version = version
        self.createdAt = createdAt
        self.cancelledAt = cancelledAt
        self.cancelReason = cancelReason
        self.epoch = epoch
    }
}

extension Promise {
    /// The first instant of the window.
    public var opensAt: Instant { meetsAt - spans.before }

    /// The end of the window, which the window excludes.
    public var closesAt: Instant { meetsAt + spans.after }

    /// When the result becomes final.
    public var settlesAt: Instant { closesAt + spans.settle }

    /// How long after the meeting time an arrival is still on time: the rule's grace, but never longer than the window,
    /// whatever an older version stored (domain §6.5).
    public var grace: TimeSpan { min(rule.grace, spans.after) }

    /// The first instant at which an arrival is late; not after the end of the window.
    public var lateFrom: Instant { meetsAt + grace }

    /// The instants at which positions count: the start included, the end excluded.
    public var window: Range<Instant> { opensAt..<closesAt }

    /// The status at `now`, by the clock alone unless it was cancelled.
    public func status(at now: Instant) -> PromiseStatus {
        if cancelledAt != nil { return .cancelled }
        if now < opensAt { return .scheduled }
        if now < closesAt { return .tracking }
        return now < settlesAt ? .settling : .final
    }
}

/// The status of a promise (domain §4).
///
/// ```
///             opensAt            closesAt            settlesAt
/// scheduled ───────────▶ tracking ─────────▶ settling ─────────▶ final
///     └──────────────────────┴───────────────────┴──▶ cancelled
/// ```
public enum PromiseStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Before the window.
    case scheduled
    /// Inside the half-open window: positions flow.
    case tracking
    /// After the window: late uploads are still accepted, nothing is shown live.
    case settling
    /// Decided.
    case final
    /// Cancelled by its owner; has no result.
    case cancelled
}
