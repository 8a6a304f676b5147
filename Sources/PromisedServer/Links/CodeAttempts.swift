internal import PromisedDomain
internal import PromisedTransport
internal import PromisedWire

/// How often one address may try a wrong code without an account, on the real clock: as often as it may fail to sign in
/// (domain §2). Loopback is left out.
final class CodeAttempts: Sendable {
    private let wrong: Guarded<AddressThrottle>

    /// A throttle as the settings say.
    init(_ limits: ServerConfiguration.Throttle) {
        wrong = Guarded(.codes(limits))
    }

    /// Runs `body`, which tries a code; only a wrong one counts. It counts while it is tried, so that many at once are
    /// not more than the limit.
    ///
    /// - Throws: `limit.attempts`, and what `body` throws.
    func trying<Value: Sendable>(
        from address: ThrottleAddress,
        _ body: () async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        let now = ContinuousClock.now
        if let wait = wrong.withLock({ $0.attempt(from: address, at: now) }) {
            throw RequestError(.limitAttempts, retryAfter: wait)
        }
        do throws(RequestError) {
            let value = try await body()
            giveBack(address, now)
            return value
        } catch {
            if error.code != .codeInvalid { giveBack(address, now) }
            throw error
        }
    }

    private func giveBack(_ address: ThrottleAddress, _ instant: ContinuousClock.Instant) {
        wrong.withLock { $0.takeBack(address, countedAt: instant) }
    }
}
