/// Web addresses as lists of open data hold them: with and without a scheme, and with the slips of typing.
///
/// - `https://example.kr`, `HTTP://example.kr/a` are kept, with their scheme in lower case.
/// - `www.example.kr` gets `http://`: a server with TLS redirects, one without has no other address.
/// - `http:산본전통시장.kr`, `http www.example.kr`, `http: //example.kr` lack a sign after `http`; it is put in.
/// - Anything else is no address and is left out, never guessed: a blank inside, no dot in the host, a user name before `@`,
///   a port that is no number, another scheme, more than 300 characters.
package enum WebAddress {
    /// The address of a text, with `http://` or `https://`; nil if it is none.
    package static func address(_ text: String) -> String? {
        let (scheme, rest) = split(RowText.clean(text))
        guard isAddress(rest) else { return nil }
        let address = "\(scheme)://\(rest)"
        return RowText.fits(address, PlaceRow.Limit.link) ? address : nil
    }

    /// The scheme, and what follows it and the signs after it; `http` and the whole text if it has none.
    private static func split(_ text: String) -> (scheme: String, rest: Substring) {
        let lowered = text.lowercased()
        for scheme in ["https", "http"] where lowered.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            let signs = rest.prefix { ":/ ".contains($0) }
            // "httpbin.org" begins with the letters of a scheme, but is a host.
            if !signs.isEmpty, signs.first != "/" { return (scheme, rest.dropFirst(signs.count)) }
        }
        return ("http", text[...])
    }

    private static func isAddress(_ text: Substring) -> Bool {
        guard !text.contains(" "), !text.contains(where: { "<>\"\\^`{|}".contains($0) }) else { return false }
        let authority = text.prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, UInt16(parts[1]) == nil { return false }
        return parts.first.map(isHost) ?? false
    }

    /// Labels of letters, digits, hyphens and underscores; at least two, since a name without a dot is nobody's on the web.
    private static func isHost(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
    }
}
