public import PromisedProtocol

/// What a client tells besides replies and feeds.
public enum ClientNotice: Hashable, Sendable {
    /// Connected, and signed in if the client knows a session: bare subscriptions must be made again now.
    case connected
    /// The connection ended.
    case disconnected(code: UInt16, willReconnect: Bool)
    /// An attempt to connect failed; the next follows.
    case attemptFailed(String)
    /// An event from the server, unless its promise is followed.
    case event(WireEvent)
    /// An error to a request that wanted no reply.
    case error(WireErrorReply)
}
