internal import PromisedDomain

/// Whether the machine's wall clock still says what it said at the start, and whether the server's clock follows it.
///
/// The server's clock follows the machine's monotonic one, so that nothing moves an arrival; a wall clock that is moved
/// later is followed only after a restart.
struct ClockCheck: Sendable {
    /// A difference of this size is reported.
    static let tolerance = TimeSpan.seconds(5)

    private let wall: Instant
    private let monotonic: ContinuousClock.Instant
    private let isOwn: Bool

    /// The clocks at the start.
    ///
    /// - Parameter isOwn: whether the server's clock is not that of the world: scaled, or started elsewhere.
    init(wall: Instant, monotonic: ContinuousClock.Instant, isOwn: Bool) {
        self.wall = wall
        self.monotonic = monotonic
        self.isOwn = isOwn
    }

    /// The state of the clocks now.
    func finding(at wall: Instant, _ monotonic: ContinuousClock.Instant) -> HealthFinding {
        guard !isOwn else {
            let advice = "Leave clock.rate and clock.start out of the configuration of a server that people use."
            return .warning("clock", "The server's clock is not that of the world.", advice: advice)
        }
        let elapsed = TimeSpan(milliseconds: Int64((monotonic - self.monotonic) / .milliseconds(1)))
        let moved = wall - self.wall - elapsed
        guard moved > Self.tolerance || moved < .zero - Self.tolerance else {
            return .ok("clock", "The machine's clock has run evenly since the start.")
        }
        return .warning(
            "clock",
            "The machine's clock was moved by \(moved.milliseconds / 1_000) s since the start.",
            advice: "Keep it synchronised, and restart the server in a quiet moment so that its clock follows."
        )
    }
}
