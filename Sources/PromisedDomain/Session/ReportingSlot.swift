/// When the members of a session report, so that their positions go out together (protocol §6).
///
/// Every session has an offset inside the reporting interval, taken from its id, so that sessions spread evenly: over
/// a grid of fifty steps. Sessions of the same step report together, and what a server does many times over costs a
/// part of what it costs when it has slept in between (docs/benchmarks.md).
public struct ReportingSlot: Hashable, Sendable {
    /// The time between two reports.
    public let interval: TimeSpan
    /// From a multiple of the interval to the slot.
    public let offset: TimeSpan

    /// How many different offsets there are.
    public static let steps: Int64 = 50

    /// The slot of a promise.
    ///
    /// - Parameter interval: positive.
    public init(of promise: PromiseID, interval: TimeSpan) {
        self.interval = interval
        // The last 62 bits of a UUIDv7 are random: good enough to spread by. Of these the upper ones, for the lower ones
        // tell which thread the session lives on: from the same bits each burst would be one thread's alone.
        let step = Int64(promise.low >> 32) % Self.steps
        offset = TimeSpan(milliseconds: step * interval.milliseconds / Self.steps)
    }

    /// From `now` to the next slot: more than nothing, at most one interval.
    public func untilNext(after now: Instant) -> TimeSpan {
        let phase = (now.milliseconds - offset.milliseconds) % interval.milliseconds
        let elapsed = phase < 0 ? phase + interval.milliseconds : phase
        return TimeSpan(milliseconds: interval.milliseconds - elapsed)
    }

    /// From reports that came by `now` to the slot after theirs: one that begins within a tenth of the interval is their
    /// own, to which the phones' clocks were a little early.
    public func untilNext(afterReportsBy now: Instant) -> TimeSpan {
        let wait = untilNext(after: now)
        return wait.milliseconds * 10 < interval.milliseconds ? wait + interval : wait
    }
}
