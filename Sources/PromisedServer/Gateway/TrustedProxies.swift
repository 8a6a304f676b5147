internal import PromisedSettings

/// Which peers are proxies of ours, and whom they speak for.
///
/// Each proxy appends the address it was asked from to `X-Forwarded-For`, so the list is read from its right end: what
/// our own proxies wrote is believed, and the first address that is none of theirs is the client's. Whatever stands
/// left of that was written by the client, who may write what they like.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Proxies with addresses in these ranges; none by default.
    init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

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

    /// Whether a peer is one of them.
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
