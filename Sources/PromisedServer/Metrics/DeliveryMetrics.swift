internal import CoreMetrics

/// Counts what is handed to connections, also to those that have just ended and of which the session does not know it yet. A
/// frame for many costs one addition, however many they are.
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

    /// A reply, or an error, to one connection.
    func replied() { replies.increment() }

    /// A frame that can't be encoded, or is larger than any may be, and so was not sent.
    func withheld() { unsendable.increment() }

    /// A durable event to so many.
    func event(to recipients: Int) { events.increment(by: recipients) }

    /// A passing event other than positions, or one outside any promise.
    func passing(to recipients: Int) { passing.increment(by: recipients) }

    /// So many positions in one frame to so many.
    func positions(_ count: Int, to recipients: Int) {
        collections.increment(by: recipients)
        positions.increment(by: count * recipients)
        collected.record(count)
    }
}
