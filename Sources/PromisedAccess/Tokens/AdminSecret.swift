internal import Crypto

/// The secret of an administrator's token: 32 random bytes, shown once and stored only as their SHA-256.
///
/// The bytes have full entropy, so a plain hash protects them. The prefix tells it from a user's token, which is a JWT,
/// and lets tools that look for leaked secrets find it.
package struct AdminSecret: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a secret.
    package static let length = 32
    /// How its text begins.
    package static let prefix = "promised_admin_"

    private let bytes: [UInt8]

    /// A new secret.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A secret as it was shown; nil for anything that cannot be one.
    package init?(_ text: String) {
        guard Self.isMeant(by: text),
            let bytes = Base64Text.decodeURL(String(Substring(text.utf8.dropFirst(Self.prefix.utf8.count)))),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    /// Whether a text claims to be an administrator's secret.
    package static func isMeant(by text: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

    /// What the administrator keeps: the prefix and 43 characters of base 64 for URLs.
    package var text: String { Self.prefix + Base64Text.encodeURL(bytes) }

    /// What the store keeps and looks up: 32 bytes.
    package var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Never the secret.
    package var description: String { "AdminSecret(…)" }
}
