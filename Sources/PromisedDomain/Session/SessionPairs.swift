/// Blocks, reminders and common ways of pairs in a session.
struct SessionPairs: Sendable {
    /// The blocks among all present and former participants.
    var blocks: Set<UserPair>
    /// The participants who came together.
    var together: SessionTogether
    /// When one participant last reminded another.
    private var nudges: [NudgeRule.Pair: Instant] = [:]

    init(blocks: Set<UserPair>, together: [CameTogether] = []) {
        self.blocks = blocks
        self.together = SessionTogether(together)
    }

    /// The users with a block between them and this one.
    func blocked(with userID: UserID) -> Set<UserID> {
        guard !blocks.isEmpty else { return [] }
        return Set(blocks.compactMap { $0.other(than: userID) })
    }

    /// Records a reminder. Throws `nudgeTooOften`.
    mutating func note(_ nudge: Nudge) throws(Refusal) {
        let pair = NudgeRule.Pair(from: nudge.from, to: nudge.to)
        if let last = nudges[pair], nudge.at - last < NudgeRule.interval { throw .nudgeTooOften }
        nudges[pair] = nudge.at
    }

    /// Restores stored reminders, oldest first.
    mutating func restore(_ kept: [Nudge]) {
        for nudge in kept { nudges[NudgeRule.Pair(from: nudge.from, to: nudge.to)] = nudge.at }
    }

    mutating func forgetNudges() { nudges.removeAll() }
}
