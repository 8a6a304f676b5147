/// Every metric there is. The registry knows no others, so that each has its help and its labels, and the alerts and the
/// dashboard can be held against this list.
enum MetricCatalogue {
    /// All of them, in the order of the page.
    static let all = server + tls + engine + storage + transport + process

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let server: [MetricDescriptor] = [
        .gauge("promised_build_info", "Always 1; the version is its label.", labels: ["version"]),
        .gauge("promised_ready", "Whether the server is ready: 1, or 0 while storage fails or it drains."),
        .gauge("promised_connections", "Open WebSocket connections.", labels: ["state"]),
        .gauge("promised_connected_users", "Users with at least one signed-in connection."),
        .counter(
            "promised_requests_total",
            "Requests by what they ask and how they ended.",
            labels: ["request", "outcome"]
        ),
        .counter("promised_request_errors_total", "Requests answered with an error, by its code.", labels: ["code"]),
        .histogram(
            "promised_request_duration_seconds",
            "Time from a request's arrival to its answer.",
            buckets: MetricBuckets.latency
        ),
        .counter(
            "promised_auth_failures_total",
            "Sign-ins, tokens and refreshes that were refused.",
            labels: ["request"]
        ),
        .counter("promised_malformed_frames_total", "Frames that are none of the protocol."),
        .counter("promised_reported_fixes_total", "Reported positions by what became of them.", labels: ["outcome"]),
        .counter("promised_moved_clocks_total", "Reports that show that a clock of their device was moved."),
        .counter("promised_deliveries_total", "Frames handed to connections.", labels: ["kind"]),
        .counter(
            "promised_unsendable_frames_total",
            "Frames that were not sent, for they were larger than any may be."
        ),
        .counter("promised_delivered_positions_total", "Positions in them, one for each recipient."),
        .histogram(
            "promised_collection_positions",
            "Positions that were sent together.",
            buckets: [1, 2, 3, 5, 10, 20, 50, 100]
        ),
    ]

    private static let tls: [MetricDescriptor] = [
        .gauge(
            "promised_tls_certificate_expiry_timestamp_seconds",
            "When the certificate expires, in seconds since 1970; 0 without TLS."
        ),
        .counter("promised_tls_reloads_total", "Attempts to read the certificate again.", labels: ["outcome"]),
    ]

    private static let engine: [MetricDescriptor] = [
        .gauge("promised_sessions", "Live sessions by the status of their promise.", labels: ["status"]),
        .counter("promised_arrivals_total", "Arrivals that became durable.", labels: ["source", "stage"]),
        .counter("promised_arrival_retractions_total", "Arrivals that were taken back.", labels: ["reason"]),
        .counter("promised_results_total", "Promises whose result became final."),
        .histogram(
            "promised_timer_delay_seconds",
            "How long after their instant timers of sessions fired, in real time.",
            buckets: MetricBuckets.latency
        ),
        .gauge("promised_timers", "Sessions that wait for an instant."),
        .gauge("promised_timers_overdue", "Sessions whose instant has passed without their having been woken."),
        .gauge("promised_timer_backlog_seconds", "How long ago the earliest of those was due, in real time."),
    ]

    private static let storage: [MetricDescriptor] = [
        .counter("promised_store_commits_total", "Transactions by how they ended.", labels: ["outcome"]),
        .histogram(
            "promised_store_commit_writes",
            "Writes that shared a transaction.",
            buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256]
        ),
        .histogram(
            "promised_store_commit_duration_seconds",
            "Time from the begin of a transaction until it was on the disk.",
            buckets: MetricBuckets.latency
        ),
        .gauge("promised_store_waiting_writes", "Writes that wait for the transaction at work to end."),
        .gauge("promised_store_log_bytes", "Size of the write-ahead log."),
    ]

    private static let process: [MetricDescriptor] = [
        .counter("promised_process_cpu_seconds_total", "Processor time of the process, user and system."),
        .gauge("promised_process_resident_memory_bytes", "Memory of the process that is in RAM."),
        .gauge("promised_process_virtual_memory_bytes", "Address space of the process."),
        .gauge("promised_process_threads", "Threads of the process."),
        .gauge("promised_process_open_fds", "Files and sockets the process has open."),
        .gauge("promised_process_max_fds", "How many it may have open."),
        .gauge("promised_process_start_time_seconds", "When the process started, in seconds since 1970."),
    ]
}

/// The buckets that several histograms share.
enum MetricBuckets {
    /// From half a millisecond to ten seconds.
    static let latency = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

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
