public import PromisedDomain

/// How many there are of what in the engine, at about one moment.
public struct EngineCensus: Sendable, Hashable {
    /// Live sessions by the status of their promise; statuses without one may be missing.
    public var sessions: [PromiseStatus: Int] = [:]
    /// Sessions that wait for an instant.
    public var timers = 0
    /// Those whose instant has passed.
    public var overdueTimers = 0
    /// How long ago the earliest of these was due, in real time.
    public var backlog = Duration.zero
}
