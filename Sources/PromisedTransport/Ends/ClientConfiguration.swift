/// The settings of a WebSocket client.
public struct ClientConfiguration: Sendable, Hashable {
    /// What a connection may hold.
    public var limits = ConnectionLimits.client
    /// How long a connection may take; `handshake` bounds connecting, without the look-up of the name.
    public var timing = ConnectionTiming.client
    /// A file of trusted authorities in PEM for TLS; nil for the system's.
    public var authoritiesFile: String?
    /// Uses the library's poll loop even where libev is there.
    package var usesPoll = false

    /// The ordinary settings.
    public init() {}
}
