import CoreMetrics

/// What one service thread has moved since it last reported: plain numbers, so that a frame costs no look-up.
struct Traffic {
    var framesIn = 0
    var framesOut = 0
    var bytesIn = 0
    var bytesOut = 0
    var superseded = 0
    var discarded = 0

    /// Adds the numbers to the metrics and starts again at zero.
    mutating func report(to metrics: TransportMetrics) {
        for (counter, count) in [
            (metrics.framesIn, framesIn), (metrics.framesOut, framesOut), (metrics.bytesIn, bytesIn),
            (metrics.bytesOut, bytesOut), (metrics.superseded, superseded), (metrics.discarded, discarded),
        ] where count > 0 {
            counter.increment(by: count)
        }
        self = Traffic()
    }
}
