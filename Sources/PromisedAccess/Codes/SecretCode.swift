import Crypto

/// A code that whoever holds it needs to know nothing else for: 24 random bytes (192 bits), shown once and kept only as
/// their SHA-256. It may stand in the fragment of a URL.
///
/// The bytes have full entropy, so a plain hash protects them; nothing is gained by a slow one.
package struct SecretCode: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a code.
    package static let length = 24

    /// The code as it is shown: 32 letters, digits, `-` and `_`.
    package let text: String

    /// A new code.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        text = Base64Text.encodeURL((0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The code that somebody sent. One that cannot be a code is not told apart here: it has a hash that is nobody's, so
    /// that looking it up takes as long as for any other.
    package init(sent text: String) {
        self.text = text.utf8.count <= TextWeight.code ? text : ""
    }

    /// What is kept and looked up: 32 bytes.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// Never the secret.
    package var description: String { "SecretCode(…)" }
}
