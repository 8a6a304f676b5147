internal import CoreMetrics

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
