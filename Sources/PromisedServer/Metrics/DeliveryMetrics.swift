internal import CoreMetrics
internal import PromisedConcurrency
internal import PromisedStore

/// Counts frames passed to connections, including ended ones whose session does not know yet. A frame for many
/// connections costs one addition.
struct DeliveryMetrics: Sendable {
    private let replies: Counter
    private let events: Counter
    private let passing: Counter
    private let collections: Counter
    private let positions: Counter
    private let collected: Recorder
    private let unsendable: Counter

    /// Counters at zero.
    init(_ factory: any MetricsFactory) {
        func deliveries(_ kind: String) -> Counter {
            Counter(label: "promised_deliveries_total", dimensions: [("kind", kind)], factory: factory)
        }
        replies = deliveries("reply")
        events = deliveries("event")
        passing = deliveries("passing")
        collections = deliveries("positions")
        positions = Counter(label: "promised_delivered_positions_total", factory: factory)
        unsendable = Counter(label: "promised_unsendable_frames_total", factory: factory)
        collected = Recorder(label: "promised_collection_positions", factory: factory)
    }

    /// Counts a reply or error to one connection.
    func replied() { replies.increment() }

    /// Counts a frame that was not sent because it can't be encoded or exceeds the limit.
    func withheld() { unsendable.increment() }

    /// Counts a durable event to this many connections.
    func event(to recipients: Int) { events.increment(by: recipients) }

    /// Counts a passing event other than positions, or an event outside any promise.
    func passing(to recipients: Int) { passing.increment(by: recipients) }

    /// Counts the positions in one frame to this many connections.
    func positions(_ count: Int, to recipients: Int) {
        collections.increment(by: recipients)
        positions.increment(by: count * recipients)
        collected.record(count)
    }
}

/// Counts the transactions of the store.
struct StoreMetrics: Sendable {
    private let done: Counter
    private let failed: Counter
    private let writes: Recorder
    private let duration: Recorder

    /// Counters at zero.
    init(_ factory: any MetricsFactory) {
        func commits(_ outcome: String) -> Counter {
            Counter(label: "promised_store_commits_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        done = commits("done")
        failed = commits("failed")
        writes = Recorder(label: "promised_store_commit_writes", factory: factory)
        duration = Recorder(label: "promised_store_commit_duration_seconds", factory: factory)
    }

    /// Counts an ended transaction.
    func note(_ report: CommitReport) {
        (report.isDurable ? done : failed).increment()
        writes.record(report.writes)
        duration.record(report.duration / .seconds(1))
    }
}

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
