internal import Logging
internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedTransport

/// Which connections are let in, and whose each is.
struct HandshakeRules: Sendable {
    private let origins: OriginRule
    private let attempts: Guarded<AddressThrottle>
    private let proxies: TrustedProxies
    private let notice: ProxyNotice
    private let log: Logger

    init(_ settings: ServerSettings, log: Logger) {
        origins = OriginRule(allowed: settings.web.origins)
        attempts = Guarded(.handshakes(settings.throttle))
        proxies = TrustedProxies(settings.listen.trustedProxies)
        notice = ProxyNotice(trustsProxies: !settings.listen.trustedProxies.isEmpty)
        self.log = log
    }

    /// Counts a handshake, and decides whether it is accepted.
    func decide(_ handshake: HandshakeInfo) -> HandshakeDecision {
        guard origins.allows(handshake.origin, host: handshake.host) else { return .refuse(status: 403) }
        lookForProxy(peer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
        let address = ThrottleAddress(address(of: handshake))
        let wait = attempts.withLock { $0.attempt(from: address, at: .now) }
        return wait == nil ? .accept : .refuse(status: 429)
    }

    /// The client's address, as far as trusted proxies tell it.
    func address(of handshake: HandshakeInfo) -> String {
        proxies.client(peer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
    }

    /// What counts as one address for the connections of a peer; nil for a trusted proxy, whose clients are counted once
    /// the request names them.
    func source(ofPeer address: String) -> [UInt8]? {
        proxies.contains(address) ? nil : ThrottleAddress(address).source
    }

    /// Warns, once, of a proxy on this machine that is not trusted.
    func lookForProxy(peer: String, forwardedFor: String?) {
        guard notice.isDue(peer: peer, forwardedFor: forwardedFor) else { return }
        log.warning("A proxy on this machine is not trusted, so no limit per address holds; set listen.trusted-proxies")
    }
}

/// Which web pages may connect: those of the server's own host, and those an operator lists.
struct OriginRule: Sendable {
    private let allowed: Set<String>

    /// A rule with a list of origins such as `https://meet.example`.
    init(allowed: [String]) { self.allowed = Set(allowed.map { $0.lowercased() }) }

    /// Whether a page of that origin may connect; programs send none and may.
    func allows(_ origin: String?, host: String) -> Bool {
        guard let origin else { return true }
        return allowed.contains(origin.lowercased()) || OriginPolicy.sameHost.allows(origin: origin, host: host)
    }
}

/// Notices, once, that a proxy on this machine passes clients on although no proxy is trusted: all of them count as this
/// machine then, for which limits per address do not hold.
final class ProxyNotice: Sendable {
    private let isOver: Guarded<Bool>

    /// - Parameter trustsProxies: whether any proxy is trusted; then there is nothing to be noticed.
    init(trustsProxies: Bool) { isOver = Guarded(trustsProxies) }

    /// Whether a request is the first that tells of such a proxy.
    func isDue(peer: String, forwardedFor: String?) -> Bool {
        guard forwardedFor != nil, IPNumber(peer)?.isLoopback == true else { return false }
        return isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}

/// Which peers are proxies of ours, and whom they speak for.
///
/// Each proxy appends the address it was asked from to `X-Forwarded-For`, so the list is read from its right end: what
/// our own proxies wrote is believed, and the first address that is none of theirs is the client's. Whatever stands
/// left of that was written by the client, who may write what they like.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Proxies with addresses in these ranges; none by default.
    init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// The address that a request comes from in truth.
    ///
    /// - Parameters:
    ///   - peer: the address the connection was made from.
    ///   - forwardedFor: the `X-Forwarded-For` header, several of them joined by commas; nil without one.
    /// - Returns: `peer` unless it is a proxy of ours that names somebody; where the list has a gap, the last address
    ///   that is known for sure.
    func client(peer: String, forwardedFor: String?) -> String {
        guard let forwardedFor, let number = IPNumber(peer), isTrusted(number) else { return peer }
        var client = number
        for entry in forwardedFor.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let named = TrustedProxies.address(in: entry) else { break }
            client = named
            guard isTrusted(named) else { break }
        }
        return client == number ? peer : client.text
    }

    func contains(_ peer: String) -> Bool { !ranges.isEmpty && IPNumber(peer).map(isTrusted) ?? false }

    private func isTrusted(_ address: IPNumber) -> Bool { ranges.contains { $0.contains(address) } }

    /// The address of an entry: plain, or as some proxies write it with a port (`192.0.2.1:443`, `[2001:db8::1]:443`).
    private static func address(in entry: Substring) -> IPNumber? {
        let text = entry.trimming(while: \.isWhitespace)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return IPNumber(text[text.index(after: text.startIndex)..<end])
        }
        let colons = text.count { $0 == ":" }
        if colons == 1, let colon = text.firstIndex(of: ":") { return IPNumber(text[..<colon]) }
        return IPNumber(text)
    }
}

extension Substring {
    /// Without the characters at both ends for which `matches` holds.
    fileprivate func trimming(while matches: (Character) -> Bool) -> Substring {
        var rest = drop(while: matches)
        while let last = rest.last, matches(last) { rest.removeLast() }
        return rest
    }
}
