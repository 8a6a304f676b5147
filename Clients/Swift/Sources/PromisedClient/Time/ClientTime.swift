/// The device's clocks as the client reads them, and the only way it waits; a seam for tests.
protocol ClientTime: Sendable {
    /// The monotonic clock: since the device started, time asleep included.
    var uptime: Duration { get }
    /// The wall clock, in milliseconds since 1970-01-01T00:00:00Z.
    var wallMs: Double { get }
    /// Names the run of the device that ``uptime`` counts from; nil when the system does not tell.
    var boot: String? { get }
    /// Waits until ``uptime`` shows `uptime`; returns at once when it does already.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until uptime: Duration) async throws
}
