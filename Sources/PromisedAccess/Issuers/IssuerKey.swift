import Foundation
import JWTKit

/// One key of an outside issuer, for exactly one algorithm.
package struct IssuerKey: Sendable {
    /// The only algorithm it is used for.
    package let algorithm: IssuerAlgorithm
    /// Its name in the headers of tokens; nil if it has none and is tried for every token.
    package let id: String?
    private let keys: JWTKeyCollection

    /// A shared secret.
    package init(secret: [UInt8]) async {
        algorithm = .hs256
        id = nil
        keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    /// A public key in PEM (`BEGIN PUBLIC KEY`). Throws if the text is not such a key for the algorithm, or an RSA key
    /// has fewer than 2048 bits.
    package init(pem: String, algorithm: IssuerAlgorithm) async throws {
        self.algorithm = algorithm
        id = nil
        keys = JWTKeyCollection()
        switch algorithm {
        case .hs256: throw IssuerKeyFault.otherKind
        case .rs256: await keys.add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
        case .es256: await keys.add(ecdsa: try ES256PublicKey(pem: pem))
        case .eddsa: await keys.add(eddsa: try EdDSA.PublicKey(pem: pem))
        }
    }

    /// A public key of a JWK set. Throws if it is not such a key for the algorithm, or an RSA key has fewer than 2048
    /// bits.
    package init(_ key: IssuerKeySet.Key, algorithm: IssuerAlgorithm) async throws {
        self.algorithm = algorithm
        id = key.kid
        keys = JWTKeyCollection()
        switch (algorithm, key.n, key.e, key.x, key.y) {
        case (.rs256, let modulus?, let exponent?, _, _):
            let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            await keys.add(rsa: key, digestAlgorithm: .sha256)
        case (.es256, _, _, let x?, let y?): await keys.add(ecdsa: try ES256PublicKey(parameters: (x: x, y: y)))
        case (.eddsa, _, _, let x?, _): await keys.add(eddsa: try EdDSA.PublicKey(x: x, curve: .ed25519))
        case (.hs256, _, _, _, _), (.rs256, _, _, _, _), (.es256, _, _, _, _), (.eddsa, _, _, _, _):
            throw IssuerKeyFault.otherKind
        }
    }

    /// The claims of a token that this key signed; nil for any other. The caller has checked the algorithm.
    package func payload(of token: String) async -> IssuerPayload? {
        // Whatever the error, the answer is the same: this key did not sign the token.
        try? await keys.verify(token, as: IssuerPayload.self)
    }
}

/// A key of the wrong kind for its algorithm.
package enum IssuerKeyFault: Error {
    case otherKind
}

/// A set of public keys (RFC 7517 §5). Unused members are ignored.
package struct IssuerKeySet: Decodable {
    /// One key (RFC 7518 §6, RFC 8037 §2).
    package struct Key: Decodable {
        package let kty: String
        package let use: String?
        package let alg: String?
        package let kid: String?
        package let crv: String?
        /// The modulus of an RSA key.
        package let n: String?
        /// The public exponent of an RSA key.
        package let e: String?
        package let x: String?
        package let y: String?
        /// Present only in a private key.
        package let d: String?

        /// `true` if tokens may be signed with it under an algorithm: it has the right kind and curve, and is not meant
        /// for another use.
        package func isFor(_ algorithm: IssuerAlgorithm) -> Bool {
            let isOfKind =
                switch algorithm {
                case .hs256: false
                case .rs256: kty == "RSA"
                case .es256: kty == "EC" && crv == "P-256"
                case .eddsa: kty == "OKP" && crv == "Ed25519"
                }
            return isOfKind && (use ?? "sig") == "sig" && (alg ?? algorithm.rawValue) == algorithm.rawValue
        }
    }

    package let keys: [Key]
}
