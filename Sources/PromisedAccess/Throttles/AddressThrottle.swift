import PromisedDomain
package import PromisedSettings

/// Counts attempts per address on the real clock, and for IPv6 also per surrounding /56 and /48, whose limits are a
/// multiple of an address's: a customer with a /48 has 65,536 addresses.
///
/// An attempt needs room in all of them and counts in all. Loopback is exempt.
package struct AddressThrottle: Sendable {
    /// For the address itself, then for increasingly wide networks around it.
    private var throttles: [AttemptThrottle<ThrottleAddress>]

    /// A throttle without attempts.
    ///
    /// - Parameters:
    ///   - limit: attempts of an address within the window; at least 1.
    ///   - window: how long an attempt counts; more than zero.
    ///   - limits: the limits of networks, and the most entries stored.
    package init(limit: Int, window: Duration, _ limits: ServerSettings.Throttle) {
        throttles = [1, limits.factor56, limits.factor48].map { factor in
            AttemptThrottle(limit: limit * factor, window: window, memory: limits.memory)
        }
    }

    /// The time that `address` must wait at `now`, the longest of the waits; nil if it has an attempt left. Does not
    /// count an attempt.
    package func wait(of address: ThrottleAddress, at now: ContinuousClock.Instant) -> Duration? {
        guard !address.isLoopback else { return nil }
        return zip(throttles, address.withNetworks).compactMap { $0.wait(of: $1, at: now) }.max()
    }

    /// Counts an attempt, even if the address has none left.
    package mutating func count(_ address: ThrottleAddress, at now: ContinuousClock.Instant) {
        guard !address.isLoopback else { return }
        for (index, network) in address.withNetworks.enumerated() { throttles[index].count(network, at: now) }
    }

    /// Counts an attempt if the address has one left. Returns nil if it was counted, else the time that the address
    /// must wait.
    package mutating func attempt(from address: ThrottleAddress, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = wait(of: address, at: now) { return wait }
        count(address, at: now)
        return nil
    }

    /// Removes an attempt counted at `time`; no effect without one.
    package mutating func takeBack(_ address: ThrottleAddress, countedAt time: ContinuousClock.Instant) {
        for (index, network) in address.withNetworks.enumerated() {
            throttles[index].takeBack(network, countedAt: time)
        }
    }

    /// Removes an attempt from the networks around an address; for the address itself it still counts.
    package mutating func takeBackFromNetworks(around address: ThrottleAddress, countedAt time: ContinuousClock.Instant)
    {
        for (index, network) in address.withNetworks.enumerated().dropFirst() {
            throttles[index].takeBack(network, countedAt: time)
        }
    }

    /// The limit on handshakes, per address and second.
    package static func handshakes(_ limits: ServerSettings.Throttle) -> Self {
        Self(limit: limits.handshakes, window: .seconds(1), limits)
    }

    /// The limit on sign-ups, per address and hour.
    package static func signUps(_ limits: ServerSettings.Throttle) -> Self {
        Self(limit: limits.signUps, window: .seconds(3_600), limits)
    }

    /// The limit on wrong codes without an account: that of failed sign-ins.
    package static func codes(_ limits: ServerSettings.Throttle) -> Self {
        Self(limit: limits.signInsPerAddress, window: limits.signInWindow.duration, limits)
    }
}
