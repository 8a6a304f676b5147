/// When the members of a session report, so that their positions are sent together (docs/protocol.md#reporting-slots).
///
/// Every session has a position inside the reporting interval, derived from its id, so that sessions spread evenly over
/// the slots of a ``ReportingGrid``. Sessions of the same slot report together.
package struct ReportingSlot: Hashable, Sendable {
    /// The time between two reports.
    package let interval: TimeSpan
    /// The grid of slots.
    package var grid: ReportingGrid
    /// The position in the interval, in parts of 2³².
    private let place: UInt32

    /// The slot of a promise. `interval` is positive.
    package init(of promise: PromiseID, interval: TimeSpan, on grid: ReportingGrid = .coarsest) {
        self.interval = interval
        self.grid = grid
        // The last 62 bits of a UUIDv7 are random, so they spread well. The upper ones of these are used, because the
        // lower ones select the thread of the session: with the same bits each burst would concern one thread only.
        place = UInt32(truncatingIfNeeded: promise.low >> 30)
    }

    /// The time from a multiple of the interval to the slot.
    package var offset: TimeSpan {
        let number = (Int64(place) * grid.slots) >> 32
        return TimeSpan(milliseconds: number * interval.milliseconds / grid.slots)
    }

    /// The time from `now` to the next slot: more than zero, at most one interval.
    package func untilNext(after now: Instant) -> TimeSpan {
        let phase = (now.milliseconds - offset.milliseconds) % interval.milliseconds
        let elapsed = phase < 0 ? phase + interval.milliseconds : phase
        return TimeSpan(milliseconds: interval.milliseconds - elapsed)
    }

    /// The time from `now` to the slot after that of the reports received so far. A slot that begins within a tenth of
    /// the interval is still theirs: the phones' clocks were slightly early.
    package func untilNext(afterReportsBy now: Instant) -> TimeSpan {
        let wait = untilNext(after: now)
        return wait.milliseconds * 10 < interval.milliseconds ? wait + interval : wait
    }
}
