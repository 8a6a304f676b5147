package import Crypto
internal import CryptoExtras
internal import Foundation
package import PromisedAccess

/// An external issuer for tests: its own keys, and tokens with any claims.
package struct TokenForge: Sendable {
    package let secret = Array("a secret of at least thirty-two bytes".utf8)
    private let rsa: _RSA.Signing.PrivateKey
    package let p256 = P256.Signing.PrivateKey()
    private let ed25519 = Curve25519.Signing.PrivateKey()

    package init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// The public key in PEM.
    package func pem(_ algorithm: IssuerAlgorithm) -> String {
        switch algorithm {
        case .hs256: String(decoding: secret, as: UTF8.self)
        case .rs256: rsa.publicKey.pemRepresentation
        case .es256: p256.publicKey.pemRepresentation
        case .eddsa:
            // RFC 8410 §4: the fixed beginning of such a key, then its 32 bytes.
            "-----BEGIN PUBLIC KEY-----\n"
                + Data(
                    [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
                        + ed25519.publicKey.rawRepresentation
                ).base64EncodedString() + "\n-----END PUBLIC KEY-----\n"
        }
    }

    /// The public key as a member of a JWK set, with other members.
    package func jwk(_ algorithm: IssuerAlgorithm, _ more: String = "") throws -> String {
        switch algorithm {
        case .hs256: return #"{"kty":"oct","k":"\#(Base64Text.encodeURL(secret))"\#(more)}"#
        case .rs256:
            let numbers = try rsa.publicKey.getKeyPrimitives()
            let n = Base64Text.encodeURL(Array(numbers.modulus))
            let e = Base64Text.encodeURL(Array(numbers.publicExponent))
            return #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(more)}"#
        case .es256:
            let point = Array(p256.publicKey.rawRepresentation)
            let x = Base64Text.encodeURL(Array(point[..<32]))
            let y = Base64Text.encodeURL(Array(point[32...]))
            return #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"\#(more)}"#
        case .eddsa:
            let x = Base64Text.encodeURL(Array(ed25519.publicKey.rawRepresentation))
            return #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"\#(more)}"#
        }
    }

    /// A token with these claims, signed as its header says.
    package func token(_ algorithm: IssuerAlgorithm, _ claims: String, header: String? = nil) throws -> String {
        let header = header ?? #"{"alg":"\#(algorithm.rawValue)","typ":"JWT"}"#
        let signed = Base64Text.encodeURL(Array(header.utf8)) + "." + Base64Text.encodeURL(Array(claims.utf8))
        return signed + "." + Base64Text.encodeURL(try signature(algorithm, Data(signed.utf8)))
    }

    /// An HS256 token whose "secret" is a public key.
    package func confused(with publicKey: String, _ claims: String) -> String {
        let signed =
            Base64Text.encodeURL(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64Text.encodeURL(Array(claims.utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(signed.utf8),
            using: SymmetricKey(data: Data(publicKey.utf8))
        )
        return signed + "." + Base64Text.encodeURL(Array(code))
    }

    private func signature(_ algorithm: IssuerAlgorithm, _ message: Data) throws -> [UInt8] {
        switch algorithm {
        case .hs256: Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        case .rs256:
            Array(try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
        case .es256: Array(try p256.signature(for: message).rawRepresentation)
        case .eddsa: Array(try ed25519.signature(for: message))
        }
    }
}
