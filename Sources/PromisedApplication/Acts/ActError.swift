package import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// Why an act failed, if neither a rule nor the store nor the engine has an error for it.
///
/// Acts and their callers only pass errors on, so they throw the original error: a `Refusal`, a `TextProblem`, a
/// `StoreError`, an `EngineError`, one of these. Each way in turns that into its kind of answer in one place.
package enum ActError: Error, Hashable, Sendable {
    /// A rule refuses a part of the request; the message says more than the refusal.
    case refused(Refusal, field: String = "", message: String? = nil)
    /// Wrong e-mail address or wrong password; the error does not say which.
    case invalidCredentials
    /// The token is unknown, expired or revoked, or its account cannot be used.
    case invalidToken
    /// Accounts come from an outside issuer.
    case localAccountsOff
    /// A limit on attempts was reached.
    case tooOften(retryAfter: Duration)
    case unavailable(retryAfter: Duration, message: String? = nil)
    /// The stored data is inconsistent, or the system failed.
    case broken
}

extension ActError {
    /// `true` if the same request may succeed later: the request itself was valid.
    package static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError: error.isTransient
        case EngineError.unavailable, EngineError.retired, ActError.unavailable: true
        default: false
        }
    }
}
