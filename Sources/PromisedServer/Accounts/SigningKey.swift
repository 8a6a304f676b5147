/// The secret that access tokens are signed with: 32 bytes.
public struct SigningKey: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a key.
    public static let length = 32

    /// The secret itself.
    let bytes: [UInt8]

    /// A key of the given bytes; nil unless they are exactly ``length``.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new key.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Never the secret.
    public var description: String { "SigningKey(…)" }
}
