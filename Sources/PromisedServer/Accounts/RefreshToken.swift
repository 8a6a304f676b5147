import Crypto

/// A refresh token: 32 random bytes, given to the client once and stored only as their SHA-256.
///
/// The bytes have full entropy, so a plain hash protects them; nothing is gained by a slow one.
public struct RefreshToken: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a token.
    public static let length = 32

    private let bytes: [UInt8]

    /// A new token.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A token as a client sends it back; nil for anything that cannot be one.
    public init?(_ text: String) {
        guard let bytes = Base64Text.decodeURL(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// What the client keeps: 43 characters of base 64 for URLs.
    public var text: String { Base64Text.encodeURL(bytes) }

    /// What the store keeps and looks up: 32 bytes.
    public var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Never the secret.
    public var description: String { "RefreshToken(…)" }
}
