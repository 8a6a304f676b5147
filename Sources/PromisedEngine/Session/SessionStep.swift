public import PromisedDomain

/// What an event brought about in a session, and what is left of it that must be waited for.
public struct SessionStep: Sendable {
    var reply = SessionReply.done
    /// The last commit that the step rests on.
    var ticket = 0
    /// How often the running state had been given up before.
    var failures = 0
    var news: [PassingEvent] = []
    var recalls: [Recall] = []
    /// When to wake the session next. Of a wake that is complete whoever woke it tells the scheduler.
    var wake: Instant?
    var isEnding = false
    /// Whether nothing is left.
    public internal(set) var isComplete = false

    /// A step all of which is left.
    init(restingOn ticket: Int, failures: Int) {
        self.ticket = ticket
        self.failures = failures
    }

    /// A wake of which nothing is left.
    init(nextWake: Instant) {
        wake = nextWake
        isComplete = true
    }

    /// The answer to whoever asked; theirs once the step is complete.
    ///
    /// - Throws: `refused`.
    public var outcome: SessionReply {
        get throws(EngineError) {
            if case .refused(let refusal) = reply { throw .refused(refusal) }
            return reply
        }
    }
}
