/// The secret that access tokens are signed with: 32 bytes.
package struct SigningKey: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a key.
    package static let length = 32

    /// The secret itself.
    package let bytes: [UInt8]

    /// A key of the given bytes; nil unless they are exactly ``length``.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new key.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Never the secret.
    package var description: String { "SigningKey(…)" }
}
