internal import PromisedDomain
internal import PromisedSettings

/// An account, and the address or known device that signs in to it.
struct SignInPair: Hashable, Sendable {
    /// The caller of an account.
    enum Origin: Hashable, Sendable {
        case address(ThrottleAddress)
        case device(CallerDigest)
    }

    let account: String
    let origin: Origin
}
