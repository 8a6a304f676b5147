import CoreMetrics

/// The numbers reported by one end of the transport; labels come from fixed sets.
struct TransportMetrics: Sendable {
    /// Why a handshake was refused.
    enum Refusal: String, CaseIterable, Sendable {
        case upgrade, path, version, key, host, body, subprotocol, limit, source, draining, handler
    }

    /// Which side ended a connection.
    enum End: String, CaseIterable, Sendable {
        case peer, here, lost
    }

    let connections: Gauge
    let framesIn: Counter
    let framesOut: Counter
    let bytesIn: Counter
    let bytesOut: Counter
    let superseded: Counter
    let slowCloses: Counter
    let discarded: Counter
    let requests: Counter
    let acceptRefused: Counter
    let strangerCuts: Counter
    let fullOutboxes: Counter
    let outboxFrames: Gauge
    let outboxBytes: Gauge
    let largestOutbox: Gauge
    let loopLag: Recorder
    private let refusals: [Refusal: Counter]
    private let closes: [End: Counter]

    init(end: String, thread: Int, factory: any MetricsFactory) {
        let labels = [("end", end), ("thread", String(thread))]
        func counter(_ name: String, _ more: (String, String)...) -> Counter {
            Counter(label: "promised_transport_\(name)_total", dimensions: labels + more, factory: factory)
        }
        func gauge(_ name: String) -> Gauge {
            Gauge(label: "promised_transport_\(name)", dimensions: labels, factory: factory)
        }
        connections = gauge("connections")
        outboxFrames = gauge("outbox_frames")
        outboxBytes = gauge("outbox_bytes")
        largestOutbox = gauge("largest_outbox_bytes")
        loopLag = Recorder(label: "promised_transport_loop_lag_seconds", dimensions: labels, factory: factory)
        framesIn = counter("received_frames")
        framesOut = counter("sent_frames")
        bytesIn = counter("received_bytes")
        bytesOut = counter("sent_bytes")
        superseded = counter("superseded_frames")
        slowCloses = counter("slow_closes")
        discarded = counter("discarded_frames")
        requests = counter("http_requests")
        acceptRefused = counter("refused_accepts")
        strangerCuts = counter("cut_strangers")
        fullOutboxes = counter("full_outboxes")
        refusals = .init(
            uniqueKeysWithValues: Refusal.allCases.map { ($0, counter("refused_handshakes", ("reason", $0.rawValue))) }
        )
        closes = .init(
            uniqueKeysWithValues: End.allCases.map { ($0, counter("closed_connections", ("by", $0.rawValue))) }
        )
    }

    func refused(_ refusal: Refusal) { refusals[refusal]?.increment() }
    func closed(by end: End) { closes[end]?.increment() }
}
