internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine

/// An archive in memory with optional failures; stores what a real one preserves through a crash.
package final class MemoryArchive: PromiseArchive {
    fileprivate struct Kept: Sendable {
        var snapshot: SessionSnapshot
        var ownerEpoch = 0
        var events: [NumberedEvent] = []
        var waiting: [ArchivedFix] = []
    }

    private struct State: Sendable {
        var promises: [PromiseID: Kept] = [:]
        var blocks: Set<UserPair> = []
        var failures = 0
        var lookFailures = 0
        var commits = 0
        var activations = 0
        var released: [PromiseID] = []
        var isClosed = false
        var holdsNextLook = false
        var heldLooks = 0
        var reads = 0
        var readFailures = 0
        var holdsNextRead = false

        func blocks(among participants: [Participant]) -> Set<UserPair> {
            let people = Set(participants.map(\.userID))
            return blocks.filter { people.contains($0.first) && people.contains($0.second) }
        }
    }

    private let state = Guarded(State())
    private let openings = Signals<Void>()

    package init() {}

    /// Adds a promise as if it had been created.
    package func insert(_ snapshot: SessionSnapshot, events: [NumberedEvent] = []) {
        state.withLock { $0.promises[snapshot.promise.id] = Kept(snapshot: snapshot, events: events) }
    }

    /// Makes the next `count` queries of due sessions fail.
    package func failNextLooks(_ count: Int) {
        state.withLock { $0.lookFailures = count }
    }

    /// Makes the next `count` commits fail.
    package func failNextCommits(_ count: Int) {
        state.withLock { $0.failures = count }
    }

    /// Drops fixes that were not part of a commit yet, as a crash does.
    package func loseWaitingFixes() {
        state.withLock { state in
            for id in state.promises.keys { state.promises[id]?.waiting = [] }
        }
    }

    package var commitCount: Int { state.withLock { $0.commits } }

    /// How often a promise was acquired.
    package var activationCount: Int { state.withLock { $0.activations } }

    /// The durable events of a promise, in order.
    package func events(of id: PromiseID) -> [NumberedEvent] { state.withLock { $0.promises[id]?.events ?? [] } }

    /// The stored promise.
    package func snapshot(of id: PromiseID) -> SessionSnapshot? { state.withLock { $0.promises[id]?.snapshot } }

    /// The released promises, in order.
    package var released: [PromiseID] { state.withLock { $0.released } }

    /// Blocks commits until ``openGate()``, or until the waiting task is cancelled.
    package func closeGate() {
        state.withLock { $0.isClosed = true }
    }

    /// Unblocks commits.
    package func openGate() {
        state.withLock { $0.isClosed = false }
        openings.note(())
    }

    /// Blocks the next query of blocks until ``openGate()``; it then returns its earlier result.
    package func holdNextBlocks() {
        state.withLock { ($0.isClosed, $0.holdsNextLook) = (true, true) }
    }

    /// Blocks the next read of a promise until ``openGate()``; it then returns its earlier result.
    package func holdNextRead() {
        state.withLock { ($0.isClosed, $0.holdsNextRead) = (true, true) }
    }

    /// Makes the next `count` reads of promises fail.
    package func failNextReads(_ count: Int) {
        state.withLock { $0.readFailures = count }
    }

    /// How often a promise was read without acquiring it.
    package var readCount: Int { state.withLock { $0.reads } }

    /// The number of blocked queries of blocks.
    package var heldLooks: Int { state.withLock { $0.heldLooks } }

    // MARK: - PromiseArchive

    package func activate(_ id: PromiseID) async throws(ArchiveError) -> Activation? {
        state.withLock { state in
            guard var kept = state.promises[id] else { return nil }
            kept.ownerEpoch += 1
            state.activations += 1
            kept.snapshot.fixes += kept.waiting
            kept.waiting = []
            state.promises[id] = kept
            var snapshot = kept.snapshot
            snapshot.blocks = state.blocks(among: kept.snapshot.participants)
            return Activation(snapshot: snapshot, ownerEpoch: kept.ownerEpoch)
        }
    }

    /// Reads a stored promise, without its fixes; a blocked read returns its earlier result.
    package func look(at id: PromiseID) async throws(ArchiveError) -> SessionSnapshot? {
        let (snapshot, isHeld, fails) = state.withLock { state in
            state.reads += 1
            defer { (state.holdsNextRead, state.readFailures) = (false, max(0, state.readFailures - 1)) }
            let found = (state.promises[id]?.snapshot).map { kept in
                var snapshot = kept
                snapshot.fixes = []
                snapshot.blocks = state.blocks(among: kept.participants)
                return snapshot
            }
            return (found, state.holdsNextRead, state.readFailures > 0)
        }
        if isHeld { await passGate() }
        if fails { throw .unavailable("told to fail") }
        return snapshot
    }

    /// Applies a commit, unless it is set to fail.
    package func commit(_ commit: SessionCommit, ownerEpoch: Int) async throws(ArchiveError) {
        await passGate()
        let error: ArchiveError? = state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                return .unavailable("told to fail")
            }
            guard var kept = state.promises[commit.promiseID] else { return .unavailable("the promise does not exist") }
            guard kept.ownerEpoch == ownerEpoch else { return .fenced }
            state.commits += 1
            kept.apply(commit)
            state.promises[commit.promiseID] = kept
            return nil
        }
        if let error { throw error }
    }

    /// Stores fixes for the next commit or activation.
    package func keep(_ fixes: [ArchivedFix], of id: PromiseID) { state.withLock { $0.promises[id]?.waiting += fixes } }

    /// Judges all fixes of a device.
    package func judge(_ recall: Recall, of id: PromiseID) async throws(ArchiveError) -> JudgedTrack {
        let fixes: [SettledFix] = state.withLock { state in
            guard let kept = state.promises[id] else { return [] }
            let all = kept.snapshot.fixes + kept.waiting
            return all.filter { $0.userID == recall.userID && $0.device == recall.device }.map(\.fix)
        }
        return recall.judge(fixes)
    }

    package func events(of id: PromiseID, after seq: Int, limit: Int) async throws(ArchiveError) -> [NumberedEvent] {
        Array(events(of: id).lazy.filter { $0.seq > seq }.prefix(limit))
    }

    /// The blocks between these users, as set.
    package func blocks(among users: [UserID]) async throws(ArchiveError) -> Set<UserPair> {
        let (blocks, isHeld) = state.withLock { state in
            defer { state.holdsNextLook = false }
            if state.holdsNextLook { state.heldLooks += 1 }
            return (state.blocks.filter { users.contains($0.first) && users.contains($0.second) }, state.holdsNextLook)
        }
        if isHeld { await passGate() }
        return blocks
    }

    /// Sets the pairs of users with a block.
    package func setBlocks(_ pairs: Set<UserPair>) {
        state.withLock { $0.blocks = pairs }
    }

    /// Deletes durable events up to a number, as the end of their retention does.
    package func forgetEvents(of id: PromiseID, upTo seq: Int) {
        state.withLock { $0.promises[id]?.events.removeAll { $0.seq <= seq } }
    }

    /// Records the release of a session.
    package func release(_ id: PromiseID) { state.withLock { $0.released.append(id) } }

    /// Promises that are not over and open by `horizon`.
    package func dueSessions(openingBy horizon: Instant) async throws(ArchiveError) -> [PromiseID] {
        let fails = state.withLock { state in
            defer { state.lookFailures = max(0, state.lookFailures - 1) }
            return state.lookFailures > 0
        }
        if fails { throw .unavailable("told to fail") }
        return state.withLock { state in
            state.promises.values.map(\.snapshot)
                .filter { $0.isOpen && $0.promise.opensAt <= horizon }
                .map(\.promise.id)
                .sorted()
        }
    }

    package func nextOpening(after horizon: Instant) async throws(ArchiveError) -> Instant? {
        state.withLock { state in
            state.promises.values.map(\.snapshot)
                .filter { $0.isOpen && $0.promise.opensAt > horizon }
                .map(\.promise.opensAt)
                .min()
        }
    }

    private func passGate() async {
        let openedBefore = openings.all.count
        if state.withLock({ $0.isClosed }) { await openings.wait { $0.count > openedBefore } }
    }
}

