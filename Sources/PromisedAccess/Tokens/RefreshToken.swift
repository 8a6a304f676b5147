import Crypto
package import PromisedDomain

/// A refresh token: 48 random bytes, given to the client once and stored only as SHA-256.
///
/// The first 16 are its family, which all successors of a token share; the other 32 are its own. The bytes have full
/// entropy, so a plain hash protects them; a slow one gains nothing.
package struct RefreshToken: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a family.
    package static let familyLength = 16
    /// The length of a token besides its family, in bytes. Versions up to 0.1 issued tokens without a family.
    package static let ownLength = 32

    private let family: [UInt8]?
    private let own: [UInt8]

    /// A new token of a new family. `generator` must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(family: Self.random(Self.familyLength, using: &generator), using: &generator)
    }

    /// A token from a client's text; nil if malformed.
    package init?(_ text: String) {
        guard let bytes = Base64Text.decodeURL(text) else { return nil }
        switch bytes.count {
        case Self.familyLength + Self.ownLength: family = Array(bytes.prefix(Self.familyLength))
        case Self.ownLength: family = nil
        default: return nil
        }
        own = bytes.suffix(Self.ownLength)
    }

    private init(family: [UInt8], using generator: inout some RandomNumberGenerator) {
        self.family = family
        own = Self.random(Self.ownLength, using: &generator)
    }

    /// A successor of this token, with its family, or with a new one if it has none. `generator` must be
    /// cryptographically secure outside tests.
    package func successor(using generator: inout some RandomNumberGenerator) -> RefreshToken {
        guard let family else { return RefreshToken(using: &generator) }
        return RefreshToken(family: family, using: &generator)
    }

    /// The client's form: 64 characters of base 64 for URLs.
    package var text: String { Base64Text.encodeURL(bytes) }

    /// The stored form, used for look-ups: 32 bytes each.
    package var hash: RefreshHash {
        RefreshHash(Array(SHA256.hash(data: bytes)), family: family.map { Array(SHA256.hash(data: $0)) })
    }

    /// Never contains the secret.
    package var description: String { "RefreshToken(…)" }
    private var bytes: [UInt8] { (family ?? []) + own }

    private static func random(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
