extension MetricCatalogue {
    /// What the transport counts, for each of its threads.
    static let transport: [MetricDescriptor] = [
        .gauge("promised_transport_connections", "Sockets of clients, those in a handshake included.", labels: ends),
        .counter("promised_transport_received_frames_total", "WebSocket messages received.", labels: ends),
        .counter("promised_transport_sent_frames_total", "WebSocket messages sent.", labels: ends),
        .counter("promised_transport_received_bytes_total", "Bytes of messages received.", labels: ends),
        .counter("promised_transport_sent_bytes_total", "Bytes of messages sent.", labels: ends),
        .counter(
            "promised_transport_superseded_frames_total",
            "Waiting positions that newer ones replaced.",
            labels: ends
        ),
        .counter(
            "promised_transport_discarded_frames_total",
            "Messages to connections that ended before they were sent.",
            labels: ends
        ),
        .counter("promised_transport_slow_closes_total", "Connections closed as too slow readers.", labels: ends),
        .counter("promised_transport_http_requests_total", "Plain HTTP requests.", labels: ends),
        .counter(
            "promised_transport_refused_accepts_total",
            "Sockets closed at once because there were too many.",
            labels: ends
        ),
        .counter(
            "promised_transport_cut_strangers_total",
            "Connections without a sign-in that made room for others when all places were taken.",
            labels: ends
        ),
        .counter(
            "promised_transport_full_outboxes_total",
            "Connections closed as too slow readers because the outboxes of all held too much.",
            labels: ends
        ),
        .counter(
            "promised_transport_refused_handshakes_total",
            "WebSocket handshakes that were refused.",
            labels: ends + ["reason"]
        ),
        .counter("promised_transport_closed_connections_total", "Connections that ended.", labels: ends + ["by"]),
        .gauge("promised_transport_outbox_frames", "Messages that wait in all outboxes.", labels: ends),
        .gauge("promised_transport_outbox_bytes", "Bytes that wait in all outboxes.", labels: ends),
        .gauge("promised_transport_largest_outbox_bytes", "Bytes that wait in the fullest outbox.", labels: ends),
        .histogram(
            "promised_transport_loop_lag_seconds",
            "How late the service thread came to its regular tick.",
            labels: ends,
            buckets: MetricBuckets.latency
        ),
    ]

    private static let ends = ["end", "thread"]
}
