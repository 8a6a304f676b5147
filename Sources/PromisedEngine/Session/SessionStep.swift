internal import Logging
package import PromisedDomain

/// The result of an event in a session, and the remaining work that must be awaited.
package enum SessionStep: Sendable {
    /// No work remains. After a wake the caller passes `nextWake` to the scheduler.
    case complete(SessionReply, nextWake: Instant? = nil)
    /// Work remains, for ``PromiseSession/complete(_:)``. Boxed, because most steps are complete at once.
    indirect case pending(Rest)

    package struct Rest: Sendable {
        var reply = SessionReply.done
        /// The last commit that the step depends on; 0 if it depends only on durable ones.
        var ticket = 0
        /// The number of failures when the step began, if other calls can discard the running state before it
        /// completes.
        var failures: Int?
        var news: [PassingEvent] = []
        var recalls: [Recall] = []
        var wake: Instant?
        var isEnding = false
    }

    /// The answer, if the step is complete; nil while it is pending. Throws `refused`.
    package var outcome: SessionReply? {
        get throws(EngineError) {
            guard case .complete(let reply, _) = self else { return nil }
            return try reply.accepted
        }
    }
}

extension SessionReply {
    /// The reply, unless it is a refusal. Throws `refused`.
    var accepted: SessionReply {
        get throws(EngineError) {
            if case .refused(let refusal) = self { throw .refused(refusal) }
            return self
        }
    }
}

/// The phase of a session, and its current uses.
struct SessionLife {
    enum Phase {
        case running, broken, restoring, retired
    }

    var phase = Phase.running
    /// The callers that wait for the end of a restoration.
    var restoreWaiters: [CheckedContinuation<Void, Never>] = []
    var lastUsedAt = Instant(milliseconds: 0)
    /// The number of calls in progress: a session with any is not released.
    var underWay = 0
}

/// The positions that a session collects before it sends them.
struct PositionCollection: Sendable {
    var isRunning = false
    /// Estimates held until the positions they depend on are sent: together they cost little more than one frame.
    var estimates: [PassingEvent] = []
}

struct EngineContext: Sendable {
    let archive: any PromiseArchive
    let announcer: any Announcer
    let connections: any ConnectionIndex
    let clock: any WallClock
    let settings: EngineSettings
    let log: Logger
    let metrics: EngineMetrics
    let lanes: SessionLanes
    let scheduler: SessionScheduler

    /// The archive's state of a promise, for a viewer or complete; nil if the promise is due, so its session may be
    /// ahead. Does not acquire the promise. Throws `notFound`, `unavailable`.
    @concurrent func storedView(of id: PromiseID, for viewer: UserID?) async throws(EngineError) -> SessionView? {
        let snapshot: SessionSnapshot?
        do {
            snapshot = try await archive.look(at: id)
        } catch {
            log.error("Archive could not be read", metadata: ["promise": "\(id)", "error": "\(error)"])
            throw .unavailable
        }
        guard let snapshot else { throw .notFound }
        let now = clock.now
        let machine = SessionMachine(restoring: snapshot)
        return machine.isAsleep(at: now, aliveBefore: settings.aliveBefore) ? machine.view(at: now, for: viewer) : nil
    }
}
