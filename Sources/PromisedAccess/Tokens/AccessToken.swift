package import PromisedDomain

/// An access token as it is handed out.
package struct AccessToken: Sendable, Hashable {
    /// The JWT.
    package let text: String
    /// From when on it is refused, on the server's clock; a whole second.
    package let expiresAt: Instant
}
