import Crypto
internal import PromisedConcurrency
package import PromisedDomain

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

/// Codes that sign somebody in once, for ten real minutes; in memory only, and made only by whoever runs the server in
/// their own process, such as the demo.
package final class SignInCodes: Sendable {
    private struct Entry: Sendable {
        let userID: UserID
        let expiresAt: ContinuousClock.Instant
    }

    /// How long a code is good.
    package static let lifetime = Duration.seconds(600)
    /// At most so many codes are good at a time; beyond, the one that expires first is so no more.
    package static let capacity = 1_000

    private let entries = Guarded<[[UInt8]: Entry]>([:])
    private let random: RandomSource

    /// No code yet.
    package init(random: RandomSource = .system) {
        self.random = random
    }

    /// Makes a code for somebody.
    package func issue(for userID: UserID, at now: ContinuousClock.Instant = .now) -> SecretCode {
        var generator = random
        let code = SecretCode(using: &generator)
        entries.withLock { entries in
            entries = entries.filter { now < $0.value.expiresAt }
            if entries.count >= SignInCodes.capacity,
                let oldest = entries.min(by: { $0.value.expiresAt < $1.value.expiresAt })
            {
                entries[oldest.key] = nil
            }
            entries[code.hash] = Entry(userID: userID, expiresAt: now + SignInCodes.lifetime)
        }
        return code
    }

    /// Uses a code up.
    ///
    /// - Returns: whom it signs in; nil when it is not good, or was used before.
    package func use(_ code: SecretCode, at now: ContinuousClock.Instant = .now) -> UserID? {
        let hash = code.hash
        guard let entry = entries.withLock({ $0.removeValue(forKey: hash) }), now < entry.expiresAt else { return nil }
        return entry.userID
    }
}
