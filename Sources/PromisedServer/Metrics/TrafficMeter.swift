internal import PromisedConcurrency

/// Counts what goes on, second by second, to tell rates of the last ten.
final class TrafficMeter: Sendable {
    /// What is counted.
    struct Counts: Hashable, Sendable {
        /// Requests of all kinds.
        var requests = 0
        /// Reports among them.
        var reports = 0
        /// Positions times the connections they went to.
        var deliveries = 0

        static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                requests: left.requests + right.requests,
                reports: left.reports + right.reports,
                deliveries: left.deliveries + right.deliveries
            )
        }
    }

    private struct Second {
        var number: Int
        /// When the next one begins.
        var end: ContinuousClock.Instant
        var counts: Counts
    }

    /// How many seconds a rate is taken over.
    static let window = 10

    private let begun: ContinuousClock.Instant
    private let seconds: Guarded<[Second]>

    /// A meter that has counted nothing.
    init(at now: ContinuousClock.Instant = .now) {
        begun = now
        seconds = Guarded([])
    }

    /// Counts something, in the last second that has begun, though another thread's moment may lie before it.
    func note(_ counts: Counts, at now: ContinuousClock.Instant = .now) {
        seconds.withLock { seconds in
            if let last = seconds.last, now < last.end {
                seconds[seconds.count - 1].counts = last.counts + counts
            } else {
                let number = second(now)
                seconds.removeAll { $0.number < number - Self.window }
                seconds.append(Second(number: number, end: begun + .seconds(number + 1), counts: counts))
            }
        }
    }

    /// What was counted in the second that has begun and the nine before, or since the start when that is less.
    ///
    /// - Returns: the counts, and over how many seconds; at least 1, so that the first moments tell no wild rates.
    func recent(at now: ContinuousClock.Instant = .now) -> (counts: Counts, seconds: Double) {
        let number = second(now)
        let first = max(0, number - Self.window + 1)
        let counts = seconds.withLock { seconds in
            seconds.filter { $0.number >= first }.reduce(Counts()) { $0 + $1.counts }
        }
        return (counts, max(1, (now - begun) / .seconds(1) - Double(first)))
    }

    private func second(_ now: ContinuousClock.Instant) -> Int { Int((now - begun).components.seconds) }
}
