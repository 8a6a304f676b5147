internal import PromisedConcurrency
package import PromisedDomain

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

    /// No code yet.
    package init() {}

    /// Makes a code for somebody.
    package func issue(for userID: UserID, at now: ContinuousClock.Instant = .now) -> SecretCode {
        var generator = SystemRandomNumberGenerator()
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
