/// Everything the archive knows of one promise; what a session starts from.
public struct SessionSnapshot: Hashable, Sendable {
    /// The promise.
    public var promise: Promise
    /// All who ever had a part, in order of invitation.
    public var participants: [Participant]
    /// The arrivals that stand.
    public var arrivals: [UserID: Arrival]
    /// How far the clock's events went.
    public var mark: ClockMark
    /// The number of the last durable event; 0 before the first.
    public var lastSeq: Int
    /// The result, once final.
    public var result: PromiseResult?
    /// All fixes that are still kept, in the order of their receipt; looked at only without ``kept``.
    public var fixes: [ArchivedFix]
    /// All fixes that are still kept, folded; nil: they are in ``fixes``.
    public var kept: KeptFixes?
    /// Between whom a block stands, among the participants.
    public var blocks: Set<UserPair>
    /// The link by which people without an account watch, also one that has ended by the clock; nil without one.
    public var viewLink: ViewLink?
    /// The last reminder of each pair, at least those that are not older than ``NudgeRule/interval``.
    public var nudges: [Nudge]

    /// A snapshot with all its fields.
    public init(
        promise: Promise,
        participants: [Participant],
        arrivals: [UserID: Arrival] = [:],
        mark: ClockMark = .none,
        lastSeq: Int = 0,
        result: PromiseResult? = nil,
        fixes: [ArchivedFix] = [],
        kept: KeptFixes? = nil,
        blocks: Set<UserPair> = [],
        viewLink: ViewLink? = nil,
        nudges: [Nudge] = []
    ) {
        self.promise = promise
        self.participants = participants
        self.arrivals = arrivals
        self.mark = mark
        self.lastSeq = lastSeq
        self.result = result
        self.fixes = fixes
        self.kept = kept
        self.blocks = blocks
        self.viewLink = viewLink
        self.nudges = nudges
    }
}

extension KeptFixes {
    /// Nothing is folded yet.
    ///
    /// - Parameters:
    ///   - snapshot: the promise, its people and their arrivals; its fixes are not looked at.
    ///   - limits: how many fixes are held.
    public init(of snapshot: SessionSnapshot, limits: FixLimits = FixLimits()) {
        self.init(
            of: snapshot.promise,
            participants: snapshot.participants,
            arrivals: snapshot.arrivals,
            limits: limits
        )
    }
}
