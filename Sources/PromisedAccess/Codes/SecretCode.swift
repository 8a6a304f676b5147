import Crypto
internal import PromisedConcurrency
package import PromisedDomain

/// A code that is sufficient by itself: 24 random bytes (192 bits), shown once and stored only as their SHA-256. It may
/// be part of the fragment of a URL.
///
/// The bytes have full entropy, so a plain hash protects them; a slow one gains nothing.
package struct SecretCode: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a code.
    package static let length = 24

    /// The code as shown: 32 letters, digits, `-` and `_`.
    package let text: String

    /// A new code. `generator` must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        text = Base64Text.encodeURL((0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The code that a client sent. A malformed one is not rejected here: its hash matches none, so the look-up takes
    /// as long as for any other.
    package init(sent text: String) { self.text = text.utf8.count <= TextWeight.code ? text : "" }

    /// The stored form, used for look-ups: 32 bytes.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// Never contains the secret.
    package var description: String { "SecretCode(…)" }
}

/// Codes that sign a user in once, valid for ten real minutes; in memory only, and issued only by a process that runs
/// the server itself, such as the demo.
package final class SignInCodes: Sendable {
    private struct Entry: Sendable {
        let userID: UserID
        let expiresAt: ContinuousClock.Instant
    }

    /// How long a code is valid.
    package static let lifetime = Duration.seconds(600)
    /// The maximum number of valid codes; beyond it, the one that expires first is dropped.
    package static let capacity = 1_000

    private let entries = Guarded<[[UInt8]: Entry]>([:])
    private let random: RandomSource

    /// Starts without codes.
    package init(random: RandomSource = .system) { self.random = random }

    /// Issues a code for a user.
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

    /// Consumes a code. Returns the user it signs in; nil if it is invalid or already used.
    package func use(_ code: SecretCode, at now: ContinuousClock.Instant = .now) -> UserID? {
        let hash = code.hash
        guard let entry = entries.withLock({ $0.removeValue(forKey: hash) }), now < entry.expiresAt else { return nil }
        return entry.userID
    }
}
