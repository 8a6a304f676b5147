package import Logging
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
package import PromisedStore

/// The engine's archive in the store: durable commits, and fixes written behind.
///
/// ```
/// keep ─▶ buffer ─── every few seconds ──▶ store
///            └── with the promise's next commit ──▶ store
/// ```
package final class StoreArchive: PromiseArchive {
    private let store:
        (
            accounts: AccountStore, fixes: FixStore, friendships: FriendshipStore, promises: PromiseStore,
            sessions: SessionStore
        )
    private let buffer: FixBuffer
    private let cards: UserCardCache
    private let fixLimits: FixLimits
    private let passengers: [CommitPassenger]

    /// Creates an archive that writes fixes at most `interval` of real time after they arrived.
    ///
    /// - Parameters:
    ///   - clock: measures `interval`; the real one outside simulations.
    ///   - passengers: go with each commit.
    package init(
        store: some HasAccounts & HasFixes & HasFriendships & HasPromises & HasSessions,
        cards: UserCardCache,
        interval: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        fixLimits: FixLimits,
        passengers: [CommitPassenger] = [.visits(.inUTC)],
        log: Logger
    ) {
        self.store = (store.accounts, store.fixes, store.friendships, store.promises, store.sessions)
        self.fixLimits = fixLimits
        self.passengers = passengers
        self.cards = cards
        buffer = FixBuffer(
            store: store,
            interval: interval,
            clock: clock,
            onFailure: { [reported = Guarded<ContinuousClock.Instant?>(nil)] error, kept in
                // Writes are retried continuously; one log entry in ten seconds is enough.
                let isNews = reported.withLock { last in
                    if let known = last, ContinuousClock.now - known < .seconds(10) { return false }
                    last = .now
                    return true
                }
                guard isNews else { return }
                log.error("Positions could not be written", metadata: ["error": "\(error)", "waiting": "\(kept)"])
            }
        )
    }

    /// Writes fixes behind until the task is cancelled, then once more.
    package func run() async { await buffer.run() }

    /// Writes all pending fixes. Returns `true` if none is pending now.
    package func flush() async -> Bool { await buffer.flush() }

    /// Writes the pending fixes of a promise. Returns `true` if none of them is pending now.
    package func flush(_ id: PromiseID) async -> Bool { await buffer.flush(id) }

    package func keep(_ fixes: [ArchivedFix], of id: PromiseID) { buffer.add(fixes, to: id) }

    package func look(at id: PromiseID) async throws(ArchiveError) -> SessionSnapshot? {
        try await fromStore { () async throws(StoreError) in try await store.sessions.snapshot(of: id, withFixes: false)
        }
    }

    package func activate(_ id: PromiseID) async throws(ArchiveError) -> Activation? {
        guard await buffer.flush(id) else { throw .unavailable("positions wait to be written") }
        do throws(StoreError) {
            let epoch = try await store.sessions.activate(id)
            guard let snapshot = try await snapshot(of: id) else { return nil }
            let people = try await store.accounts.cards(of: snapshot.participants.map(\.userID))
            cards.pin(people.values, for: id)
            return Activation(snapshot: snapshot, ownerEpoch: epoch)
        } catch .unknownPromise {
            return nil
        } catch {
            throw ArchiveError(error)
        }
    }

    package func commit(_ commit: SessionCommit, ownerEpoch: Int) async throws(ArchiveError) {
        let fixes = await buffer.take(commit.promiseID)
        var whole = commit
        whole.fixes += fixes
        do throws(StoreError) {
            try await store.sessions.commit(whole, ownerEpoch: ownerEpoch, with: passengers)
            buffer.written(commit.promiseID)
        } catch {
            buffer.putBack(fixes, to: commit.promiseID)
            throw ArchiveError(error)
        }
    }

    @concurrent package func judge(_ recall: Recall, of id: PromiseID) async throws(ArchiveError) -> JudgedTrack {
        let source = FixSource(
            promiseID: id,
            userID: recall.userID,
            device: recall.device,
            receivedFrom: recall.countsFrom
        )
        return try await fromStore { () async throws(StoreError) in
            try await buffer.fold(source, into: recall.judgement()) { $0.take($1) }.end()
        }
    }

    package func events(of id: PromiseID, after seq: Int, limit: Int) async throws(ArchiveError) -> [NumberedEvent] {
        try await fromStore { () async throws(StoreError) in
            try await store.promises.events(of: id, after: seq, limit: limit)
        }
    }

    package func blocks(among users: [UserID]) async throws(ArchiveError) -> Set<UserPair> {
        try await fromStore { () async throws(StoreError) in try await store.friendships.blocks(among: Set(users)) }
    }

    /// All fixes of a participant, stored and pending, in any order and with repeats. Writes nothing.
    package func fixes(of userID: UserID, in id: PromiseID) async throws(StoreError) -> [ArchivedFix] {
        // In this order: a fix that becomes durable in between is found twice, not missed.
        let waiting = buffer.pending(id).filter { $0.userID == userID }
        return try await store.fixes.fixes(of: userID, in: id) + waiting
    }

    /// A page of the stored fixes of a promise. Writes the pending ones first: only a stored fix has a place on a page.
    package func positions(
        in id: PromiseID,
        after cursor: FixCursor?,
        limit: Int
    ) async throws(StoreError) -> Page<ArchivedFix, FixCursor> {
        _ = await buffer.flush(id)
        return try await store.fixes.positions(of: id, after: cursor, limit: limit)
    }

    package func release(_ id: PromiseID) { cards.release(id) }

    package func dueSessions(openingBy horizon: Instant) async throws(ArchiveError) -> [PromiseID] {
        try await fromStore { () async throws(StoreError) in try await store.sessions.dueSessions(before: horizon) }
    }

    package func nextOpening(after horizon: Instant) async throws(ArchiveError) -> Instant? {
        try await fromStore { () async throws(StoreError) in try await store.sessions.nextOpening(after: horizon) }
    }

    private func fromStore<Value>(_ read: () async throws(StoreError) -> Value) async throws(ArchiveError) -> Value {
        do throws(StoreError) {
            return try await read()
        } catch {
            throw ArchiveError(error)
        }
    }

    /// Reads positions only while they can still affect the result.
    private func snapshot(of id: PromiseID) async throws(StoreError) -> SessionSnapshot? {
        guard var snapshot = try await store.sessions.snapshot(of: id, withFixes: false) else { return nil }
        let isOver = snapshot.mark == .final || snapshot.promise.cancelledAt != nil
        if !isOver { snapshot.kept = try await store.sessions.keptFixes(of: snapshot, limits: fixLimits) }
        return snapshot
    }
}

extension ArchiveError {
    fileprivate init(_ error: StoreError) { self = error == .fenced ? .fenced : .unavailable("\(error)") }
}
