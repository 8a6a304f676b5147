public import PromisedProtocol

/// A client's identity and timeouts. All times are of the real clock.
public struct ClientSettings: Sendable {
    /// The server.
    public var address: ServerAddress
    /// The encoding of messages.
    public var codec: WireCodec
    /// The program's name, as sent to the server.
    public var name: String
    /// The program's version, as sent to the server.
    public var version: String
    /// The platform, free text.
    public var platform: String
    /// Identifies the device, at most 64 characters; nil: each connection is a device of its own. For reporting
    /// positions, take it from ``FixStore/deviceID``, unless the app has one.
    public var deviceID: String?
    /// Identifies a run of the device's monotonic clock and of its numbering of fixes; changes when either restarts.
    /// For reporting positions, take it from ``FixStore/bootID``.
    public var bootID: String?
    /// `true` to have the server refuse requests with unknown fields (`request.invalid`): for development and tests.
    public var isStrict = false
    /// How long a call waits for a connection, and then for its reply.
    public var callTimeout: Duration = .seconds(15)
    /// The longest time without any frame from the server, even a pong. After half of it the client or its transport
    /// pings; after all of it the client closes the connection with 4003 and reconnects.
    public var silence: Duration = .seconds(45)
    /// How long to wait between two attempts to connect.
    public var backoff = Backoff()
    /// How long a connection must have been online before the back-off restarts.
    public var steadyAfter: Duration = .seconds(5)

    /// Creates the settings for a server, with the defaults for everything else.
    public init(
        address: ServerAddress,
        codec: WireCodec = .json,
        name: String = "promised-client",
        version: String = "1",
        platform: String = "swift",
        deviceID: String? = nil,
        bootID: String? = nil
    ) {
        self.address = address
        self.codec = codec
        self.name = name
        self.version = version
        self.platform = platform
        self.deviceID = deviceID
        self.bootID = bootID
    }
}

/// The address of a server, from a URL such as `ws://127.0.0.1:8080/ws` or `wss://meet.example`.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IP address, without brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The path of the WebSocket endpoint.
    public var path: String
    /// `true` if the connection is encrypted.
    public var usesTLS: Bool

    /// Creates an address from its parts.
    public init(host: String, port: UInt16, path: String = "/ws", usesTLS: Bool = false) {
        self.host = host
        self.port = port
        self.path = path
        self.usesTLS = usesTLS
    }

    /// Parses a URL: `ws`, `wss`, `http` or `https`; the default port is 80 or 443, the default path `/ws`.
    ///
    /// Nil for anything else, including URLs with a user, a query or a fragment, which may hold secrets.
    public init?(_ url: String) {
        guard let separator = url.range(of: "://") else { return nil }
        switch url[..<separator.lowerBound].lowercased() {
        case "ws", "http": usesTLS = false
        case "wss", "https": usesTLS = true
        default: return nil
        }
        let rest = url[separator.upperBound...]
        guard rest.unicodeScalars.allSatisfy(ServerAddress.isAllowed) else { return nil }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let (host, port) = ServerAddress.split(rest[..<slash], usesTLS: usesTLS) else { return nil }
        self.host = host
        self.port = port
        path = rest[slash...].count > 1 ? String(rest[slash...]) : "/ws"
    }

    /// The URL.
    public var description: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "wss" : "ws")://\(shown):\(port)\(path)"
    }

    /// `false` for spaces, control characters, and those that begin a query or a fragment, or end a user.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && scalar.value != 0x7F && !"?#@".unicodeScalars.contains(scalar)
    }

    /// Host and port of `host`, `host:port`, `[address]` or `[address]:port`; an IPv6 address needs its brackets.
    private static func split(_ authority: Substring, usesTLS: Bool) -> (String, UInt16)? {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: bracket)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            host = authority[..<bracket].dropFirst()
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
        guard let port else { return (String(host), usesTLS ? 443 : 80) }
        // Digits only: the initialiser accepts a sign as well.
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
            return nil
        }
        return (String(host), number)
    }
}

extension String {
    fileprivate func range(of separator: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(separator) { return start..<index(start, offsetBy: separator.count) }
            start = index(after: start)
        }
        return nil
    }
}
