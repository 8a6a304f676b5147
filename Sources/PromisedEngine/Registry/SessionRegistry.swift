internal import Logging
package import PromisedDomain

/// The live sessions, at most one per promise.
package actor SessionRegistry: SessionIndex, ScheduledSessions {
    private var sessions: [PromiseID: PromiseSession] = [:]
    private var loading: [PromiseID: [CheckedContinuation<Void, Never>]] = [:]
    private var memberships: [PromiseID: Set<UserID>] = [:]
    /// Each user's promises in memory, including those being restored; usually one, hence no set.
    private var promises: [UserID: [PromiseID]] = [:]
    /// The promises in memory that are over.
    private var over: Set<PromiseID> = []
    private let context: EngineContext
    /// The slots that fit the number of sessions per lane.
    private var grid = ReportingGrid.coarsest
    private var isFittingGrid = false
    /// `true` once all sessions that should be live were restored after the start.
    package private(set) var isComplete = false

    init(_ context: EngineContext) { self.context = context }

    /// The session of a promise, restored if it is not live. Throws `notFound`, `unavailable`.
    package func session(of id: PromiseID) async throws(EngineError) -> PromiseSession {
        while true {
            if let session = sessions[id] { return session }
            guard loading[id] != nil else { return try await load(id) }
            await loaded(id)
        }
    }

    /// Runs `body` on the session of a promise, and retries with a new session if that one was just released.
    ///
    /// - Throws: the errors of `body`, `notFound`, `unavailable`.
    package func withSession<Value: Sendable>(
        of id: PromiseID,
        _ body: @Sendable (PromiseSession) async throws(EngineError) -> Value
    ) async throws(EngineError) -> Value {
        while true {
            let session = try await session(of: id)
            do throws(EngineError) {
                return try await body(session)
            } catch .retired {
                await remove(session)
            }
        }
    }

    /// The current durable state of a promise: from its live session, otherwise from the archive. Activates the promise
    /// only if it is due, because its clock may be ahead of the archive.
    ///
    /// - Parameter viewer: the user who will see it; nil for everything.
    /// - Throws: `notFound`, `unavailable`.
    package func view(of id: PromiseID, for viewer: UserID? = nil) async throws(EngineError) -> SessionView {
        while true {
            await loaded(id)
            if let session = sessions[id] {
                do throws(EngineError) {
                    return try await session.view(for: viewer)
                } catch .retired {
                    await remove(session)
                }
            } else if let view = try await viewWithoutSession(of: id, for: viewer) {
                return view
            }
        }
    }

    /// The archive's state of a promise; nil if it has a session by now.
    private func viewWithoutSession(
        of id: PromiseID,
        for viewer: UserID?
    ) async throws(EngineError) -> SessionView? {
        let begun = context.clock.now
        let view = try await context.storedView(of: id, for: viewer)
        // A session created meanwhile may have announced more than was read.
        guard sessions[id] == nil, loading[id] == nil else { return nil }
        // A session created and released meanwhile would have been idle for that long.
        let isRecent = context.clock.now - begun < context.settings.idleFor
        if isRecent, let view { return view }
        _ = try await session(of: id)
        return nil
    }

    /// Makes the live sessions that two users share read the blocks again.
    package func refreshBlocks(between one: UserID, and other: UserID) async {
        // A session that is being loaded may have read the blocks before.
        for id in loading.keys.sorted() { await loaded(id) }
        let shared = Set(promises[one] ?? []).intersection(promises[other] ?? [])
        for session in shared.sorted().compactMap({ sessions[$0] }) {
            do throws(EngineError) {
                try await session.refreshBlocks()
            } catch .retired {
                // The next restoration reads the blocks again.
            } catch {
                context.log.error("Blocks could not be read", metadata: ["promise": "\(session.id)"])
            }
        }
    }

    /// Removes deleted courses from the live sessions that use them. Sessions restored later read the archive, which no
    /// longer has them.
    package func forget(_ courses: [PromiseID: CourseID]) async {
        for (id, course) in courses { await tell(.courseDeleted(course), to: id) }
    }

    /// Clears the texts and places of promises that the archive has just emptied from live sessions.
    package func forgetTexts(of promises: [PromiseID]) async {
        for id in promises { await tell(.emptied, to: id) }
    }

    /// Notifies a live session of a change of the archive.
    private func tell(_ event: SessionEvent, to id: PromiseID) async {
        // A session that is being loaded may have been read before the change.
        await loaded(id)
        guard let session = sessions[id] else { return }
        do throws(EngineError) {
            _ = try await session.perform(event)
        } catch {
            // The session does not run, so its next use restores it from the archive.
        }
    }

    /// The live sessions in which a user is an accepted participant, by id; without those whose promises are over.
    package func sessions(of userID: UserID) -> [PromiseSession] {
        (promises[userID] ?? []).filter { !over.contains($0) }.sorted().compactMap { sessions[$0] }
    }

    /// Feeds an event to all live sessions of a user, and waits until its effects are durable. Passes each answer to
    /// `take`, by lane and then by id; returns the final state.
    ///
    /// - Parameter most: the most sessions that process the event without suspension: their executor has other work,
    ///   too.
    package func fold<State: Sendable>(
        _ event: SessionEvent,
        toAllOf userID: UserID,
        upTo most: Int,
        into state: State,
        _ take: @Sendable (inout State, Result<SessionReply, EngineError>) -> Void
    ) async -> State {
        var state = state
        for visit in context.lanes.visits(to: sessions(of: userID), upTo: max(1, min(most, SessionLanes.visitLimit))) {
            let begun = await visit.lane.visit(visit.sessions) { $0.begin(event) }
            for answer in await SessionRegistry.answers(of: begun, to: event) { take(&state, answer) }
        }
        return state
    }

    /// Completes the steps that sessions have begun, all concurrently, so that they share commits. Starts sessions that
    /// are not running first.
    private static func answers(
        of begun: [(session: PromiseSession, found: SessionStep?)],
        to event: SessionEvent
    ) async -> [Result<SessionReply, EngineError>] {
        await withTaskGroup(of: (place: Int, answer: Result<SessionReply, EngineError>).self) { group in
            var answers: [Result<SessionReply, EngineError>?] = []
            for (place, look) in begun.enumerated() {
                if case .complete(let reply, _) = look.found {
                    answers.append(Result { () throws(EngineError) in try reply.accepted })
                    continue
                }
                answers.append(nil)
                // `answer` cannot throw (decision 0050).
                group.addTask { (place, await answer(of: look.session, with: look.found, to: event)) }
            }
            for await (place, answer) in group { answers[place] = answer }
            return answers.compactMap { $0 }
        }
    }

    /// The answer of a session that has begun a step, or that is not running.
    private static func answer(
        of session: PromiseSession,
        with step: SessionStep?,
        to event: SessionEvent
    ) async -> Result<SessionReply, EngineError> {
        do throws(EngineError) {
            guard let step else { return .success(try await session.perform(event)) }
            return .success(try await session.complete(step))
        } catch {
            return .failure(error)
        }
    }

    /// The session of a promise, if it is live.
    package func liveSession(of id: PromiseID) -> PromiseSession? { sessions[id] }

    /// `true` if a user is an accepted participant of a live session.
    package func isLive(_ id: PromiseID, for userID: UserID) -> Bool {
        sessions[id] != nil && !over.contains(id) && memberships[id]?.contains(userID) == true
    }

    /// All live sessions with the meeting times of their promises, in no order.
    package func meetings() async -> [(session: PromiseSession, meetsAt: Instant)] {
        await context.lanes.visit(sessions.values) { $0.meetsAt }.map { (session: $0.session, meetsAt: $0.found) }
    }

    package var count: Int { sessions.count }

    func census() async -> [PromiseStatus: Int] {
        let statuses = await context.lanes.visit(sessions.values) { $0.status }
        return Dictionary(statuses.map { ($0.found, 1) }, uniquingKeysWith: +)
    }

    /// Records the current participants of a session.
    func note(_ session: PromiseSession, _ members: SessionMembers) {
        guard sessions[session.id] === session else { return }
        index(session.id, members)
    }

    /// Records that all sessions that should be live are. Returns `true` the first time.
    func noteComplete() -> Bool {
        defer { isComplete = true }
        return !isComplete
    }

    /// Restores promises, a few at a time, to bound the archive's load.
    func restore(_ ids: [PromiseID]) async {
        let missing = ids.filter { sessions[$0] == nil }
        await withTaskGroup { group in
            var next = missing.makeIterator()
            for _ in 0..<64 {
                guard let id = next.next() else { break }
                group.addTask { await self.wake(id) }
            }
            while await group.next() != nil {
                if let id = next.next() { group.addTask { await self.wake(id) } }
            }
        }
    }

    /// Wakes due sessions: live ones of a lane together, unless one must wait.
    func wake(_ ids: [PromiseID]) async {
        let live = ids.compactMap { sessions[$0] }
        let others = ids.filter { sessions[$0] == nil }
        await withDiscardingTaskGroup { group in
            for id in others { group.addTask { await self.wake(id) } }
            // A wait on one thread delays no other.
            for visit in context.lanes.visits(to: live) { group.addTask { await self.wake(visit) } }
        }
    }

    private func wake(_ visit: SessionLanes.Visit<PromiseSession>) async {
        let begun = await visit.lane.visit(visit.sessions) { $0.begin(.wake) }
        let next = begun.compactMap { look in
            if case .complete(_, let next?) = look.found {
                SessionWake(id: look.session.id, instant: next)
            } else {
                nil
            }
        }
        await context.scheduler.schedule(next)
        await withDiscardingTaskGroup { group in
            for look in begun {
                switch look.found {
                case .complete: break
                case .pending(let rest): group.addTask { await look.session.wake(completing: .pending(rest)) }
                // A session that is not running is started first.
                case nil: group.addTask { await self.wake(look.session.id) }
                }
            }
        }
    }

    /// Restores a promise and handles what its clock has made due.
    func wake(_ id: PromiseID) async {
        do throws(EngineError) {
            try await withSession(of: id) { session throws(EngineError) in await session.wake() }
        } catch {
            context.log.error("Session could not be woken", metadata: ["promise": "\(id)", "error": "\(error)"])
            if error == .unavailable {
                await context.scheduler.schedule(id, at: context.clock.now + context.settings.idleFor)
            }
        }
    }

    func retireIdle() async {
        let looks = await context.lanes.visit(sessions.values) { $0.retireIfIdle() }
        for look in looks where look.found { await remove(look.session) }
    }

    /// Waits for the load of a promise that is in progress, if there is one.
    private func loaded(_ id: PromiseID) async {
        guard loading[id] != nil else { return }
        await withCheckedContinuation { loading[id]?.append($0) }
    }

    private func load(_ id: PromiseID) async throws(EngineError) -> PromiseSession {
        loading[id] = []
        defer {
            for waiter in loading.removeValue(forKey: id) ?? [] { waiter.resume() }
        }
        let activation: Activation?
        do {
            activation = try await context.archive.activate(id)
        } catch {
            context.log.error("Archive could not be read", metadata: ["promise": "\(id)", "error": "\(error)"])
            throw .unavailable
        }
        guard let activation else { throw .notFound }
        let accepted = activation.snapshot.participants.filter { $0.membership == .accepted }.map(\.userID)
        let lane = context.lanes.lane(of: id, hasHeavyUser: hasHeavyUser(among: accepted))
        // Sessions that are loading count for heavy users, too.
        index(id, SessionMembers(users: accepted))
        let session = PromiseSession(activation, on: lane, context: context, index: self)
        // Handles what is overdue before its first use.
        await session.wake()
        let members = await session.members()
        sessions[id] = session
        index(id, members)
        await fitGrid()
        return session
    }

    /// `true` if any of these users is a heavy user.
    private func hasHeavyUser(among people: [UserID]) -> Bool {
        let limit = context.settings.heavyUserPromises
        return people.contains { promises[$0, default: []].count { !over.contains($0) } >= limit }
    }

    private func remove(_ session: PromiseSession) async {
        guard sessions[session.id] === session else { return }
        sessions[session.id] = nil
        index(session.id, SessionMembers(users: []))
        context.archive.release(session.id)
        await context.scheduler.forget(session.id)
        await fitGrid()
    }

    /// Fits the slots to the number of sessions; one change at a time, so that every lane ends with the latest.
    private func fitGrid() async {
        guard !isFittingGrid else { return }
        let lanes = context.lanes
        isFittingGrid = true
        defer { isFittingGrid = false }
        while case let fitting = grid.fitting(sessions.count / lanes.count), fitting != grid {
            grid = fitting
            await lanes.follow(fitting)
        }
    }

    private func index(_ id: PromiseID, _ noted: SessionMembers) {
        if noted.isOver { over.insert(id) } else { over.remove(id) }
        let members = Set(noted.users)
        for userID in memberships[id] ?? [] where !members.contains(userID) {
            promises[userID]?.removeAll { $0 == id }
            if promises[userID]?.isEmpty == true { promises[userID] = nil }
        }
        for userID in members where promises[userID]?.contains(id) != true { promises[userID, default: []].append(id) }
        memberships[id] = members.isEmpty ? nil : members
    }
}
