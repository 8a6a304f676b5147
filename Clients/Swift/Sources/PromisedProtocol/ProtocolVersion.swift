/// The version of the wire protocol that this module speaks.
public enum ProtocolVersion {
    /// The version, as in the package name of the schema and in the names of the sub-protocols.
    public static let current = 1

    /// The path of the WebSocket endpoint.
    public static let path = "/ws"

    /// The largest frame accepted from a client, in bytes of the message.
    public static let maximumClientFrameBytes = 64 * 1_024

    /// The largest frame accepted from a client before it has signed in, in bytes of the message.
    public static let maximumUnauthenticatedFrameBytes = 4 * 1_024

    /// The largest frame a server sends, in bytes of the message; a page ends early rather than exceed it.
    public static let maximumServerFrameBytes = 256 * 1_024
}
