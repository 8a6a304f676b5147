internal import PromisedDomain
internal import PromisedTransport
internal import PromisedWire

/// How often one user may type a wrong code, on the real clock (domain §6.7).
final class CodeThrottle: Sendable {
    private let wrong: Guarded<AttemptThrottle<UserID>>

    /// A throttle of `limit` wrong codes in a window.
    init(limit: Int, window: Duration, memory: Int) {
        wrong = Guarded(AttemptThrottle(limit: limit, window: window, memory: memory))
    }

    /// A throttle as the settings say.
    convenience init(_ limits: ServerConfiguration.Throttle) {
        self.init(limit: limits.wrongCodes, window: limits.codeWindow.duration, memory: limits.memory)
    }

    /// Runs `body`, which tries a code; only a wrong one counts. It counts while it is tried, so that many at once are
    /// not more than the limit.
    ///
    /// - Throws: `limit.attempts`, and what `body` throws.
    func trying<Value: Sendable>(
        by userID: UserID,
        _ body: () async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        let now = ContinuousClock.now
        if let wait = wrong.withLock({ $0.attempt(userID, at: now) }) {
            throw RequestError(.limitAttempts, retryAfter: wait)
        }
        do throws(RequestError) {
            let value = try await body()
            giveBack(userID, now)
            return value
        } catch {
            if error.code != .codeInvalid { giveBack(userID, now) }
            throw error
        }
    }

    private func giveBack(_ userID: UserID, _ instant: ContinuousClock.Instant) {
        wrong.withLock { $0.takeBack(userID, countedAt: instant) }
    }
}
