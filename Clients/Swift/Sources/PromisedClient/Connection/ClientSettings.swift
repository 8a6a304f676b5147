public import PromisedProtocol

/// What a client is and how patient it is. All times are of the real clock.
public struct ClientSettings: Sendable {
    /// The server.
    public var address: ServerAddress
    /// How messages are written.
    public var codec: WireCodec
    /// The program's name, as the server is told.
    public var name: String
    /// The program's version, as the server is told.
    public var version: String
    /// What it runs on, free text.
    public var platform: String
    /// Names the device, at most 64 characters; nil: each connection is a device of its own. Who reports positions
    /// takes it from ``FixStore/deviceID``, unless the app has one.
    public var deviceID: String?
    /// New whenever the device's monotonic clock or its numbering of fixes starts over. Who reports positions takes it
    /// from ``FixStore/bootID``.
    public var bootID: String?
    /// How long a call waits for its reply, and for a connection before that.
    public var callTimeout: Duration = .seconds(15)
    /// How long a server may send nothing, not even the answer to a ping, before the connection is given up with 4003
    /// and made anew. Halfway through a silence the client or its transport pings.
    public var silence: Duration = .seconds(45)
    /// How long to wait between two attempts to connect.
    public var backoff = Backoff()
    /// How long a connection must have been online to count as good: only after a good one the back-off starts over.
    public var steadyAfter: Duration = .seconds(5)

    /// A client of a server, with the defaults for everything else.
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
