internal import PromisedDomain

/// Checks that the machine's wall clock has not changed since the start, and that the server's clock is not scaled.
///
/// The server's clock follows the machine's monotonic clock, so that a change of the wall clock moves no arrival. The
/// server adopts the changed wall clock at its next start.
struct ClockCheck: Sendable {
    /// The smallest difference that is reported.
    static let tolerance = TimeSpan.seconds(5)

    private let wall: Instant
    private let monotonic: ContinuousClock.Instant
    private let isOwn: Bool

    /// - Parameter isOwn: `true` if the server's clock does not show real time: scaled, or started at another time.
    init(wall: Instant, monotonic: ContinuousClock.Instant, isOwn: Bool) {
        self.wall = wall
        self.monotonic = monotonic
        self.isOwn = isOwn
    }

    /// The state of the clocks now.
    func finding(at wall: Instant, _ monotonic: ContinuousClock.Instant) -> HealthFinding {
        guard !isOwn else {
            let advice = "Remove clock.rate and clock.start from the configuration of a server that people use."
            return .warning("clock", "The server's clock does not show real time.", advice: advice)
        }
        let elapsed = TimeSpan(milliseconds: Int64((monotonic - self.monotonic) / .milliseconds(1)))
        let moved = wall - self.wall - elapsed
        guard moved > Self.tolerance || moved < .zero - Self.tolerance else {
            return .ok("clock", "The machine's clock has not jumped since the start.")
        }
        return .warning(
            "clock",
            "The machine's clock has jumped by \(moved.milliseconds / 1_000) s since the start.",
            advice: "Keep it synchronised, and restart the server at a quiet time to adopt the new time."
        )
    }
}
