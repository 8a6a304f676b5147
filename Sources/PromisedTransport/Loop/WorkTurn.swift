/// One turn of a loop at the work in its mailbox: bounded, so that the sockets get their turn.
struct WorkTurn<Work> {
    /// How many times in a row work that arrives during other work is done at once.
    static var rounds: Int { 16 }
    /// How long the loop works before it turns to the sockets again. Without this limit, sixteen rounds of jobs of a few
    /// milliseconds delayed every other connection by 150 ms.
    static var longest: Duration { .milliseconds(2) }

    /// Work is taken into this list, which is empty between turns; kept for its memory.
    private var list: [Work] = []
    private var began: ContinuousClock.Instant?
    private var roundsLeft = 0

    var isUnderWay: Bool { began != nil }

    /// Begins a turn. Returns an empty list, for ``end(_:)``.
    mutating func begin(at instant: ContinuousClock.Instant) -> [Work] {
        began = instant
        roundsLeft = Self.rounds
        defer { list = [] }
        return list
    }

    /// A round is done: returns whether another may follow.
    mutating func mayGoOn(at instant: ContinuousClock.Instant) -> Bool {
        roundsLeft -= 1
        return roundsLeft > 0 && began.map { instant - $0 <= Self.longest } ?? false
    }

    mutating func end(_ list: [Work]) {
        self.list = list
        began = nil
    }
}
