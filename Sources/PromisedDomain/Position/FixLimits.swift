/// How many positions a session takes of a participant, holds and keeps (docs/limits.md).
public struct FixLimits: Hashable, Sendable {
    /// Fixes a participant may report each second, on the server's clock.
    public var perSecond = 20
    /// Fixes a participant may report in one moment; no less than a report may hold.
    public var burst = 400
    /// Of a device's fixes nearer than this to one another only the first is applied.
    public var spacing = TimeSpan.milliseconds(100)
    /// Fixes that a session holds of a device, at most; the folded state tells of the others.
    public var held = 600
    /// The time between two recalls of a device, on the server's clock: what turns up meanwhile shares the next one.
    public var recallInterval = TimeSpan.seconds(10)
    /// Fixes that are kept of a participant in one promise.
    public var kept = 30_000

    /// The limits of the documentation.
    public init() {}
}
