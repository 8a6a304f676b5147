/// One round of a loop's work on its mailbox: bounded, so that the sockets are served, too.
struct WorkTurn<Work> {
    /// The most consecutive rounds for work that arrives during other work.
    static var rounds: Int { 16 }
    /// How long the loop works before it returns to the sockets. Without this limit, sixteen rounds of jobs of a few
    /// milliseconds delayed every other connection by 150 ms.
    static var longest: Duration { .milliseconds(2) }

    /// Receives the work of a turn; empty between turns, kept to reuse its memory.
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

    /// `true` if another round may follow the one just done.
    mutating func mayGoOn(at instant: ContinuousClock.Instant) -> Bool {
        roundsLeft -= 1
        return roundsLeft > 0 && began.map { instant - $0 <= Self.longest } ?? false
    }

    mutating func end(_ list: [Work]) {
        self.list = list
        began = nil
    }
}
