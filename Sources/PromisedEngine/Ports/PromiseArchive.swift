public import PromisedDomain

/// Where promises outlive the process. Implemented outside the engine.
public protocol PromiseArchive: Sendable {
    /// Takes a promise over and reads all that is kept of it, fixes that wait to be written included.
    ///
    /// - Returns: what is kept and the owner epoch that this activation made current; nil for an unknown promise.
    func activate(_ id: PromiseID) async throws(ArchiveError) -> Activation?

    /// Makes a commit durable, together with all fixes of the promise that wait to be written.
    ///
    /// Returns when it would survive a power cut. Commits of one promise are asked for one after the other.
    func commit(_ commit: SessionCommit, ownerEpoch: Int) async throws(ArchiveError)

    /// Keeps fixes to be written behind; never waits.
    func keep(_ fixes: [ArchivedFix], of id: PromiseID)

    /// All kept fixes of a participant's device, in any order, those that wait to be written included.
    func recall(_ userID: UserID, _ device: DeviceKey, of id: PromiseID) async throws(ArchiveError) -> [SettledFix]

    /// The durable events of a promise numbered above `seq`, ascending, at most `limit`, and fewer where many would be too
    /// large, but none only when none follows; those that are no longer kept are missing at the beginning.
    func events(of id: PromiseID, after seq: Int, limit: Int) async throws(ArchiveError) -> [NumberedEvent]

    /// Between which of these users a block stands.
    func blocks(among users: [UserID]) async throws(ArchiveError) -> Set<UserPair>

    /// The session of this promise was let go of: whatever is kept at hand for it may go.
    func release(_ id: PromiseID)

    /// Promises that are neither over nor cancelled and whose window opens at `horizon` or before.
    func dueSessions(openingBy horizon: Instant) async throws(ArchiveError) -> [PromiseID]

    /// When the next window after `horizon` opens, of promises that are not cancelled; nil without any.
    func nextOpening(after horizon: Instant) async throws(ArchiveError) -> Instant?
}

/// A promise taken over from the archive.
public struct Activation: Sendable {
    /// What is kept of it.
    public var snapshot: SessionSnapshot
    /// What durable writes must name to be accepted.
    public var ownerEpoch: Int

    /// A promise under an owner epoch.
    public init(snapshot: SessionSnapshot, ownerEpoch: Int) {
        self.snapshot = snapshot
        self.ownerEpoch = ownerEpoch
    }
}

/// Why the engine could not do what it was asked for.
public enum EngineError: Error, Hashable, Sendable {
    /// There is no such promise.
    case notFound
    /// The rules say no.
    case refused(Refusal)
    /// The archive could not be read or written; nothing that was asked for has happened.
    case unavailable
    /// This session was let go of while it was being called; ``SessionRegistry`` then calls the present one, so callers
    /// that go through the registry never see this.
    case retired
}

/// Why the archive failed.
public enum ArchiveError: Error, Hashable, Sendable {
    /// It could not be read or written; a reason for the log, without coordinates or names.
    case unavailable(String)
    /// Another owner has taken the promise over.
    case fenced
}
