/// Web addresses in open data: with and without a scheme, and with typing errors.
///
/// - `https://example.kr`, `HTTP://example.kr/a` are accepted; the scheme becomes lower-case.
/// - `www.example.kr` gets `http://`: a server with TLS redirects, one without has no other address.
/// - `http:산본전통시장.kr`, `http www.example.kr`, `http: //example.kr` lack a sign after `http`, which is added.
/// - `https://example.kr; https://example.org` are several, as OpenStreetMap writes them: the first one counts.
/// - Anything else is dropped, never guessed: a blank inside, no dot in the host, a host of numbers that is not an IPv4
///   address (`02.123.4567`), a last label of one letter, a label with a hyphen at an end, a user name before `@`, a
///   port that is not a number, a `%` without two hexadecimal digits, another scheme, more than 300 characters.
package enum WebAddress {
    /// The address in a text, with `http://` or `https://`; nil without a valid address.
    package static func address(_ text: String) -> String? {
        let text = RowText.clean(String(first(of: RowText.clean(text))))[...]
        return single(text) ?? text.firstIndex(of: ";").flatMap { single(text[..<$0]) }
    }

    /// The text before a semicolon that is followed by another address; otherwise the whole text. An address may
    /// contain semicolons.
    private static func first(of text: String) -> Substring {
        var rest = text[...]
        while let sign = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: sign)...]
            let next = rest.drop { $0 == " " }.prefix(8).lowercased()
            if ["http://", "https://", "www."].contains(where: next.hasPrefix) { return text[..<sign] }
        }
        return text[...]
    }

    private static func single(_ text: Substring) -> String? {
        let (scheme, rest) = split(text)
        guard isAddress(rest) else { return nil }
        let address = "\(scheme)://\(rest)"
        return RowText.fits(address, PlaceRow.Limit.link) ? address : nil
    }

    /// `true` for an address with its scheme, as returned by ``address(_:)``; letters of the scheme may be capitals.
    package static func isAddress(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.prefix(scheme.count).lowercased() == scheme {
            return isAddress(text.dropFirst(scheme.count))
        }
        return false
    }

    /// The advice for a field with an invalid address.
    package static func advice(_ field: String) -> String {
        "\(field) is no web address: use http:// or https:// and a host, such as https://example.org."
    }

    /// The scheme, and the text after it and its separators; without a scheme `http` and the whole text.
    private static func split(_ text: Substring) -> (scheme: String, rest: Substring) {
        let start = text.prefix(5).lowercased()
        for scheme in ["https", "http"] where start.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            let signs = rest.prefix { $0 == ":" || $0 == "/" || $0 == " " }
            // "httpbin.org" begins with the letters of a scheme, but is a host.
            if !signs.isEmpty, signs.first != "/" { return (scheme, rest.dropFirst(signs.count)) }
        }
        return ("http", text)
    }

    private static func isAddress(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.allSatisfy(isAllowed), hasWholeEscapes(bytes) else { return false }
        let authority = text.utf8.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        let parts = authority.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, UInt16(Substring(parts[1])) == nil { return false }
        return parts.first.map(isHost) ?? false
    }

    /// `true` if two hexadecimal digits follow each percent sign (RFC 3986 §2.1).
    private static func hasWholeEscapes(_ bytes: Substring.UTF8View) -> Bool {
        bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
            rest.prefix(2).count == 2 && rest.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
    }

    /// `false` for blanks and for other characters that are invalid in addresses (RFC 3986 §2).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: true
        }
    }

    /// `true` for labels of letters, digits, hyphens and underscores; at least two, since a host without a dot is not
    /// on the web. A host whose last label is a number is an IPv4 address.
    private static func isHost(_ bytes: Substring.UTF8View) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(isLabel), let last = labels.last else { return false }
        let isNumber = last.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber { return labels.count == 4 && labels.allSatisfy { UInt8(Substring($0)) != nil } }
        return Substring(last).unicodeScalars.count >= 2
    }

    private static func isLabel(_ bytes: Substring.UTF8View) -> Bool {
        let scalars = Substring(bytes).unicodeScalars
        let hyphen = UInt8(ascii: "-")
        return !bytes.isEmpty && scalars.count <= 63 && bytes.first != hyphen && bytes.last != hyphen
            && scalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
                default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.isGraphemeExtend)
                }
            }
    }
}
