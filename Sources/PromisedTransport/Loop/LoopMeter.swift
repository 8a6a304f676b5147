import CoreMetrics

/// The counters of one service thread: plain numbers while it works, periodically reported to the metrics.
struct LoopMeter {
    /// The reports that are due after a tick.
    struct Due: Equatable {
        /// The traffic, and the number of connections.
        var traffic = false
        /// The content of the outboxes: rarely, because that visits every connection.
        var survey = false
    }

    /// The number of ticks between reports of the traffic.
    static let ticksPerReport = 4
    /// The time between two surveys of the outboxes.
    static let surveyInterval = Duration.seconds(5)

    let metrics: TransportMetrics
    private let resolution: Duration
    private var framesIn = 0
    private var bytesIn = 0
    private var tickCount = 0
    private var lastTick: ContinuousClock.Instant?
    private var nextSurvey: ContinuousClock.Instant

    /// A meter that starts at `instant`, with a ticker of interval `resolution`.
    init(_ metrics: TransportMetrics, resolution: Duration, at instant: ContinuousClock.Instant) {
        self.metrics = metrics
        self.resolution = resolution
        nextSurvey = instant
    }

    mutating func received(bytes: Int) {
        framesIn += 1
        bytesIn += bytes
    }

    /// Handles a tick: reports its delay, and returns what else to report.
    mutating func tick(at instant: ContinuousClock.Instant) -> Due {
        if let lastTick { metrics.loopLag.record(max(.zero, instant - lastTick - resolution) / .seconds(1)) }
        lastTick = instant
        tickCount &+= 1
        let due = Due(traffic: tickCount % Self.ticksPerReport == 0, survey: instant >= nextSurvey)
        if due.survey { nextSurvey = instant + Self.surveyInterval }
        return due
    }

    mutating func report(_ sent: SentTraffic, connections: Int) {
        for (counter, count) in [
            (metrics.framesIn, framesIn), (metrics.framesOut, sent.frames), (metrics.bytesIn, bytesIn),
            (metrics.bytesOut, sent.bytes), (metrics.superseded, sent.superseded), (metrics.discarded, sent.discarded),
        ] where count > 0 { counter.increment(by: count) }
        framesIn = 0
        bytesIn = 0
        metrics.connections.record(connections)
    }

    /// Reports the content of the outboxes.
    func report(_ survey: ChannelTable.Survey) {
        metrics.outboxFrames.record(survey.frames)
        metrics.outboxBytes.record(survey.bytes)
        metrics.largestOutbox.record(survey.largest)
    }
}
