import Histogram

/// The counts of one process of a run; those of several processes are added.
struct LoadTally: Sendable, Codable {
    /// Measured reports.
    var reports = 0
    var deliveries = DeliveryLedger.Counts()
    /// From the due time of a report to its receipt by another member.
    var deliveryLatency = LatencyRecord()
    /// From the due time of the report that causes an arrival to the receipt of `arrived` by another member.
    var arrivalLatency = LatencyRecord()
    /// From the due time of a report to passing it to the socket: the punctuality of this program.
    var sendingLag = LatencyRecord()
    var arrivals = 0
    var cancellations = 0
    /// Frames received while measured.
    var frames = 0
    /// Their total bytes, including WebSocket headers.
    var bytes = 0
    /// Connections subscribed at the end.
    var connected = 0
    /// From the first connect to the last subscription.
    var connectSeconds = 0.0
    /// Connections cut intentionally.
    var cuts = 0
    /// Cut connections that were subscribed again.
    var resumed = 0
    /// Connections that ended unexpectedly.
    var drops = 0
    /// Errors by code: the server's codes, `closed.CODE` and `connect`.
    var errors: [String: Int] = [:]
    var violations: [String: Int] = [:]
    /// The counts of the background users, which run in one process only.
    var background = BackgroundTally()

    mutating func count(error code: String) { errors[code, default: 0] += 1 }
    mutating func count(_ violation: Violation) { violations[violation.rawValue, default: 0] += 1 }

    /// Adds the counts of another process.
    mutating func merge(_ other: LoadTally) {
        reports += other.reports
        deliveries.due += other.deliveries.due
        deliveries.delivered += other.deliveries.delivered
        deliveries.missing += other.deliveries.missing
        deliveries.excused += other.deliveries.excused
        deliveryLatency.merge(other.deliveryLatency)
        arrivalLatency.merge(other.arrivalLatency)
        sendingLag.merge(other.sendingLag)
        arrivals += other.arrivals
        cancellations += other.cancellations
        frames += other.frames
        bytes += other.bytes
        connected += other.connected
        connectSeconds = max(connectSeconds, other.connectSeconds)
        cuts += other.cuts
        resumed += other.resumed
        drops += other.drops
        errors.merge(other.errors, uniquingKeysWith: +)
        violations.merge(other.violations, uniquingKeysWith: +)
    }
}

/// Latencies in a high dynamic range histogram, exact to three digits, from a microsecond up.
struct LatencyRecord: Sendable, Codable {
    private var histogram: Histogram<UInt32>

    init() {
        histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000)
        histogram.autoResize = true
    }

    var count: Int { Int(histogram.totalCount) }

    /// Records a latency; a negative one counts as zero.
    mutating func record(_ latency: Duration) { _ = histogram.record(UInt64(max(0, latency.wholeMicroseconds))) }

    /// Adds the record of another process.
    mutating func merge(_ other: LatencyRecord) { histogram.add(other.histogram) }

    /// The percentiles in milliseconds; nil if empty.
    var summary: LatencySummary? {
        guard count > 0 else { return nil }
        return LatencySummary(
            p50: milliseconds(50),
            p90: milliseconds(90),
            p99: milliseconds(99),
            p999: milliseconds(99.9),
            max: Double(histogram.maxRecorded) / 1_000
        )
    }

    private func milliseconds(_ percentile: Double) -> Double {
        Double(min(histogram.valueAtPercentile(percentile), histogram.maxRecorded)) / 1_000
    }
}

/// Percentiles of latencies, in milliseconds.
struct LatencySummary: Hashable, Sendable, Codable {
    var p50: Double
    var p90: Double
    var p99: Double
    var p999: Double
    var max: Double
}
