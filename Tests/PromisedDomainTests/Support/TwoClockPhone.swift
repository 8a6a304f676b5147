import PromisedDomain
import PromisedTestSupport

/// A phone that dates its fixes by one wall clock and its reports by another, and the server's result.
struct TwoClockPhone: Sendable {
    /// How far the clock of `sentAt` is ahead of the server's, in seconds; nil: reports do not carry it.
    var system: Double?
    /// How far the clock of `recordedAt` is ahead of the server's, in seconds.
    var receiver: Double
    /// The clock as the server knows it.
    var clock = DeviceClock()
    private(set) var seq: UInt32 = 0

    init(system: Double? = 0, receiver: Double) {
        self.system = system
        self.receiver = receiver
    }

    /// The fate of a fix.
    struct Fate: Equatable, CustomStringConvertible {
        /// Its age at receipt by the server's clock, in seconds.
        var age: Double
        /// `true` if it was dated by another clock than that of its report.
        var isOfOtherClock: Bool

        init(_ age: Double, _ isOfOtherClock: Bool) {
            (self.age, self.isOfOtherClock) = (age, isOfOtherClock)
        }

        var description: String { "\(age) s old\(isOfOtherClock ? ", by another clock" : "")" }
    }

    /// Sends fixes of these ages, in seconds; each has the next number.
    ///
    /// - Parameter second: when they are sent and received, from the meeting time.
    mutating func report(_ ages: [Double], at second: Double) -> [Fate] {
        report(readings: ages.map { receiver - $0 }, at: second)
    }

    /// Sends fixes whose `recordedAt` is ahead of the server's clock by these seconds.
    mutating func report(readings: [Double], at second: Double) -> [Fate] {
        let now = Instant.meeting + .seconds(second)
        let nowMs = Double(now.milliseconds)
        let sent = ClockReadings(wallMs: system.map { nowMs + $0 * 1_000 })
        let fixes = readings.map { reading in
            seq += 1
            return Fix.sample(seq: seq, wallMs: nowMs + (reading * 1_000).rounded())
        }
        clock.observe(sent, at: now)
        clock.observe(fixes, sent: sent, at: now)
        return fixes.map { fix in
            let date = clock.date(of: fix, sent: sent, at: now)
            return Fate(Double((now - date.time).milliseconds) / 1_000, date.isOfOtherClock)
        }
    }
}
