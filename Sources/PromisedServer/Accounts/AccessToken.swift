public import PromisedDomain

/// An access token as it is handed out.
public struct AccessToken: Sendable, Hashable {
    /// The JWT.
    public let text: String
    /// From when on it is refused, on the server's clock; a whole second.
    public let expiresAt: Instant
}
