import Foundation
package import JWTKit

/// The algorithms that tokens of an outside issuer may be signed with (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// The raw value is the only `alg` a key of that algorithm is used for: a public RSA key can never be used as the
/// secret of an HMAC.
package enum IssuerAlgorithm: String, Sendable, Hashable, CaseIterable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"
    case eddsa = "EdDSA"
}

/// The header of an outside token, as far as it concerns the signature (RFC 7515 §4).
package struct IssuerTokenHeader: Sendable, Hashable {
    /// The algorithm of the signature.
    package let algorithm: IssuerAlgorithm
    /// The id of the key that signed it; nil if missing.
    package let keyID: String?

    /// The header of a token; nil if it is missing, names an unsupported algorithm, or requires an extension (`crit`,
    /// RFC 7515 §4.1.11): none is supported.
    package init?(of token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        guard parts.count == 3, let bytes = Self.content(of: parts[0]), Self.content(of: parts[1]) != nil else {
            return nil
        }
        guard let fields = Self.fields(bytes), !fields.isCritical, let algorithm = IssuerAlgorithm(rawValue: fields.alg)
        else { return nil }
        self.algorithm = algorithm
        keyID = fields.kid
    }

    /// The JSON of a part; nil if its member names would cost more to look up than their length suggests: they are read
    /// before their author is verified.
    private static func content(of part: Substring) -> [UInt8]? {
        guard let bytes = Base64Text.decodeURL(String(part)) else { return nil }
        return TextWeight.hasManyMarks(String(decoding: bytes, as: UTF8.self)) ? nil : bytes
    }

    private static func fields(_ bytes: [UInt8]) -> Fields? {
        // Whatever the error, the token is refused.
        try? JSONDecoder().decode(Fields.self, from: Data(bytes))
    }

    private struct Fields: Decodable {
        let alg: String
        let kid: String?
        let isCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case alg, kid, crit
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            alg = try container.decode(String.self, forKey: .alg)
            kid = try container.decodeIfPresent(String.self, forKey: .kid)
            isCritical = container.contains(.crit)
        }
    }
}

/// The claims of an outside token that the server reads (RFC 7519 §4.1, OpenID Connect Core §5.1). Instants are seconds
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
        // Only a preference: one of another type is ignored.
        preferredUsername = try? container.decodeIfPresent(String.self, forKey: .preferredUsername)
    }

    /// Encodes no claims: tokens are signed by the issuer, not by this server.
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "Tokens come from outside")
        )
    }

    /// No checks: times are compared with a clock that the library does not know.
    package func verify(using algorithm: some JWTAlgorithm) async throws {}
}
