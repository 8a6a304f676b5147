internal import Logging
internal import PromisedDomain

protocol ScheduledSessions: Actor {
    /// Restores promises, a few at a time.
    func restore(_ ids: [PromiseID]) async
    func wake(_ ids: [PromiseID]) async
    func retireIdle() async
    /// Records that all sessions that should be live are. Returns `true` the first time.
    func noteComplete() -> Bool
}

/// One timer for all sessions' wakes, and for the next window in the archive.
///
/// Until a minute before its window opens, a promise costs one row in an index.
actor SessionScheduler {
    /// Real seconds between a failed archive query and its retry.
    private static let lookAgain = 2.0

    private let clock: any WallClock
    private let aliveBefore: TimeSpan
    private let sweepEvery: TimeSpan
    private let round: TimeSpan
    private let log: Logger
    private let metrics: EngineMetrics
    /// The earliest requested wake per session; a wake too early is harmless.
    private var wakes: [PromiseID: Instant] = [:]
    private var nextLook: Instant
    /// Promises that open by this instant are live.
    private var nextSweep: Instant
    private var sleeper: Task<Void, Never>?
    private var target: Instant?
    /// The earliest instant of the next round of wakes.
    private var nextRound: Instant

    init(clock: any WallClock, settings: EngineSettings, log: Logger, metrics: EngineMetrics) {
        self.clock = clock
        self.metrics = metrics
        aliveBefore = settings.aliveBefore
        sweepEvery = settings.idleFor
        round = settings.wakeRound
        self.log = log
        nextLook = clock.now
        nextSweep = clock.now + settings.idleFor
        nextRound = clock.now
    }

    /// Wakes a session at `instant`, or at an earlier requested instant.
    func schedule(_ id: PromiseID, at instant: Instant) {
        wakes[id] = min(wakes[id] ?? instant, instant)
        cutSleep(at: instant)
    }

    /// Wakes several sessions, each no later than requested.
    func schedule(_ asked: [SessionWake]) {
        for wake in asked { schedule(wake.id, at: wake.instant) }
    }

    /// Drops the wake of a released session: the next archive query finds the promise in time.
    func forget(_ id: PromiseID) { wakes[id] = nil }

    /// Records a window that opens at `instant`, so that its session is live in time.
    func noteOpening(at instant: Instant) {
        nextLook = min(nextLook, instant - aliveBefore)
        cutSleep(at: nextLook)
    }

    /// Wakes and restores sessions until the task is cancelled.
    func run(sessions: some ScheduledSessions, archive: any PromiseArchive) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await sleep(until: nextInstant())
                let now = clock.now
                nextRound = now + round
                if nextLook <= now { await look(into: archive, for: sessions, at: now) }
                if nextSweep <= now {
                    nextSweep = now + sweepEvery
                    group.addTask { await sessions.retireIdle() }
                }
                let due = takeDue(by: now)
                if !due.isEmpty { group.addTask { await sessions.wake(due) } }
            }
        }
    }

    /// Restores promises that open within ``EngineSettings/aliveBefore``, and sets the time of the next query.
    private func look(into archive: any PromiseArchive, for sessions: some ScheduledSessions, at now: Instant) async {
        let horizon = now + aliveBefore
        // `noteOpening` moves this back for a promise that is created meanwhile and opens earlier.
        nextLook = now + .hours(1)
        do throws(ArchiveError) {
            let due = try await archive.dueSessions(openingBy: horizon)
            await sessions.restore(due)
            if await sessions.noteComplete() {
                log.info("Live sessions were restored", metadata: ["sessions": "\(due.count)"])
            }
            if let opening = try await archive.nextOpening(after: horizon) {
                nextLook = min(nextLook, opening - aliveBefore)
            }
        } catch {
            log.error("Due sessions could not be read from the archive", metadata: ["error": "\(error)"])
            // Retries soon, because no session is restored until then.
            nextLook = min(nextLook, now + .seconds(SessionScheduler.lookAgain * clock.rate))
        }
    }

    private func takeDue(by now: Instant) -> [PromiseID] {
        let due = wakes.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (id, instant) in due {
            wakes[id] = nil
            metrics.timerFired(after: real(now - instant))
        }
        return due.map(\.key)
    }

    /// The pending and overdue wakes.
    func census() -> EngineCensus {
        let now = clock.now
        let overdue = wakes.values.filter { $0 <= now }
        var census = EngineCensus()
        census.timers = wakes.count
        census.overdueTimers = overdue.count
        census.backlog = overdue.min().map { real(now - $0) } ?? .zero
        return census
    }

    private func real(_ span: TimeSpan) -> Duration { .nanoseconds(Int64(span.seconds / clock.rate * 1e9)) }
    private func nextInstant() -> Instant { max(nextRound, wakes.values.reduce(min(nextLook, nextSweep), min)) }

    private func cutSleep(at instant: Instant) {
        if let target, max(instant, nextRound) < target { sleeper?.cancel() }
    }

    private func sleep(until instant: Instant) async {
        target = instant
        // Ended by `cutSleep`, by the cancellation below, or by the clock; awaited right here.
        let sleeper = Task { [clock] in
            do {
                try await clock.sleep(until: instant)
            } catch {
                // An earlier wake was added, or the scheduler stops: the loop checks which.
            }
        }
        self.sleeper = sleeper
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        self.sleeper = nil
        target = nil
    }
}

/// A session's requested wake.
struct SessionWake: Sendable {
    let id: PromiseID
    let instant: Instant
}
