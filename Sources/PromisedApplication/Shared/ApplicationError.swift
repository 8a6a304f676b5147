package import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// Why a request failed, if no rule and neither the store nor the engine has an error for it.
///
/// Use cases and their callers only propagate errors, so they throw the original: a `Refusal`, a `TextProblem`, a
/// `StoreError`, an `EngineError`, or one of these. Each way in converts them to its replies in one place.
package enum ApplicationError: Error, Hashable, Sendable {
    /// A rule refuses part of the request; the message adds details to the refusal.
    case refused(Refusal, field: String = "", message: String? = nil)
    /// Wrong e-mail address or password; the error does not say which.
    case invalidCredentials
    /// The token is unknown, expired or revoked, or its account is not usable.
    case invalidToken
    /// Accounts come from an outside issuer.
    case localAccountsOff
    /// A limit on attempts was reached.
    case tooOften(retryAfter: Duration)
    case unavailable(retryAfter: Duration, message: String? = nil)
    /// The stored data is inconsistent, or the system failed.
    case broken
}

/// A failure of the store, as far as a way in must know it.
package enum StorageFailure: Hashable, Sendable {
    /// No promise has the id.
    case unknownPromise
    /// The same request may succeed later.
    case transient(isDiskFull: Bool)
    case permanent

    /// nil for an error of another source.
    package init?(_ error: any Error) {
        guard let error = error as? StoreError else { return nil }
        self =
            if error == .unknownPromise {
                .unknownPromise
            } else {
                error.isTransient ? .transient(isDiskFull: error.isDiskFull) : .permanent
            }
    }
}

extension ApplicationError {
    /// `true` if the same request may succeed later: the request itself was valid.
    package static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError: error.isTransient
        case EngineError.unavailable, EngineError.retired, ApplicationError.unavailable: true
        default: false
        }
    }
}
