internal import PromisedDomain

/// Whether a session runs, and whether anybody still needs it.
struct SessionLife {
    enum Phase {
        case running
        case broken
        case restoring
        case retired
    }

    var phase = Phase.running
    /// Who waits for the end of a restoration.
    var restoreWaiters: [CheckedContinuation<Void, Never>] = []
    var lastUsedAt = Instant(milliseconds: 0)
    /// How many calls are in the middle of something: while there are any the session is not let go of.
    var underWay = 0
}

/// The positions that a session collects before it sends them.
struct PositionCollection: Sendable {
    var isRunning = false
    /// Estimates that wait for the positions they come from: together they cost little more than one frame.
    var estimates: [PassingEvent] = []
}
