/// The address of an outside service: `https://host[:port][/path]`.
package struct OutsideURL: Hashable, Sendable {
    /// Why a text is not such an address.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let text: String
        /// The mistake and the allowed form.
        package let reason: String

        package var description: String { "\"\(text)\" is not a usable address: \(reason)" }
    }

    /// The host, in lower case.
    package let host: String
    /// The port; by default 443.
    package let port: Int
    /// The path without a trailing slash; empty for the root.
    package let path: String

    /// The address in `text`.
    package init(_ text: String) throws(Problem) {
        func problem(_ reason: String) -> Problem { Problem(text: text, reason: reason) }
        let scheme = "https://"
        guard text.lowercased().hasPrefix(scheme) else { throw problem("it must begin with https://") }
        let rest = text.dropFirst(scheme.count)
        guard !rest.contains(where: { "?#@ \\".contains($0) || !$0.isASCII }) else {
            throw problem("use a host, a port and a path only, in ASCII")
        }
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, !name.contains("[") else { throw problem("it lacks a host name") }
        host = name.lowercased()
        if parts.count == 2 {
            guard let number = Int(parts[1]), (1...65_535).contains(number) else {
                throw problem("the port must be a number from 1 to 65535")
            }
            port = number
        } else {
            port = 443
        }
        var path = String(rest.dropFirst(authority.count))
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// Host and port, which identify the peer of a connection.
    package var authority: String { "\(host):\(port)" }
}

/// A request to an outside service, without a body.
package struct OutsideRequest: Sendable {
    /// The service.
    package let base: OutsideURL
    /// The path below the service's, beginning with a slash, or empty.
    package let path: String
    /// The parameters, in order; names and values are unencoded.
    package let query: [(name: String, value: String)]
    /// The modification date of the known reply.
    package let modifiedSince: String?

    package init(
        _ base: OutsideURL,
        path: String = "",
        query: [(name: String, value: String)],
        modifiedSince: String? = nil
    ) {
        self.base = base
        self.path = path
        self.query = query
        self.modifiedSince = modifiedSince
    }

    /// The whole address. It may contain a key: keep it out of logs and errors.
    package var url: String {
        let pairs = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        return "https://\(base.authority)\(base.path)\(path)\(pairs.isEmpty ? "" : "?\(pairs)")"
    }

    /// Percent-encodes everything except commas and the unreserved characters of RFC 3986 §2.3.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~,".contains(character) {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%\(digits.count < 2 ? "0" : "")\(digits)"
            }
        }
        return result
    }
}
