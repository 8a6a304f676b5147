/// Why an access token is refused or could not be made.
package enum AccessTokenError: Error, Sendable, Hashable {
    /// Not a token of this server, or tampered with.
    case invalid
    /// One of ours, past its time.
    case expired
    /// The cryptographic library failed.
    case unsignable
}
