package import PromisedDomain

/// The durable storage of promises. Implemented outside the engine.
package protocol PromiseArchive: Sendable {
    /// Takes a promise over and reads all stored data, including its fixes that wait to be written. Returns the stored
    /// data and the owner epoch that this activation made current; nil for an unknown promise.
    func activate(_ id: PromiseID) async throws(ArchiveError) -> Activation?

    /// Reads the stored data of a promise without its fixes, and takes nothing over. Returns nil for an unknown promise.
    func look(at id: PromiseID) async throws(ArchiveError) -> SessionSnapshot?

    /// Makes a commit durable, together with all fixes of the promise that wait to be written.
    ///
    /// Returns when it would survive a power cut. Commits of one promise are asked for one after the other.
    func commit(_ commit: SessionCommit, ownerEpoch: Int) async throws(ArchiveError)

    /// Queues fixes for writing; never waits.
    func keep(_ fixes: [ArchivedFix], of id: PromiseID)

    /// Judges all stored fixes of a participant's device, including those that wait to be written; not on the thread of
    /// the session, which serves others, too.
    func judge(_ recall: Recall, of id: PromiseID) async throws(ArchiveError) -> JudgedTrack

    /// The durable events of a promise numbered above `seq`, ascending, at most `limit`, and fewer where many would be
    /// too large, but none only if none follows; deleted ones are missing at the beginning.
    func events(of id: PromiseID, after seq: Int, limit: Int) async throws(ArchiveError) -> [NumberedEvent]

    /// The pairs of these users with a block.
    func blocks(among users: [UserID]) async throws(ArchiveError) -> Set<UserPair>

    /// The session of this promise was released: its cached data may be dropped.
    func release(_ id: PromiseID)

    /// Promises that are neither over nor cancelled and whose window opens at or before `horizon`.
    func dueSessions(openingBy horizon: Instant) async throws(ArchiveError) -> [PromiseID]

    /// When the next window after `horizon` opens, among promises that are not cancelled; nil if there is none.
    func nextOpening(after horizon: Instant) async throws(ArchiveError) -> Instant?
}

/// A promise taken over from the archive.
package struct Activation: Sendable {
    /// Its stored data.
    package var snapshot: SessionSnapshot
    /// The epoch that durable writes must name to be accepted.
    package var ownerEpoch: Int

    /// A promise under an owner epoch.
    package init(snapshot: SessionSnapshot, ownerEpoch: Int) {
        self.snapshot = snapshot
        self.ownerEpoch = ownerEpoch
    }
}

/// Why the engine could not do what was asked.
package enum EngineError: Error, Hashable, Sendable {
    /// There is no such promise.
    case notFound
    /// The rules refuse it.
    case refused(Refusal)
    /// The archive could not be read or written; nothing has changed.
    case unavailable
    /// This session was released during the call; ``SessionRegistry`` then calls the present one, so callers that go
    /// through the registry never see this.
    case retired
}

/// Why the archive failed.
package enum ArchiveError: Error, Hashable, Sendable {
    /// It could not be read or written; a reason for the log, without coordinates or names.
    case unavailable(String)
    /// Another owner has taken the promise over.
    case fenced
}
