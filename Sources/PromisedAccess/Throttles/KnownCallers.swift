internal import Crypto
package import PromisedDomain
internal import PromisedSettings

/// Recognises callers that have signed in to an account before: by their address, and by a secret of their device
/// (decision 0060).
///
/// The database contains only keyed digests, which differ for each account: they reveal neither an address nor that two
/// accounts share one.
package struct KnownCallers: Sendable {
    /// How long a caller is known after its last sign-in, in real time.
    package static let lifetime = TimeSpan.hours(180 * 24)
    /// The most addresses, and the most devices, that an account knows; the least recently used one is replaced.
    package static let limit = 16
    /// Callers last seen before this instant are no longer known at `now`, on a clock that runs at `rate` times real
    /// time.
    package static func horizon(at now: Instant, rate: Double) -> Instant { now - .seconds(lifetime.seconds * rate) }

    private let key: SymmetricKey

    /// Digests under a secret of this server.
    package init(_ secret: SigningKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.bytes),
            info: Array("promised known callers".utf8),
            outputByteCount: 32
        )
    }

    /// The digests of a caller: of its address, except for loopback, which may represent all clients of a proxy, and of
    /// its device's secret, if it sent one.
    ///
    /// - Parameter account: the folded e-mail address of the account, whether or not it exists.
    package func digests(of origin: SignInOrigin, for account: String) -> [CallerDigest] {
        var digests: [CallerDigest] = []
        if let source = origin.address.source { digests.append(digest(.address, source, account)) }
        if origin.hasSecret { digests.append(digest(.device, Array(origin.deviceSecret.utf8), account)) }
        return digests
    }

    private func digest(_ kind: CallerDigest.Kind, _ bytes: [UInt8], _ account: String) -> CallerDigest {
        // The length of the account separates the two parts.
        let account = Array(account.utf8)
        let message = [UInt8(kind.rawValue)] + Array("\(account.count):".utf8) + account + bytes
        return CallerDigest(kind, Array(HMAC<SHA256>.authenticationCode(for: message, using: key)))
    }
}