extension MemoryArchive.Kept {
    mutating func apply(_ commit: SessionCommit) {
        snapshot.promise = commit.promise ?? snapshot.promise
        snapshot.mark = commit.mark ?? snapshot.mark
        snapshot.result = commit.result ?? snapshot.result
        switch commit.viewLink {
        case .made(let link): snapshot.viewLink = link
        case .revoked: snapshot.viewLink = nil
        case nil: break
        }
        snapshot.nudges += commit.nudges
        for participant in commit.participants {
            if let index = snapshot.participants.firstIndex(where: { $0.userID == participant.userID }) {
                snapshot.participants[index] = participant
            } else {
                snapshot.participants.append(participant)
            }
        }
        snapshot.arrivals.merge(commit.arrivals) { $1 }
        for userID in commit.retracted { snapshot.arrivals[userID] = nil }
        snapshot.together = commit.together.apply(to: snapshot.together)
        for event in commit.events {
            precondition(event.seq == snapshot.lastSeq + 1, "A gap in the numbers of events")
            snapshot.lastSeq = event.seq
        }
        events += commit.events
        snapshot.fixes += commit.fixes + waiting
        waiting = []
    }
}

extension SessionSnapshot {
    fileprivate var isOpen: Bool { mark != .final && promise.cancelledAt == nil }
}
