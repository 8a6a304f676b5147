import Foundation

/// A set of public keys (RFC 7517 §5). Members that this server has no use for are ignored.
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
        /// What a private key has.
        package let d: String?

        /// Whether tokens may be signed with it under an algorithm: of its kind and curve, and meant for nothing else.
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
