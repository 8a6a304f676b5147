import Foundation
package import JWTKit

/// The claims of an outside token that are looked at (RFC 7519 §4.1, OpenID Connect Core §5.1). Instants are seconds
/// since 1970, possibly with a fraction.
package struct IssuerPayload: JWTPayload, Sendable {
    package let sub: String
    package let exp: Double
    package let nbf: Double?
    package let iat: Double?
    package let iss: String?
    /// Always a list; a single text is a list of one.
    package let aud: [String]
    package let sid: String?
    package let preferredUsername: String?

    private enum CodingKeys: String, CodingKey {
        case sub, exp, nbf, iat, iss, aud, sid
        case preferredUsername = "preferred_username"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sub = try container.decode(String.self, forKey: .sub)
        exp = try container.decode(Double.self, forKey: .exp)
        nbf = try container.decodeIfPresent(Double.self, forKey: .nbf)
        iat = try container.decodeIfPresent(Double.self, forKey: .iat)
        iss = try container.decodeIfPresent(String.self, forKey: .iss)
        if let list = try? container.decode([String].self, forKey: .aud) {
            aud = list
        } else {
            aud = try container.decodeIfPresent(String.self, forKey: .aud).map { [$0] } ?? []
        }
        sid = try container.decodeIfPresent(String.self, forKey: .sid)
        // Only a wish: one of another type is none.
        preferredUsername = try? container.decodeIfPresent(String.self, forKey: .preferredUsername)
    }

    /// Nothing is written: the issuer signs, not this server.
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "Tokens come from outside")
        )
    }

    /// Nothing: times are compared with a clock that the library does not know.
    package func verify(using algorithm: some JWTAlgorithm) async throws {}
}
