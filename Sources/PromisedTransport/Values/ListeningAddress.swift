/// Where a server listens.
public struct ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    /// The IP address.
    public let host: String
    /// The port that was bound, never 0.
    public let port: UInt16

    /// An address with these parts.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1:8080`, or `[::1]:8080`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
