internal import Crypto

/// The secret of an administrator's token: 32 random bytes, shown once and stored only as their SHA-256.
///
/// The bytes have full entropy, so a plain hash protects them. The prefix distinguishes it from a user's token, which
/// is a JWT, and makes it visible to tools that search for leaked secrets.
package struct AdminSecret: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a secret.
    package static let length = 32
    /// The prefix of its text.
    package static let prefix = "promised_admin_"

    private let bytes: [UInt8]

    /// A new secret. `generator` must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A secret from its text; nil if malformed.
    package init?(_ text: String) {
        guard Self.isMeant(by: text),
            let bytes = Base64Text.decodeURL(String(Substring(text.utf8.dropFirst(Self.prefix.utf8.count)))),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    /// `true` if a text has the prefix of an administrator's secret.
    package static func isMeant(by text: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

    /// The administrator's form: the prefix and 43 characters of base 64 for URLs.
    package var text: String { Self.prefix + Base64Text.encodeURL(bytes) }

    /// The stored form, used for look-ups: 32 bytes.
    package var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Never contains the secret.
    package var description: String { "AdminSecret(…)" }
}
