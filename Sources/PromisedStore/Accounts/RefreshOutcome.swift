public import PromisedDomain

/// What became of a refresh token that was shown.
public enum RefreshOutcome: Hashable, Sendable {
    /// It was good and is replaced by the new one.
    case rotated(userID: UserID, sessionID: SignInID)
    /// It had been replaced before and may not be shown again: its session is revoked from now on.
    case reused(userID: UserID, sessionID: SignInID)
    /// Nobody was given this token, or it expired long ago.
    case unknown
    /// Its time is over.
    case expired
    /// Its session was revoked before, or its user is disabled or deleted.
    case revoked
    /// It belongs to another user than the one asked for; nothing was changed.
    case foreign
    /// The session was refreshed too often lately; nothing was changed.
    case tooOften(SignInID)
}
