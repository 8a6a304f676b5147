internal import PromisedDomain
internal import PromisedSettings

/// An account, and the address or known device that signs in to it.
struct SignInPair: Hashable, Sendable {
    /// How the account knows the caller.
    enum Origin: Hashable, Sendable {
        case address(ThrottleAddress)
        case device(CallerDigest)
    }

    let account: String
    let origin: Origin
}
