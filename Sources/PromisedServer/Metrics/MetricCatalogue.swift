/// All metrics of the server. The registry accepts no others, so each has its help and labels, and tests compare the
/// alerts and the dashboard with this list.
enum MetricCatalogue {
    /// In the order of the page.
    static let all = server + tls + engine + places + kept + storage + transport + process

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let server: [MetricDescriptor] = [
        .gauge("promised_build_info", "Always 1; the version is its label.", labels: ["version"]),
        .gauge("promised_ready", "1 while the server is ready; 0 while storage fails or the server shuts down."),
        .gauge("promised_connections", "Open WebSocket connections.", labels: ["state"]),
        .gauge("promised_connected_users", "Users with at least one signed-in connection."),
        .counter(
            "promised_requests_total",
            "Requests by kind and outcome.",
            labels: ["request", "outcome"]
        ),
        .counter("promised_request_errors_total", "Requests that failed, by error code.", labels: ["code"]),
        .histogram(
            "promised_request_duration_seconds",
            "Time from the receipt of a request to its reply.",
            buckets: MetricBuckets.latency
        ),
        .counter(
            "promised_auth_failures_total",
            "Rejected sign-ins, tokens and refreshes.",
            labels: ["request"]
        ),
        .counter("promised_malformed_frames_total", "Frames that could not be decoded."),
        .counter("promised_reported_fixes_total", "Reported positions by outcome.", labels: ["outcome"]),
        .counter("promised_moved_clocks_total", "Reports that reveal a changed clock of their device."),
        .counter("promised_deliveries_total", "Frames queued for connections.", labels: ["kind"]),
        .counter(
            "promised_unsendable_frames_total",
            "Frames that were not sent because they exceed the largest frame."
        ),
        .counter("promised_delivered_positions_total", "Positions in the queued frames, counted once per recipient."),
        .histogram(
            "promised_collection_positions",
            "Positions that were sent as one frame.",
            buckets: [1, 2, 3, 5, 10, 20, 50, 100]
        ),
    ]

    private static let tls: [MetricDescriptor] = [
        .gauge(
            "promised_tls_certificate_expiry_timestamp_seconds",
            "When the certificate expires, in seconds since 1970; 0 without TLS."
        ),
        .counter("promised_tls_reloads_total", "Attempts to reload the certificate.", labels: ["outcome"]),
    ]

    private static let engine: [MetricDescriptor] = [
        .gauge("promised_sessions", "Live sessions by the status of their promise.", labels: ["status"]),
        .counter("promised_arrivals_total", "Arrivals that became durable.", labels: ["source", "stage"]),
        .counter("promised_arrival_retractions_total", "Arrivals that were retracted.", labels: ["reason"]),
        .counter("promised_results_total", "Promises whose result became final."),
        .histogram(
            "promised_timer_delay_seconds",
            "Delay of the sessions' timers, in real time.",
            buckets: MetricBuckets.latency
        ),
        .gauge("promised_timers", "Sessions with a pending timer."),
        .gauge("promised_timers_overdue", "Sessions with an overdue timer."),
        .gauge("promised_timer_backlog_seconds", "Delay of the most overdue timer, in real time."),
    ]

    private static let places: [MetricDescriptor] = [
        .counter(
            "promised_place_queries_total",
            "Queries of the directory by kind and outcome.",
            labels: ["query", "outcome"]
        ),
        .histogram(
            "promised_place_query_duration_seconds",
            "Time from a query of the directory to its answer, waiting included.",
            labels: ["query"],
            buckets: MetricBuckets.latency
        ),
        .gauge("promised_place_index_places", "Places in the index."),
        .gauge("promised_place_index_bytes", "Size of the index."),
        .histogram(
            "promised_place_index_build_seconds",
            "Time to read the directory and to build its index.",
            buckets: MetricBuckets.latency
        ),
        .counter("promised_place_index_failures_total", "Indexes that could not be built."),
        .counter("promised_place_imports_total", "Imports by their end.", labels: ["outcome"]),
        .counter("promised_place_import_rows_total", "Rows of finished imports.", labels: ["outcome"]),
        .counter(
            "promised_weather_requests_total",
            "Requests to providers of weather.",
            labels: ["provider", "outcome"]
        ),
        .counter("promised_weather_answers_total", "Questions about weather by the state told.", labels: ["state"]),
        .counter("promised_weather_looks_total", "Records of weather found young enough, or not.", labels: ["outcome"]),
        .gauge("promised_weather_requests_left", "Requests to providers that are left of the day's."),
        .counter(
            "promised_notifications_total",
            "Notifications by kind and decision.",
            labels: ["kind", "decision"]
        ),
        .counter("promised_notifications_dropped_total", "Notifications dropped because too many waited."),
    ]

