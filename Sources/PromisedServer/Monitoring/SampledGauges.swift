internal import CoreMetrics
internal import PromisedDomain

/// The gauges that ``MetricsSampler`` sets.
struct SampledGauges: Sendable {
    let ready: Gauge
    let signedIn: Gauge
    let anonymous: Gauge
    let users: Gauge
    let sessions: [PromiseStatus: Gauge]
    let timers: Gauge
    let overdue: Gauge
    let backlog: Gauge
    let waitingWrites: Gauge
    let logBytes: Gauge
    let resident: Gauge
    let virtual: Gauge
    let threads: Gauge
    let openFiles: Gauge
    let maximumFiles: Gauge
    let start: Gauge

    /// Gauges at zero, and the version, which never changes.
    init(_ factory: any MetricsFactory) {
        func gauge(_ name: String, _ labels: (String, String)...) -> Gauge {
            Gauge(label: "promised_\(name)", dimensions: labels, factory: factory)
        }
        gauge("build_info", ("version", ProductVersion.text)).record(1)
        ready = gauge("ready")
        signedIn = gauge("connections", ("state", "signed-in"))
        anonymous = gauge("connections", ("state", "anonymous"))
        users = gauge("connected_users")
        sessions = Dictionary(
            uniqueKeysWithValues: PromiseStatus.allCases.map { ($0, gauge("sessions", ("status", $0.rawValue))) }
        )
        timers = gauge("timers")
        overdue = gauge("timers_overdue")
        backlog = gauge("timer_backlog_seconds")
        waitingWrites = gauge("store_waiting_writes")
        logBytes = gauge("store_log_bytes")
        resident = gauge("process_resident_memory_bytes")
        virtual = gauge("process_virtual_memory_bytes")
        threads = gauge("process_threads")
        openFiles = gauge("process_open_fds")
        maximumFiles = gauge("process_max_fds")
        start = gauge("process_start_time_seconds")
    }
}
