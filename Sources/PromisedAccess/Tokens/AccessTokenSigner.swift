import Foundation
import JWTKit
package import PromisedDomain

/// Issues and verifies the access tokens of local accounts: JWTs signed with HMAC-SHA-256.
///
/// One server both signs and verifies, so a shared secret suffices; it is cheaper than a signature, and ten thousand
/// clients reconnect within seconds after a restart. Claims: `iss` (always `promised`), `sub` (the user's id), `sid`
/// (the sign-in's id), `iat` and `exp` (whole seconds of the server's clock).
package struct AccessTokenSigner: Sendable {
    /// The issuer in all tokens.
    package static let issuer = "promised"
    /// The most bytes of a token; real ones have about 300.
    package static let longest = 1_024

    private let keys: JWTKeyCollection
    private let lifetime: TimeSpan

    /// A signer.
    ///
    /// - Parameters:
    ///   - key: the secret.
    ///   - lifetime: how long a token is valid, in real time.
    ///   - clockRate: seconds of the server's clock per real second; a token is valid that many times longer on it.
    package init(key: SigningKey, lifetime: TimeSpan, clockRate: Double = 1) async {
        keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256)
        self.lifetime = .seconds(lifetime.seconds * clockRate)
    }

    /// A token for one sign-in of a user.
    ///
    /// - Parameter now: the server's clock; the expiry is rounded up to a whole second, since tokens count those.
    /// - Throws: ``AccessTokenError/unsignable`` if the cryptographic library fails.
    package func issue(user: UserID, signIn: SignInID, at now: Instant) async throws(AccessTokenError) -> AccessToken {
        let issued = now.milliseconds.dividedFloor(by: 1_000)
        let expires = ((now + lifetime).milliseconds + 999).dividedFloor(by: 1_000)
        let payload = AccessTokenPayload(
            iss: Self.issuer,
            sub: user.description,
            sid: signIn.description,
            iat: issued,
            exp: expires
        )
        do {
            let text = try await keys.sign(payload)
            return AccessToken(text: text, expiresAt: Instant(milliseconds: expires * 1_000))
        } catch {
            throw .unsignable
        }
    }

    /// The claims of a token of this server that has not expired; `exp` itself is too late (RFC 7519 §4.1.4).
    ///
    /// The time of issue is not compared: a scaled clock may restart earlier than the token's issue.
    package func verify(_ text: String, at now: Instant) async throws(AccessTokenError) -> AccessClaims {
        guard text.utf8.count <= Self.longest, let payload = await payload(of: text) else { throw .invalid }
        guard payload.iss == Self.issuer, let user = UserID(payload.sub), let signIn = SignInID(payload.sid),
            (0...253_402_300_800).contains(payload.exp)
        else { throw .invalid }
        let expiry = Instant(milliseconds: payload.exp * 1_000)
        guard now < expiry else { throw .expired }
        return AccessClaims(user: user, signIn: signIn, expiresAt: expiry)
    }

    private func payload(of text: String) async -> AccessTokenPayload? {
        // Whatever the error, the answer is the same: the token was not issued by this server.
        try? await keys.verify(text, as: AccessTokenPayload.self)
    }
}

/// The claims as encoded in the token.
private struct AccessTokenPayload: JWTPayload {
    let iss: String
    let sub: String
    let sid: String
    let iat: Int64
    let exp: Int64

    /// No checks: times are compared with the server's clock, which the library does not know.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The claims of an access token.
package struct AccessClaims: Sendable, Hashable {
    package let user: UserID
    /// The token's sign-in; only the store knows whether it is still valid.
    package let signIn: SignInID
    /// The first instant at which the token is refused, on the server's clock.
    package let expiresAt: Instant
}

/// An access token for a client.
package struct AccessToken: Sendable, Hashable {
    /// The JWT.
    package let text: String
    /// The first instant at which it is refused, on the server's clock; a whole second.
    package let expiresAt: Instant
}

/// Why an access token is refused or cannot be issued.
package enum AccessTokenError: Error, Sendable, Hashable {
    /// Not a token of this server, or tampered with.
    case invalid
    /// A token of this server that has expired.
    case expired
    /// The cryptographic library failed.
    case unsignable
}
