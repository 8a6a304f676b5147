extension AttemptThrottle where Key == ThrottleAddress {
    /// Counts an attempt from an address if it has one left; loopback always has.
    ///
    /// - Returns: nil when the attempt may go on, else how long the address has to wait.
    public mutating func attempt(from address: ThrottleAddress, at now: ContinuousClock.Instant) -> Duration? {
        address.isLoopback ? nil : attempt(address, at: now)
    }

    /// The limit on handshakes: so many per address and second.
    public static func handshakes(_ limits: ServerConfiguration.Throttle) -> Self {
        Self(limit: limits.handshakes, window: .seconds(1), memory: limits.memory)
    }

    /// The limit on sign-ups: so many per address and hour.
    public static func signUps(_ limits: ServerConfiguration.Throttle) -> Self {
        Self(limit: limits.signUps, window: .seconds(3_600), memory: limits.memory)
    }
}
