/// Web origins (RFC 6454) as a list in one text.
package enum OriginText {
    /// Reads origins separated by commas, in lower case and trimmed. Returns nil if one is not `http://` or `https://`,
    /// a host and an optional port, or appears twice; an empty list for an empty text.
    package static func parse(_ text: String) -> [String]? {
        var origins: [String] = []
        for origin in ListText.items(text).map({ $0.lowercased() }) {
            guard isOrigin(origin), !origins.contains(origin) else { return nil }
            origins.append(origin)
        }
        return origins
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let authority = text.dropFirst(scheme.count)
        var host = authority
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else { return false }
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } && host.count > 3
        }
        return !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
    }
}

/// URL templates of map tiles, such as `https://tiles.example/{z}/{x}/{y}.png`.
package enum TileTemplate {
    /// `true` for a valid template: `http://` or `https://`, a host, and `{z}`, `{x}` and `{y}` in the path.
    package static func isValid(_ text: String) -> Bool {
        guard let source = source(of: text) else { return false }
        let path = text.dropFirst(source.count)
        let isPlain = text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
        return isPlain && ["{z}", "{x}", "{y}"].allSatisfy(path.contains)
    }

    /// `true` for the path of a file of tiles instead, which ends with `.mbtiles`.
    package static func isFile(_ text: String) -> Bool {
        let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isClean && text.hasSuffix(".mbtiles") && !text.contains("://")
    }

    /// The origin of its tiles as a source of a Content-Security-Policy: scheme, host and port, a leading `{s}` as the
    /// wildcard; nil if the text does not begin with an origin.
    package static func source(of template: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: template.hasPrefix) else { return nil }
        let authority = template.dropFirst(scheme.count).prefix { $0 != "/" }
        let host = authority.hasPrefix("{s}.") ? authority.dropFirst(4) : authority
        guard let origins = OriginText.parse(scheme + host), origins.count == 1 else { return nil }
        return scheme + (authority.hasPrefix("{s}.") ? "*." : "") + host
    }
}
