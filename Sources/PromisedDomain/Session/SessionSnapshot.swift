/// Everything the archive knows of one promise; what a session starts from.
package struct SessionSnapshot: Hashable, Sendable {
    /// The promise.
    package var promise: Promise
    /// All who ever had a part, in order of invitation.
    package var participants: [Participant]
    /// The arrivals that stand.
    package var arrivals: [UserID: Arrival]
    /// The participants who came together; in any order, each pair once.
    package var together: [CameTogether]
    /// How far the clock's events went.
    package var mark: ClockMark
    /// The number of the last durable event; 0 before the first.
    package var lastSeq: Int
    /// The result, once final.
    package var result: PromiseResult?
    /// All fixes that are still kept, in the order of their receipt; looked at only without ``kept``.
    package var fixes: [ArchivedFix]
    /// All fixes that are still kept, folded; nil: they are in ``fixes``.
    package var kept: KeptFixes?
    /// Between whom a block stands, among the participants.
    package var blocks: Set<UserPair>
    /// The link by which people without an account watch, also one that has ended by the clock; nil without one.
    package var viewLink: ViewLink?
    /// The last reminder of each pair, at least those that are not older than ``NudgeRule/interval``.
    package var nudges: [Nudge]

    /// A snapshot with all its fields.
    package init(
        promise: Promise,
        participants: [Participant],
        arrivals: [UserID: Arrival] = [:],
        together: [CameTogether] = [],
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
        self.together = together
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
    package init(of snapshot: SessionSnapshot, limits: FixLimits = FixLimits()) {
        self.init(
            of: snapshot.promise,
            participants: snapshot.participants,
            arrivals: snapshot.arrivals,
            limits: limits
        )
    }
}