    private static let kept: [MetricDescriptor] = [
        .gauge("promised_files", "Files of users by kind.", labels: ["kind"]),
        .gauge("promised_file_bytes", "Size of users' files by kind.", labels: ["kind"]),
        .counter("promised_uploads_total", "Uploads by their end.", labels: ["outcome"]),
        .counter("promised_refused_pictures_total", "Uploaded pictures that were refused.", labels: ["reason"]),
        .gauge("promised_recordings", "Recordings by state.", labels: ["state"]),
        .gauge("promised_courses", "Courses by source.", labels: ["source"]),
        .gauge("promised_course_points", "Points of all courses, as they were recorded."),
        .counter("promised_exports_total", "Exports of users' data by their end.", labels: ["outcome"]),
    ]

    private static let storage: [MetricDescriptor] = [
        .counter("promised_store_commits_total", "Transactions by outcome.", labels: ["outcome"]),
        .histogram(
            "promised_store_commit_writes",
            "Writes that shared a transaction.",
            buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256]
        ),
        .histogram(
            "promised_store_commit_duration_seconds",
            "Time from the start of a transaction until it was on the disk.",
            buckets: MetricBuckets.latency
        ),
        .gauge("promised_store_waiting_writes", "Writes that wait for the current transaction to end."),
        .gauge("promised_store_log_bytes", "Size of the write-ahead log."),
    ]

    private static let process: [MetricDescriptor] = [
        .counter("promised_process_cpu_seconds_total", "Processor time of the process, user and system."),
        .gauge("promised_process_resident_memory_bytes", "Resident memory of the process."),
        .gauge("promised_process_virtual_memory_bytes", "Address space of the process."),
        .gauge("promised_process_threads", "Threads of the process."),
        .gauge("promised_process_open_fds", "Open files and sockets of the process."),
        .gauge("promised_process_max_fds", "The limit of open files and sockets."),
        .gauge("promised_process_start_time_seconds", "When the process started, in seconds since 1970."),
    ]
}

/// Buckets shared by several histograms.
enum MetricBuckets {
    /// From half a millisecond to ten seconds.
    static let latency = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

extension MetricCatalogue {
    /// Counters of the transport, per thread.
    static let transport: [MetricDescriptor] = [
        .gauge("promised_transport_connections", "Sockets of clients, including those in a handshake.", labels: ends),
        .counter("promised_transport_received_frames_total", "WebSocket messages received.", labels: ends),
        .counter("promised_transport_sent_frames_total", "WebSocket messages sent.", labels: ends),
        .counter("promised_transport_received_bytes_total", "Bytes of messages received.", labels: ends),
        .counter("promised_transport_sent_bytes_total", "Bytes of messages sent.", labels: ends),
        .counter(
            "promised_transport_superseded_frames_total",
            "Queued positions that newer ones replaced.",
            labels: ends
        ),
        .counter(
            "promised_transport_discarded_frames_total",
            "Messages that were not sent because their connection ended.",
            labels: ends
        ),
        .counter(
            "promised_transport_slow_closes_total",
            "Connections closed because they read too slowly.",
            labels: ends
        ),
        .counter("promised_transport_http_requests_total", "Plain HTTP requests.", labels: ends),
        .counter(
            "promised_transport_refused_accepts_total",
            "Sockets closed on accept because there were too many.",
            labels: ends
        ),
        .counter(
            "promised_transport_cut_strangers_total",
            "Connections without a sign-in that were closed to make room for others.",
            labels: ends
        ),
        .counter(
            "promised_transport_full_outboxes_total",
            "Connections closed because all outboxes together held too much.",
            labels: ends
        ),
        .counter(
            "promised_transport_refused_handshakes_total",
            "Rejected WebSocket handshakes.",
            labels: ends + ["reason"]
        ),
        .counter("promised_transport_closed_connections_total", "Connections that ended.", labels: ends + ["by"]),
        .gauge("promised_transport_outbox_frames", "Messages in all outboxes.", labels: ends),
        .gauge("promised_transport_outbox_bytes", "Bytes in all outboxes.", labels: ends),
        .gauge("promised_transport_largest_outbox_bytes", "Bytes in the fullest outbox.", labels: ends),
        .histogram(
            "promised_transport_loop_lag_seconds",
            "Delay of the service thread's regular tick.",
            labels: ends,
            buckets: MetricBuckets.latency
        ),
    ]

    private static let ends = ["end", "thread"]
}
