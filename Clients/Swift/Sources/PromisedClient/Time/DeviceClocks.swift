/// The clocks of a simulated device: the client reads no other clock and waits by these alone.
@_spi(VirtualTime) public struct DeviceClocks: Sendable {
    private let read: @Sendable () -> (uptime: Duration, wallMs: Double)
    private let wait: @Sendable (Duration) async throws -> Void

    /// Creates the clocks of a device that is never restarted.
    ///
    /// - Parameters:
    ///   - read: the monotonic clock, and the wall clock in milliseconds since 1970.
    ///   - wait: waits until the monotonic clock shows a time. Throws `CancellationError`.
    public init(
        read: @escaping @Sendable () -> (uptime: Duration, wallMs: Double),
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }
}

extension DeviceClocks: ClientTime {
    var uptime: Duration { read().uptime }
    var wallMs: Double { read().wallMs }
    var boot: String? { nil }

    func sleep(until uptime: Duration) async throws { try await wait(uptime) }
}
