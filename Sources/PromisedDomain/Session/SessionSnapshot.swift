/// Everything the archive stores about one promise; the initial state of a session.
package struct SessionSnapshot: Hashable, Sendable {
    package var promise: Promise
    /// All present and former participants, in order of invitation.
    package var participants: [Participant]
    /// The current arrivals.
    package var arrivals: [UserID: Arrival]
    /// The participants who came together; in any order, each pair once.
    package var together: [CameTogether]
    /// The progress of the clock's events.
    package var mark: ClockMark
    /// The number of the last durable event; 0 before the first.
    package var lastSeq: Int
    /// The result, once final.
    package var result: PromiseResult?
    /// All fixes that are still stored, in the order of their receipt; ignored if ``kept`` is set.
    package var fixes: [ArchivedFix]
    /// All fixes that are still stored, folded; nil: they are in ``fixes``.
    package var kept: KeptFixes?
    /// The blocks among the participants.
    package var blocks: Set<UserPair>
    /// The view link, even if it has expired; nil without one.
    package var viewLink: ViewLink?
    /// The last reminder of each pair, at least those that are not older than ``NudgeRule/interval``.
    package var nudges: [Nudge]

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
    /// An empty fold.
    ///
    /// - Parameters:
    ///   - snapshot: the promise, its people and their arrivals; its fixes are ignored.
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
