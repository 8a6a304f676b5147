/// Web origins (RFC 6454) as a list in one text.
package enum OriginText {
    /// Reads origins separated by commas, in lower case and without spaces around.
    ///
    /// - Returns: nil when one is not `http://` or `https://`, a host and at most a port, or appears twice; an empty
    ///   list for an empty text.
    package static func parse(_ text: String) -> [String]? {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        var origins: [String] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let origin = String(item.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
                .lowercased()
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
        return !host.isEmpty
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
    }
}
