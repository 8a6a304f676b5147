public import PromisedDomain

/// What an event brought about in a session, and what is left of it that must be waited for.
public enum SessionStep: Sendable {
    /// Nothing is left. After a wake the caller passes `nextWake` on to the scheduler.
    case complete(SessionReply, nextWake: Instant? = nil)
    /// Something is left, for ``PromiseSession/complete(_:)``. Boxed, because most steps are complete at once.
    indirect case pending(Rest)

    /// What is left of a step.
    public struct Rest: Sendable {
        var reply = SessionReply.done
        /// The last commit that the step rests on; 0 for none that is not durable.
        var ticket = 0
        /// How often the running state had been given up when others could give it up before the step is complete.
        var failures: Int?
        var news: [PassingEvent] = []
        var recalls: [Recall] = []
        var wake: Instant?
        var isEnding = false
    }

    /// The answer, if the step is complete; nil while it is pending.
    ///
    /// - Throws: `refused`.
    public var outcome: SessionReply? {
        get throws(EngineError) {
            guard case .complete(let reply, _) = self else { return nil }
            return try reply.accepted
        }
    }
}

extension SessionReply {
    /// Itself, unless it is a refusal.
    ///
    /// - Throws: `refused`.
    var accepted: SessionReply {
        get throws(EngineError) {
            if case .refused(let refusal) = self { throw .refused(refusal) }
            return self
        }
    }
}
