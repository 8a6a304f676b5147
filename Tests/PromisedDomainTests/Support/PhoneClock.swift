import PromisedDomain
import PromisedTestSupport

/// The clocks of one phone in a known relation to the server's.
struct PhoneClock: Sendable {
    /// When the phone was started, on the server's clock.
    var startedAt = Instant.meeting - .hours(5)
    /// How far its wall clock is ahead of the server's.
    var wallLead = TimeSpan.zero

    func uptimeMs(at instant: Instant) -> Double { Double((instant - startedAt).milliseconds) }

    func wallMs(at instant: Instant) -> Double { Double((instant + wallLead).milliseconds) }

    /// Both clocks as the phone reads them.
    func readings(at instant: Instant) -> ClockReadings {
        ClockReadings(uptimeMs: uptimeMs(at: instant), wallMs: wallMs(at: instant))
    }

    /// The wall clock alone.
    func wallReading(at instant: Instant) -> ClockReadings { ClockReadings(wallMs: wallMs(at: instant)) }

    /// A fix made at an instant, with both clocks.
    func fix(seq: UInt32 = 1, at instant: Instant, metres: Double = 0) -> Fix {
        .sample(seq: seq, metres: metres, uptimeMs: uptimeMs(at: instant), wallMs: wallMs(at: instant))
    }

    /// A fix made at an instant, with the wall clock alone.
    func wallFix(seq: UInt32 = 1, at instant: Instant, metres: Double = 0) -> Fix {
        .sample(seq: seq, metres: metres, wallMs: wallMs(at: instant))
    }
}

extension DeviceClock {
    /// The time of a fix on the server's clock.
    func time(of fix: Fix, sent: ClockReadings, at now: Instant) -> Instant { date(of: fix, sent: sent, at: now).time }
}
