internal import PromisedConcurrency

/// Counts events per second, for the rates of the last ten seconds.
final class TrafficMeter: Sendable {
    struct Counts: Hashable, Sendable {
        var requests = 0
        var reports = 0
        /// Positions multiplied by the number of their receivers.
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
        /// The end of the current second.
        var end: ContinuousClock.Instant
        var counts: Counts
    }

    /// The number of seconds that a rate covers.
    static let window = 10

    private let begun: ContinuousClock.Instant
    private let seconds: Guarded<[Second]>

    init(at now: ContinuousClock.Instant = .now) {
        begun = now
        seconds = Guarded([])
    }

    /// Counts an event in the current second, even if another thread has read an earlier time.
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

    /// The counts of the current second and the nine before, or since the start if that is more recent.
    ///
    /// - Returns: the counts, and the number of seconds; at least 1, so that the first rates are not too high.
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
