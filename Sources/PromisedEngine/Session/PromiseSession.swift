internal import Logging
package import PromisedDomain

protocol SessionIndex: Actor {
    /// Records the current participants of a session.
    func note(_ session: PromiseSession, _ members: SessionMembers)
}

/// The accepted participants of a session, for the registry's index.
struct SessionMembers: Sendable {
    let users: [UserID]
    /// `true` once the promise is over: its participants no longer report to it, but still read it.
    var isOver = false
}

/// The live actor of one promise: feeds its machine, commits the changes, and announces them to the subscribers.
///
/// ```
///                     commit failed            next use
///  (loaded) ─▶ running ─────────────▶ broken ───────────▶ restoring ─▶ running, or broken again
///                 └── idle or over ──▶ retired
/// ```
/// Every change of the promise passes through here, so events have one order, that of their numbers. One commit is
/// written at a time; changes made meanwhile share the next one.
package actor PromiseSession: LaneResident {
    package nonisolated let id: PromiseID
    /// The session's executor, which other sessions may share.
    nonisolated var executor: any SerialExecutor { lane.executor }
    /// The executor as the runtime requires it.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var machine: SessionMachine
    var life = SessionLife()
    let context: EngineContext
    nonisolated let lane: SessionLane
    private let index: any SessionIndex
    private var ownerEpoch: Int
    var audience = SessionAudience()
    var collection = PositionCollection()
    var blockLooks = BlockLooks()
    private var commits = CommitQueue<CheckedContinuation<CommitOutcome, Never>>()

    init(_ activation: Activation, on lane: SessionLane, context: EngineContext, index: any SessionIndex) {
        id = activation.snapshot.promise.id
        self.lane = lane
        machine = SessionMachine(
            restoring: activation.snapshot,
            reportInterval: context.settings.reportInterval,
            fixLimits: context.settings.fixLimits
        )
        ownerEpoch = activation.ownerEpoch
        self.context = context
        self.index = index
        life.lastUsedAt = context.clock.now
    }

    // MARK: - One event

    /// `true` if the caller runs on the session's executor, and so may enter it without suspension.
    package nonisolated var isHere: Bool { executor.isIsolatingCurrentContext() == true }

    /// Feeds an event and waits until its effects are durable: ``begin(_:)`` and ``complete(_:)`` in one. Throws
    /// `refused`, `unavailable` (nothing happened), `retired`, `notFound`.
    package func perform(_ event: SessionEvent) async throws(EngineError) -> SessionReply {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        guard let step = begin(event) else { throw .unavailable }
        return try await complete(step)
    }

    /// Feeds an event. Effects that require no waiting are complete on return. Returns the rest, for ``complete(_:)``;
    /// nil if the session is not running, and then the event had no effect.
    package func begin(_ event: SessionEvent) -> SessionStep? { begin(event, at: context.clock.now) }

    /// The same, with the current time from a caller who has read the session's clock since it entered this executor.
    package func begin(_ event: SessionEvent, at now: Instant) -> SessionStep? {
        guard life.phase == .running else { return nil }
        life.lastUsedAt = now
        var isWake = false
        if case .wake = event {
            // Most wakes are obsolete: a later report has rescheduled or already announced the change.
            if let later = machine.putOffWake(at: now) { return .complete(.done, nextWake: later) }
            isWake = true
        }
        var rest = absorb(machine.receive(event, at: now))
        // The scheduler may learn of a distant wake later.
        let mayWakeLater = isWake || rest.wake.map { $0 > now + context.settings.wakeNotice } ?? true
        guard mayWakeLater, isDurable(rest), rest.recalls.isEmpty, !rest.isEnding, audience.viewers.isEmpty else {
            life.underWay += 1
            rest.failures = commits.failures
            return .pending(rest)
        }
        for event in rest.news { tell(event) }
        if isWake { return .complete(rest.reply, nextWake: nextWake) }
        if let wake = rest.wake { lane.assumeIsolated { $0.add(SessionWake(id: id, instant: wake)) } }
        return .complete(rest.reply)
    }

    /// Waits until an event's effects are durable, and completes the step. Call it once per step. Throws `refused`,
    /// `unavailable` (nothing happened).
    package func complete(_ step: SessionStep) async throws(EngineError) -> SessionReply {
        switch step {
        case .complete(let reply, _): return try reply.accepted
        case .pending(let rest):
            defer { life.underWay -= 1 }
            try await finish(rest)
            return try rest.reply.accepted
        }
    }

    /// The current state of the promise, all of it durable.
    ///
    /// - Parameter viewer: the user who will see it; nil for everything.
    /// - Throws: `unavailable`, `retired`, `notFound`.
    package func view(for viewer: UserID? = nil) async throws(EngineError) -> SessionView {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await settleAll()
        life.lastUsedAt = context.clock.now
        return machine.view(at: life.lastUsedAt, for: viewer)
    }

    /// The last rejected fixes of a participant, oldest first.
    package func refusedFixes(of userID: UserID) -> [RefusedFix] { machine.refusedFixes(of: userID) }

    var meetsAt: Instant { machine.promise.meetsAt }
    var status: PromiseStatus { machine.promise.status(at: context.clock.now) }

    /// The number of requested commits, for tests that must know how far a request has got.
    package var issuedCommits: Int { commits.issued }

    /// `true` if the machine's whole state is durable.
    var isSettled: Bool { commits.isSettled }

    /// Handles the requested instant. `begun` is the rest of the step, if ``begin(_:)`` was called already.
    func wake(completing begun: SessionStep? = nil) async {
        let retryAt = context.clock.now + context.settings.idleFor
        do throws(EngineError) {
            _ = if let begun { try await complete(begun) } else { try await perform(.wake) }
            if let next = nextWake { await context.scheduler.schedule(id, at: next) }
        } catch .retired {
            // The registry has released the session: there is nothing to wake.
        } catch {
            // A transient write failure (a full disk) must not leave a promise undecided.
            context.log.error("Session could not handle its timer", metadata: ["promise": "\(id)"])
            await context.scheduler.schedule(id, at: retryAt)
        }
    }

    /// The wake after the current one. Always requested anew, because the current one may have been earlier than the
    /// machine's. A due wake that remains waits for a recall, which handles it at its end.
    private var nextWake: Instant? {
        let now = context.clock.now
        let retryAt = machine.nextRecallAt.flatMap { $0 > now ? $0 : nil } ?? now + context.settings.idleFor
        return machine.nextWake().map { $0 > now ? $0 : retryAt }
    }

    /// Releases the session if it is idle: no subscriber, no call in progress, outside its live span. Returns `true` if
    /// it is retired now.
    func retireIfIdle() -> Bool {
        let now = context.clock.now
        guard machine.isAsleep(at: now, aliveBefore: context.settings.aliveBefore), audience.isEmpty,
            life.underWay == 0, commits.isIdle, life.phase != .restoring,
            now - life.lastUsedAt >= context.settings.idleFor
        else { return life.phase == .retired }
        life.phase = .retired
        return true
    }

    // MARK: - Effects

    /// Performs effects, and waits until all their dependencies are durable.
    func carryOut(_ effects: [SessionEffect]) async throws(EngineError) { try await finish(absorb(effects)) }

    /// Performs effects in order, and returns the rest. Does not suspend before the whole list is applied to the state,
    /// so that no event overtakes it. Announcements depend on the machine's state, so they wait until all of that is
    /// durable.
    private func absorb(_ effects: [SessionEffect]) -> SessionStep.Rest {
        var rest = SessionStep.Rest()
        var completesCollection: Bool?
        var hasCommit = false
        for effect in effects {
            switch effect {
            case .archive(let fixes): context.archive.keep(fixes, of: id)
            case .commit(let commit):
                enqueue(commit)
                hasCommit = true
            case .positionsChanged(let isComplete): completesCollection = isComplete
            case .tell(let event): rest.news.append(event)
            case .recall(let recall): rest.recalls.append(recall)
            case .wake(let instant): rest.wake = instant
            case .ended: rest.isEnding = true
            case .reply(let answer): rest.reply = answer
            }
        }
        if case .reported(let receipt) = rest.reply, receipt.showsMovedClock { context.metrics.clockMoved() }
        if hasCommit || !rest.news.isEmpty { rest.ticket = commits.issued }
        if let completesCollection { collect(isComplete: completesCollection, with: &rest) }
        return rest
    }

    /// `true` if all dependencies of a step are durable, as for most reports.
    private func isDurable(_ rest: SessionStep.Rest) -> Bool { rest.ticket == 0 || rest.ticket <= commits.committed }

    /// Waits for a step's dependencies, and completes it.
    private func finish(_ rest: SessionStep.Rest) async throws(EngineError) {
        // The commit may have been discarded before this call.
        if let failures = rest.failures, failures != commits.failures { throw .unavailable }
        if !isDurable(rest) { try await settle(rest.ticket) }
        for event in rest.news { tell(event) }
        await endViewingWhenOver()
        if rest.isEnding { await index.note(self, members()) }
        if let wake = rest.wake { await context.scheduler.schedule(id, at: wake) }
        for recall in rest.recalls { try await carryOut(recall) }
    }

    private func carryOut(_ recall: Recall) async throws(EngineError) {
        let judged: JudgedTrack
        do {
            judged = try await context.archive.judge(recall, of: id)
        } catch {
            fail(error)
            throw .unavailable
        }
        guard life.phase == .running else { throw .unavailable }
        // Reports that arrived meanwhile are in the machine already, and stay.
        try await carryOut(machine.receive(.recalled(recall, judged), at: context.clock.now))
    }

    /// Sends positions when every member expected in this slot has reported; else a fixed time after the first report.
    private func collect(isComplete: Bool, with rest: inout SessionStep.Rest) {
        // Once per collection is enough: announcements made before its end belong to the slot in which it began.
        if !collection.isRunning { followGrid() }
        guard hasAudience else { return }
        if isComplete {
            if isDurable(rest) { holdEstimates(of: &rest.news) }
            return sendPositions()
        }
        guard !collection.isRunning else { return }
        collection.isRunning = true
        lane.assumeIsolated { $0.add(self) }
    }

    // MARK: - Commits

    private func enqueue(_ commit: SessionCommit) {
        commits.ask(for: commit)
        audience.membershipsChanged()
    }

    func settleAll() async throws(EngineError) {
        while !commits.isSettled { try await settle(commits.issued) }
    }

    /// Waits until the commits up to `ticket` are durable, writing them itself if no other caller does. Stops if the
    /// requests are discarded.
    private func settle(_ ticket: Int) async throws(EngineError) {
        while commits.committed < ticket {
            let outcome =
                if commits.isWriting {
                    await withCheckedContinuation { commits.wait(for: ticket, $0) }
                } else {
                    await writeNext()
                }
            if outcome == .failed { throw .unavailable }
        }
    }

    private func writeNext() async -> CommitOutcome {
        guard let commit = commits.begin() else { return .failed }
        // The state with everything being written, before any later request.
        let view = machine.view(at: context.clock.now)
        let outcome: CommitOutcome
        do {
            try await context.archive.commit(commit, ownerEpoch: ownerEpoch)
            commits.noteDurable()
            announce(commit, in: view)
            showViewers(commit, in: view)
            outcome = .durable
        } catch {
            fail(error)
            outcome = .failed
        }
        for ended in commits.end(with: outcome) { ended.waiter.resume(returning: ended.outcome) }
        if !commit.participants.isEmpty || commit.promise != nil { await index.note(self, members()) }
        return outcome
    }

    /// Discards the running state, which is ahead of the archive. The next use starts from the durable state. Also
    /// discards pending requests, because they build on the failed one.
    private func fail(_ error: ArchiveError) {
        context.log.error("Archive rejected a session's write", metadata: ["promise": "\(id)", "error": "\(error)"])
        collection.estimates = []
        for waiter in commits.giveUp() { waiter.resume(returning: .failed) }
        life.phase = error == .fenced ? .retired : .broken
    }

    func ensureRunning() async throws(EngineError) {
        while true {
            switch life.phase {
            case .running: return
            case .retired: throw .retired
            case .restoring: await withCheckedContinuation { life.restoreWaiters.append($0) }
            case .broken: try await restore()
            }
        }
    }

    private func restore() async throws(EngineError) {
        life.phase = .restoring
        defer {
            for waiter in life.restoreWaiters { waiter.resume() }
            life.restoreWaiters = []
        }
        let activation: Activation?
        do {
            activation = try await context.archive.activate(id)
        } catch {
            life.phase = .broken
            throw .unavailable
        }
        guard let activation else {
            life.phase = .retired
            throw .notFound
        }
        machine = SessionMachine(
            restoring: activation.snapshot,
            reportInterval: context.settings.reportInterval,
            fixLimits: context.settings.fixLimits
        )
        followGrid()
        audience.membershipsChanged()
        ownerEpoch = activation.ownerEpoch
        commits.restart()
        life.phase = .running
        try await carryOut(machine.receive(.wake, at: context.clock.now))
        // The index may have the members of the discarded state, and then it has not reported new blocks.
        await index.note(self, members())
        try await refreshBlocks()
        if !audience.viewers.isEmpty { await noteViewerCount() }
    }
}
