/// Names a promise.
public typealias PromiseID = ID<Promise>

/// A meetup with a place and a time.
public struct Promise: Hashable, Sendable {
    /// Its name.
    public let id: PromiseID
    /// Who may change it.
    public var ownerID: UserID
    /// 1–60 characters.
    public var title: String
    /// At most 500 characters, possibly empty.
    public var note: String
    /// Where to meet.
    public var place: Place
    /// When to meet: `t` in the rules.
    public var meetsAt: Instant
    /// The radius of the circle that counts as "there", 20–500 m.
    public var radiusMetres: Int
    /// What late people owe, where one was agreed.
    public var penalty: Penalty?
    /// How arrivals are decided.
    public var rule: ArrivalRule
    /// The spans it was created under.
    public var spans: WindowSpans
    /// Rises by one with each edit; for optimistic locking. The first is 1.
    public var version: Int
    /// When it was created.
    public var createdAt: Instant
    /// When it was called off, if it was.
    public var cancelledAt: Instant?
    /// Why it was called off; empty unless the owner gave a reason.
    public var cancelReason: String
    /// Names the unbroken numbering of its durable events (docs/protocol.md#resuming); never empty.
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
