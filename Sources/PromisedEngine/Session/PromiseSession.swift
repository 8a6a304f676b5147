internal import Logging
package import PromisedDomain

protocol SessionIndex: Actor {
    /// Notes the current participants of a session.
    func note(_ session: PromiseSession, _ members: SessionMembers)
}

/// The accepted participants of a session, for the registry's index.
struct SessionMembers: Sendable {
    let users: [UserID]
    /// `true` once the promise is over: they report to it no more, but still ask for it.
    var isOver = false
}

/// The live actor of one promise: feeds its machine, commits the changes, and announces them to the subscribers.
///
/// ```
///                     commit failed            next use
///  (loaded) ─▶ running ─────────────▶ broken ───────────▶ restoring ─▶ running, or broken again
///                 └── idle or over ──▶ retired
/// ```
/// Every change of the promise goes through here, so events have one order, that of their numbers. One commit is
/// written at a time; changes made meanwhile share the next one.
package actor PromiseSession: LaneResident {
    /// The promise's id.
    package nonisolated let id: PromiseID
    /// Where the session lives; others may live there too.
    nonisolated var executor: any SerialExecutor { lane.executor }
    /// The same in the runtime's form.
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

    /// `true` if the caller runs on the session's executor, and so may enter it without waiting.
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

    /// Feeds an event. Effects that need no waiting have happened when this returns. Returns the rest, for
    /// ``complete(_:)``; nil if nothing happened because the session is not running.
    package func begin(_ event: SessionEvent) -> SessionStep? { begin(event, at: context.clock.now) }

    /// The same for a caller who has read the session's clock since it entered this executor.
    package func begin(_ event: SessionEvent, at now: Instant) -> SessionStep? {
        guard life.phase == .running else { return nil }
        life.lastUsedAt = now
        var isWake = false
        if case .wake = event {
            // Usually, reports that came meanwhile have put off what was due, or the last of them has announced it.
            if let later = machine.putOffWake(at: now) { return .complete(.done, nextWake: later) }
            isWake = true
        }
        var rest = absorb(machine.receive(event, at: now))
        // The scheduler need not know at once of a distant wake.
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

    /// Waits until an event's effects are durable, and does the rest. Once for each step. Throws `refused`,
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

    /// The promise as it stands, all of it durable.
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

    /// How many commits were requested, for tests that must know how far a request got.
    package var issuedCommits: Int { commits.issued }

    /// `true` if all that the machine knows is durable.
    var isSettled: Bool { commits.isSettled }

    /// The clock reached the requested instant. `begun` is the rest of it, if ``begin(_:)`` was called already.
    func wake(completing begun: SessionStep? = nil) async {
        let retryAt = context.clock.now + context.settings.idleFor
        do throws(EngineError) {
            _ = if let begun { try await complete(begun) } else { try await perform(.wake) }
            if let next = nextWake { await context.scheduler.schedule(id, at: next) }
        } catch .retired {
            // Nothing to wake; the registry has released it.
        } catch {
            // A promise must not stay undecided because the disk was full for a moment.
            context.log.error("Session could not handle its timer", metadata: ["promise": "\(id)"])
            await context.scheduler.schedule(id, at: retryAt)
        }
    }

    /// The next wake after a wake. Always requested anew, because that wake may have come before the one that the
    /// machine waits for. A due wake that was not worked off waits for a recall, whose end works it off.
    private var nextWake: Instant? {
        let now = context.clock.now
        let retryAt = machine.nextRecallAt.flatMap { $0 > now ? $0 : nil } ?? now + context.settings.idleFor
        return machine.nextWake().map { $0 > now ? $0 : retryAt }
    }

    /// Releases the session if it is idle: no subscriber, no call in progress, outside its live span. Returns whether
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

    /// Performs effects, and waits until all that they depend on is durable.
    func carryOut(_ effects: [SessionEffect]) async throws(EngineError) { try await finish(absorb(effects)) }

    /// Performs effects in order, and returns the rest. Awaits nothing before the whole list is applied to the state,
    /// so that another event cannot overtake it. Announcements depend on what the machine knows, so they wait until all
    /// of that is durable.
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

    /// `true` if all that a step depends on is durable. Most reports depend on nothing that is not.
    private func isDurable(_ rest: SessionStep.Rest) -> Bool { rest.ticket == 0 || rest.ticket <= commits.committed }

    /// Waits for what a step depends on, and does the rest of it.
    private func finish(_ rest: SessionStep.Rest) async throws(EngineError) {
        // That may have been given up before this was called.
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
        // Reports that came meanwhile are in the machine already, and stay.
        try await carryOut(machine.receive(.recalled(recall, judged), at: context.clock.now))
    }

    /// Positions go out when everyone expected in this slot has reported; else a fixed time after the first report.
    private func collect(isComplete: Bool, with rest: inout SessionStep.Rest) {
        // Once for each collection is enough: announcements made before its end belong to the slot it began in.
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

    /// Waits until the commits up to `ticket` are durable, writing them itself if no other caller does. Only while the
    /// requests for them stand.
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
        // The state with all that is being written and nothing that is requested later.
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

    /// Discards the running state, which is ahead of the archive. The next use starts from the durable state. Requests
    /// that are not being written yet are discarded too, because they build on the failed one.
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
        // The index may have the members of the state that was discarded, and then it has not told of new blocks.
        await index.note(self, members())
        try await refreshBlocks()
        if !audience.viewers.isEmpty { await noteViewerCount() }
    }
}
