#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The device's clocks for the client, and its only way to wait; a seam for tests.
protocol ClientTime: Sendable {
    /// The monotonic clock: time since the device started, including sleep.
    var uptime: Duration { get }
    /// The wall clock, in milliseconds since 1970-01-01T00:00:00Z.
    var wallMs: Double { get }
    /// Identifies the run of the device that ``uptime`` counts from; nil if the system does not provide it.
    var boot: String? { get }
    /// Waits until ``uptime`` reaches `uptime`; returns at once if it has. Throws `CancellationError`.
    func sleep(until uptime: Duration) async throws
}

struct SystemTime: ClientTime {
    /// The clock that continues while the device sleeps; the one called monotonic on Linux does not.
    #if canImport(Darwin)
    private static let bootClock = CLOCK_MONOTONIC
    #else
    private static let bootClock = CLOCK_BOOTTIME
    #endif

    init() {}

    var uptime: Duration { Self.read(Self.bootClock) }

    var wallMs: Double { Self.read(CLOCK_REALTIME).inSeconds * 1_000 }

    /// The kernel's name of this run; nil without one.
    var boot: String? {
        guard let bytes = try? FileBytes.contents(of: "/proc/sys/kernel/random/boot_id") else {
            // Not Linux: a restart in between cannot be detected.
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits; on Linux and Darwin the continuous clock is the one that ``uptime`` reads.
    func sleep(until uptime: Duration) async throws {
        let ahead = uptime - self.uptime
        guard ahead > .zero else { return try Task.checkCancellation() }
        try await Task.sleep(for: ahead, tolerance: .milliseconds(10), clock: .continuous)
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var reading = timespec()
        guard clock_gettime(clock, &reading) == 0 else { preconditionFailure("The system has no such clock.") }
        return .seconds(Int64(reading.tv_sec)) + .nanoseconds(Int64(reading.tv_nsec))
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var inMilliseconds: Double { inSeconds * 1_000 }
}
