package import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// Why an act was not done, where neither a rule nor the store nor the engine has a word for it.
///
/// Acts and their callers only pass errors on, so they throw whatever stopped them: a `Refusal`, a `TextProblem`, a
/// `StoreError`, an `EngineError`, one of these. Each way in turns that into its kind of answer in one place.
package enum ActError: Error, Hashable, Sendable {
    /// A rule says no to a part of what was asked for; the message says more than the refusal.
    case refused(Refusal, field: String = "", message: String? = nil)
    /// Wrong e-mail address or wrong password; which one is not told.
    case invalidCredentials
    /// The token is unknown, expired or revoked, or its account cannot be used.
    case invalidToken
    /// Accounts come from an outside issuer.
    case localAccountsOff
    /// Something was done too often.
    case tooOften(retryAfter: Duration)
    /// It cannot be done now.
    case unavailable(retryAfter: Duration, message: String? = nil)
    /// What is stored contradicts itself, or the system failed.
    case broken
}

extension ActError {
    /// Whether an error says that the same may work later: nothing was wrong with what was asked for.
    static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError:
            switch error {
            case .unavailable, .closed, .locked, .fileSystem, .openToOthers: true
            default: false
            }
        case EngineError.unavailable, EngineError.retired, ActError.unavailable: true
        default: false
        }
    }
}
