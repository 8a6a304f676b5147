package import PromisedDomain

/// The durable storage of promises. Implemented outside the engine.
package protocol PromiseArchive: Sendable {
    /// Acquires a promise and reads all stored data, including its pending fixes. Returns the stored data and the owner
    /// epoch that this activation made current; nil for an unknown promise.
    func activate(_ id: PromiseID) async throws(ArchiveError) -> Activation?

    /// Reads the stored data of a promise without its fixes; does not acquire it. Returns nil for an unknown promise.
    func look(at id: PromiseID) async throws(ArchiveError) -> SessionSnapshot?

    /// Makes a commit durable, together with all pending fixes of the promise.
    ///
    /// Returns when the commit would survive a power cut. Commits of one promise are requested one after the other.
    func commit(_ commit: SessionCommit, ownerEpoch: Int) async throws(ArchiveError)

    /// Queues fixes for writing; never waits.
    func keep(_ fixes: [ArchivedFix], of id: PromiseID)

    /// Judges all fixes of a participant's device, stored and pending; off the session's thread, which serves other
    /// sessions, too.
    func judge(_ recall: Recall, of id: PromiseID) async throws(ArchiveError) -> JudgedTrack

    /// The durable events of a promise numbered above `seq`, ascending, at most `limit`. Returns fewer if they would be
    /// too large, but at least one unless none follows; deleted events are missing at the beginning.
    func events(of id: PromiseID, after seq: Int, limit: Int) async throws(ArchiveError) -> [NumberedEvent]

    func blocks(among users: [UserID]) async throws(ArchiveError) -> Set<UserPair>

    /// Called after the session of a promise was released: its cached data may be dropped.
    func release(_ id: PromiseID)

    /// Promises that are neither over nor cancelled and whose window opens at or before `horizon`.
    func dueSessions(openingBy horizon: Instant) async throws(ArchiveError) -> [PromiseID]

    /// When the next window after `horizon` opens, among promises that are not cancelled; nil if there is none.
    func nextOpening(after horizon: Instant) async throws(ArchiveError) -> Instant?
}

package struct Activation: Sendable {
    package var snapshot: SessionSnapshot
    /// The epoch that durable writes must name; others are rejected.
    package var ownerEpoch: Int

    package init(snapshot: SessionSnapshot, ownerEpoch: Int) {
        self.snapshot = snapshot
        self.ownerEpoch = ownerEpoch
    }
}

/// The reason that an engine call failed.
package enum EngineError: Error, Hashable, Sendable {
    /// The promise is unknown.
    case notFound
    /// The rules refuse the event.
    case refused(Refusal)
    /// The archive could not be read or written; nothing has changed.
    case unavailable
    /// The session was released during the call. ``SessionRegistry`` retries with the current one, so callers of the
    /// registry never receive this.
    case retired
}

/// The reason that the archive failed.
package enum ArchiveError: Error, Hashable, Sendable {
    /// The archive could not be read or written. The text is for the log, without coordinates or names.
    case unavailable(String)
    /// Another owner has acquired the promise.
    case fenced
}
