internal import Logging
internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedTransport

/// Decides which connections the server accepts, and determines their client addresses.
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

    /// The client's address, as far as trusted proxies forward it.
    func address(of handshake: HandshakeInfo) -> String {
        address(ofPeer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
    }

    /// The same for a plain request.
    func address(ofPeer peer: String, forwardedFor: String?) -> String {
        proxies.client(peer: peer, forwardedFor: forwardedFor)
    }

    /// The address under which the peer's connections are counted; nil for a trusted proxy, whose clients are counted
    /// once the request names them.
    func source(ofPeer address: String) -> [UInt8]? {
        proxies.contains(address) ? nil : ThrottleAddress(address).source
    }

    /// Warns once about an untrusted proxy on this machine.
    func lookForProxy(peer: String, forwardedFor: String?) {
        guard notice.isDue(peer: peer, forwardedFor: forwardedFor) else { return }
        log.warning("A proxy on this machine is not trusted, so limits per address are off; set listen.trusted-proxies")
    }
}

/// The web pages that may connect: those of the server's own host, and those that the operator lists.
struct OriginRule: Sendable {
    private let allowed: Set<String>

    /// - Parameter allowed: origins such as `https://meet.example`.
    init(allowed: [String]) { self.allowed = Set(allowed.map { $0.lowercased() }) }

    /// `true` if a page of that origin may connect. Also without an origin, which only browsers send.
    func allows(_ origin: String?, host: String) -> Bool {
        guard let origin else { return true }
        return allowed.contains(origin.lowercased()) || OriginPolicy.sameHost.allows(origin: origin, host: host)
    }
}

/// Detects, once, a proxy on this machine that forwards clients although no proxy is trusted: all of them then count
/// as this machine, which has no limits per address.
final class ProxyNotice: Sendable {
    private let isOver: Guarded<Bool>

    /// - Parameter trustsProxies: `true` if any proxy is trusted; then nothing is detected.
    init(trustsProxies: Bool) {
        isOver = Guarded(trustsProxies)
    }

    /// `true` for the first request that reveals such a proxy.
    func isDue(peer: String, forwardedFor: String?) -> Bool {
        guard forwardedFor != nil, IPNumber(peer)?.isLoopback == true else { return false }
        return isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}

/// The trusted proxies, and the client addresses that they forward.
///
/// Each proxy appends its peer's address to `X-Forwarded-For`, so the list is read from the right: entries of trusted
/// proxies are valid, and the first other address is the client's. Entries to the left of it may be forged by the
/// client.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Proxies with addresses in these ranges; by default none.
    init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// The address of the client behind a request.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection's other end.
    ///   - forwardedFor: the `X-Forwarded-For` header, several headers joined by commas; nil without one.
    /// - Returns: `peer` unless it is a trusted proxy that names a client; if the list has a gap, the last known
    ///   address.
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

    /// The address in an entry: plain, or with a port as some proxies write it (`192.0.2.1:443`, `[2001:db8::1]:443`).
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
    /// The text without characters at both ends for which `matches` returns `true`.
    fileprivate func trimming(while matches: (Character) -> Bool) -> Substring {
        var rest = drop(while: matches)
        while let last = rest.last, matches(last) { rest.removeLast() }
        return rest
    }
}
