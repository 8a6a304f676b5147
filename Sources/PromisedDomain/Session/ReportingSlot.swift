/// When the members of a session report, so that their positions go out together (docs/protocol.md#reporting-slots).
///
/// Every session has a place inside the reporting interval, taken from its id, so that sessions spread evenly over the
/// slots of a ``ReportingGrid``. Those of the same slot report together.
package struct ReportingSlot: Hashable, Sendable {
    /// The time between two reports.
    package let interval: TimeSpan
    /// The slots there are.
    package var grid: ReportingGrid
    /// The place in the interval, in parts of 2³².
    private let place: UInt32

    /// The slot of a promise. `interval` is positive.
    package init(of promise: PromiseID, interval: TimeSpan, on grid: ReportingGrid = .coarsest) {
        self.interval = interval
        self.grid = grid
        // The last 62 bits of a UUIDv7 are random: good enough to spread by. Of these the upper ones, for the lower ones
        // tell which thread the session lives on: from the same bits each burst would be one thread's alone.
        place = UInt32(truncatingIfNeeded: promise.low >> 30)
    }

    /// From a multiple of the interval to the slot.
    package var offset: TimeSpan {
        let number = (Int64(place) * grid.slots) >> 32
        return TimeSpan(milliseconds: number * interval.milliseconds / grid.slots)
    }

    /// From `now` to the next slot: more than nothing, at most one interval.
    package func untilNext(after now: Instant) -> TimeSpan {
        let phase = (now.milliseconds - offset.milliseconds) % interval.milliseconds
        let elapsed = phase < 0 ? phase + interval.milliseconds : phase
        return TimeSpan(milliseconds: interval.milliseconds - elapsed)
    }

    /// From reports that came by `now` to the slot after theirs: one that begins within a tenth of the interval is their
    /// own, to which the phones' clocks were a little early.
    package func untilNext(afterReportsBy now: Instant) -> TimeSpan {
        let wait = untilNext(after: now)
        return wait.milliseconds * 10 < interval.milliseconds ? wait + interval : wait
    }
}
