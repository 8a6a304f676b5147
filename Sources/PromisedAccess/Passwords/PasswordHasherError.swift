/// Why a password was neither hashed nor checked.
package enum PasswordHasherError: Error, Sendable, Hashable {
    /// Too many wait already; worth another try later (`server.unavailable`).
    case overloaded
    /// Too many of the caller's address or network wait already; worth another try later (`limit.attempts`).
    case crowded
    /// The caller's task was cancelled before its turn came.
    case cancelled
    /// There was not enough memory (`server.unavailable`).
    case failed
    /// The stored text is no hash of ours: the database was tampered with (`server.internal`).
    case malformedHash
}
