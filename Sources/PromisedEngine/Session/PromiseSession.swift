internal import Logging
public import PromisedDomain

/// Where is noted which sessions there are of whom.
protocol SessionIndex: Actor {
    /// Takes note of who takes part in a session now.
    func note(_ session: PromiseSession, _ members: [UserID])
}

/// The live actor of one promise: feeds its machine, makes durable what must be, and tells the subscribers.
///
/// ```
///                     commit failed            next use
///  (loaded) ─▶ running ─────────────▶ broken ───────────▶ restoring ─▶ running, or broken again
///                 └── idle or over ──▶ retired
/// ```
/// Every change of the promise goes through here, so there is one order of events, the one of their numbers. Commits
/// are asked for one at a time; what happens meanwhile shares the next one.
public actor PromiseSession: LaneResident {
    /// Which promise.
    public nonisolated let id: PromiseID
    /// Where the session lives; others may live there too.
    nonisolated var executor: any SerialExecutor { lane.executor }
    /// That as the runtime wants it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var machine: SessionMachine
    var life = SessionLife()
    let context: EngineContext
    nonisolated let lane: SessionLane
    private let index: any SessionIndex
    private var ownerEpoch: Int
    var audience = SessionAudience()
    var collection = PositionCollection()
    private var commits = CommitQueue<CheckedContinuation<CommitOutcome, Never>>()

    init(_ activation: Activation, context: EngineContext, index: any SessionIndex) {
        id = activation.snapshot.promise.id
        lane = context.lanes[id]
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

    /// Whether the caller runs where the session lives, and so may enter it without waiting.
    public nonisolated var isHere: Bool { executor.isIsolatingCurrentContext() == true }

    /// Feeds an event and waits until what follows from it is durable: ``begin(_:)`` and ``complete(_:)`` in one.
    ///
    /// - Throws: `refused`, `unavailable` (nothing happened), `retired`, `notFound`.
    public func perform(_ event: SessionEvent) async throws(EngineError) -> SessionReply {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        guard let step = begin(event) else { throw .unavailable }
        return try await complete(step)
    }

    /// Feeds an event. All that follows from it without waiting has followed when this returns.
    ///
    /// - Returns: what is left, for ``complete(_:)``; nil when nothing has happened, for the session is not running.
    public func begin(_ event: SessionEvent) -> SessionStep? {
        guard life.phase == .running else { return nil }
        let now = context.clock.now
        life.lastUsedAt = now
        var isWake = false
        if case .wake = event {
            // Mostly reports that came meanwhile have put off what was to be told, or the last of them has told it.
            if let later = machine.putOffWake(at: now) { return .complete(.done, nextWake: later) }
            isWake = true
        }
        var rest = absorb(machine.receive(event, at: now))
        // The scheduler need not hear at once of a wake that is some time off.
        let mayWakeLater = isWake || rest.wake.map { $0 > now + context.settings.wakeNotice } ?? true
        guard mayWakeLater, isDurable(rest), rest.recalls.isEmpty, !rest.isEnding,
            audience.viewers.isEmpty
        else {
            life.underWay += 1
            rest.failures = commits.failures
            return .pending(rest)
        }
        for event in rest.news { tell(event) }
        if isWake { return .complete(rest.reply, nextWake: nextWake) }
        if let wake = rest.wake { lane.assumeIsolated { $0.add(SessionWake(id: id, instant: wake)) } }
        return .complete(rest.reply)
    }

    /// Waits until what follows from an event is durable, and does what is left. Once for each step.
    ///
    /// - Throws: `refused`, `unavailable` (nothing happened).
    public func complete(_ step: SessionStep) async throws(EngineError) -> SessionReply {
        switch step {
        case .complete(let reply, _): return try reply.accepted
        case .pending(let rest):
            defer { life.underWay -= 1 }
            try await finish(rest)
            return try rest.reply.accepted
        }
    }

    /// The promise as it stands, everything in it durable.
    ///
    /// - Parameter viewer: who will see it; nil for everything.
    /// - Throws: `unavailable`, `retired`, `notFound`.
    public func view(for viewer: UserID? = nil) async throws(EngineError) -> SessionView {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await settleAll()
        life.lastUsedAt = context.clock.now
        return machine.view(at: life.lastUsedAt, for: viewer)
    }

    /// The last fixes of a participant that were not taken, oldest first.
    public func refusedFixes(of userID: UserID) -> [RefusedFix] { machine.refusedFixes(of: userID) }

    /// Of whom a user may learn nothing live.
    public func hidden(from userID: UserID) -> Set<UserID> { machine.hidden(from: userID) }

    /// Where the promise stands now.
    var status: PromiseStatus { machine.promise.status(at: context.clock.now) }

    /// How many commits were asked for so far, for tests that must know that a request got that far.
    package var issuedCommits: Int { commits.issued }

    /// Whether all that the machine knows is durable.
    var isSettled: Bool { commits.isSettled }

    /// The clock reached the instant asked for.
    ///
    /// - Parameter begun: what is left of it, when ``begin(_:)`` was called already.
    func wake(completing begun: SessionStep? = nil) async {
        let retryAt = context.clock.now + context.settings.idleFor
        do throws(EngineError) {
            _ = if let begun { try await complete(begun) } else { try await perform(.wake) }
            if let next = nextWake { await context.scheduler.schedule(id, at: next) }
        } catch .retired {
            // Nothing to wake; the registry has let go of it.
        } catch {
            // A promise must not stay undecided because the disk was full for a moment.
            context.log.error("Session could not work off its clock", metadata: ["promise": "\(id)"])
            await context.scheduler.schedule(id, at: retryAt)
        }
    }

    /// When to be woken after a wake. Always asked for anew, for that wake may have come before the one that the machine
    /// waits for. One that is due and was not worked off waits for a recall, whose end works it off.
    private var nextWake: Instant? {
        let now = context.clock.now
        let retryAt = machine.nextRecallAt.flatMap { $0 > now ? $0 : nil } ?? now + context.settings.idleFor
        return machine.nextWake().map { $0 > now ? $0 : retryAt }
    }

    /// Lets go of the session when nobody needs it: no subscriber, nothing under way, outside its live span.
    ///
    /// - Returns: whether it is retired now.
    func retireIfIdle() -> Bool {
        let now = context.clock.now
        let isAsleep = machine.isOver || now < machine.promise.opensAt - context.settings.aliveBefore
        guard isAsleep, audience.isEmpty, life.underWay == 0, commits.isIdle, life.phase != .restoring,
            now - life.lastUsedAt >= context.settings.idleFor
        else { return life.phase == .retired }
        life.phase = .retired
        return true
    }

    // MARK: - Effects

    /// Performs effects, and waits until all that they rest on is durable.
    func carryOut(_ effects: [SessionEffect]) async throws(EngineError) {
        try await finish(absorb(effects))
    }

    /// Performs effects in order, and finds what is left to be done. Nothing is awaited before the whole list is worked into
    /// the state, so that another event that comes in meanwhile cannot overtake it. What is told rests on what the machine
    /// knows, so it waits until all of that is durable.
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
            case .reply(let answer):
                rest.reply = answer
                if case .reported(let receipt) = answer, receipt.showsMovedClock { context.metrics.clockMoved() }
            }
        }
        if hasCommit || !rest.news.isEmpty { rest.ticket = commits.issued }
        if let completesCollection { collect(isComplete: completesCollection, with: &rest) }
        return rest
    }

    /// Whether all that a step rests on is durable. Most reports rest on nothing that is not.
    private func isDurable(_ rest: SessionStep.Rest) -> Bool { rest.ticket == 0 || rest.ticket <= commits.committed }

    /// Waits for what a step rests on, and does what is left of it.
    private func finish(_ rest: SessionStep.Rest) async throws(EngineError) {
        // What it rests on may have been given up before this was called.
        if let failures = rest.failures, failures != commits.failures { throw .unavailable }
        if !isDurable(rest) { try await settle(rest.ticket) }
        for event in rest.news { tell(event) }
        await endViewingWhenOver()
        if rest.isEnding { await index.note(self, []) }
        if let wake = rest.wake { await context.scheduler.schedule(id, at: wake) }
        for recall in rest.recalls { try await carryOut(recall) }
    }

    private func carryOut(_ recall: Recall) async throws(EngineError) {
        let fixes: [SettledFix]
        do {
            fixes = try await context.archive.recall(recall.userID, recall.device, of: id)
        } catch {
            fail(error)
            throw .unavailable
        }
        let judged = await PromiseSession.judge(fixes, for: recall)
        guard life.phase == .running else { throw .unavailable }
        // What was reported meanwhile is in the machine already, and stays.
        try await carryOut(machine.receive(.recalled(recall, judged), at: context.clock.now))
    }

    /// Away from the session's thread, which serves others, too.
    @concurrent private static func judge(_ fixes: [SettledFix], for recall: Recall) async -> JudgedTrack {
        recall.judge(fixes)
    }

    /// Positions go out when everybody has reported who is expected to in this slot; else a fixed time after the first.
    private func collect(isComplete: Bool, with rest: inout SessionStep.Rest) {
        // Once for each collection is enough: whatever is told until it is over belongs to the slot it began in.
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

    /// Waits until the commits up to `ticket` are durable, writing them itself when nobody does. Only while what asked for
    /// them has not been given up.
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
        // As it stands with all that is being written and nothing that is asked for later.
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

    /// Gives the running state up: it is ahead of the archive. The next use starts from what is durable. What was
    /// asked for and is not being written already goes with it, for it builds on what failed.
    private func fail(_ error: ArchiveError) {
        context.log.error("Archive refused a session", metadata: ["promise": "\(id)", "error": "\(error)"])
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
        if !audience.viewers.isEmpty { await noteViewerCount() }
    }
}
