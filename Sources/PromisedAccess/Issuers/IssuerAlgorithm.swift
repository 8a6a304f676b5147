/// How tokens of an outside issuer may be signed (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// The raw value is the only `alg` a key of that algorithm is used for: a public RSA key can never be taken for the
/// secret of an HMAC.
package enum IssuerAlgorithm: String, Sendable, Hashable, CaseIterable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"
    case eddsa = "EdDSA"
}
