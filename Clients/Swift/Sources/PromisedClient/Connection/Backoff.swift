/// How long to wait between attempts: at random up to a bound that doubles ("full jitter"), so that many clients that
/// lost the same server do not come back together.
public struct Backoff: Hashable, Sendable {
    /// The bound before the first attempt.
    public var first: Duration
    /// The largest bound.
    public var longest: Duration

    /// Bounds; by default from 0.25 s to 30 s.
    public init(first: Duration = .milliseconds(250), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The wait before attempt number `attempt`, counted from 0 after a loss or a success.
    public func wait(attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = min(first * (1 << min(attempt, 16)), longest)
        return bound * Double.random(in: 0...1, using: &generator)
    }
}
