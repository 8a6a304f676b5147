internal import PromisedDomain

/// The result of waiting for a commit.
enum CommitOutcome {
    case durable, failed
    /// The write has ended without this ticket: its waiter writes the next commit.
    case yourTurn
}

/// The commits of a session: one is written at a time, and requests made meanwhile share the next one.
///
/// Each request to commit has a number, its ticket. Tickets up to ``issued`` were issued; those up to ``committed`` are
/// durable.
struct CommitQueue<Waiter> {
    private(set) var issued = 0
    private(set) var committed = 0
    /// How often pending requests were discarded.
    private(set) var failures = 0
    private(set) var isWriting = false
    private var queued: SessionCommit?
    /// The last ticket of the current or the most recent write.
    private var writing = 0
    private var waiters: [(ticket: Int, waiter: Waiter)] = []

    /// `true` if every request is durable.
    var isSettled: Bool { committed >= issued }

    /// `true` if no commit is being written or pending.
    var isIdle: Bool { queued == nil && !isWriting }

    mutating func ask(for commit: SessionCommit) {
        issued += 1
        if queued == nil { queued = commit } else { queued?.merge(commit) }
    }

    /// Waits for a ticket while another commit is being written.
    mutating func wait(for ticket: Int, _ waiter: Waiter) { waiters.append((ticket, waiter)) }

    /// Starts writing the next commit; nil if it was discarded meanwhile.
    mutating func begin() -> SessionCommit? {
        guard let commit = queued else { return nil }
        queued = nil
        writing = issued
        isWriting = true
        return commit
    }

    /// The commit being written has become durable.
    mutating func noteDurable() { committed = max(committed, writing) }

    /// Ends the write. Returns the waiters to resume, each with its outcome.
    mutating func end(with outcome: CommitOutcome) -> [(waiter: Waiter, outcome: CommitOutcome)] {
        isWriting = false
        let writing = writing
        var ended = take { $0 <= writing }.map { (waiter: $0, outcome: outcome) }
        if !waiters.isEmpty { ended.append((waiters.removeFirst().waiter, .yourTurn)) }
        return ended
    }

    /// Discards the pending commit. Returns the waiters of its tickets.
    mutating func giveUp() -> [Waiter] {
        queued = nil
        failures += 1
        let writing = writing
        return take { $0 > writing }
    }

    /// Resets to the durable state.
    mutating func restart() { committed = issued }

    private mutating func take(_ isServed: (_ ticket: Int) -> Bool) -> [Waiter] {
        let served = waiters.filter { isServed($0.ticket) }.map(\.waiter)
        waiters.removeAll { isServed($0.ticket) }
        return served
    }
}
