internal import PromisedConcurrency
internal import PromisedSettings
internal import PromisedTransport

/// Notices, once, that a proxy on this machine passes clients on although no proxy is trusted: all of them count as this
/// machine then, for which limits per address do not hold.
final class ProxyNotice: Sendable {
    private let isOver: Guarded<Bool>

    /// - Parameter trustsProxies: whether any proxy is trusted; then there is nothing to be noticed.
    init(trustsProxies: Bool) {
        isOver = Guarded(trustsProxies)
    }

    /// Whether a request is the first that tells of such a proxy.
    func isDue(peer: String, forwardedFor: String?) -> Bool {
        guard forwardedFor != nil, IPNumber(peer)?.isLoopback == true else { return false }
        return isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}
