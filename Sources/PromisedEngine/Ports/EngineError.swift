public import PromisedDomain

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
