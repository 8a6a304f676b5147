internal import CoreMetrics
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedStore

/// Updates, every few seconds, the gauges that no event updates: numbers of objects, and the process's resources.
///
/// A scrape is answered on a service thread, which must not wait for actors, so these gauges are as old as the last
/// sample.
struct MetricsSampler: Sendable {
    /// The sampling interval, in real time.
    static let interval = Duration.seconds(5)
    /// The number of samples between counts of rows, which read whole tables: they run once a minute.
    static let samplesPerCount = 12

    let engine: Engine
    private let store: (courses: CourseStore, files: FileStore, recordings: RecordingStore, upkeep: StoreUpkeep)
    let connections: Connections
    let readiness: Readiness
    private let gauges: SampledGauges
    private let kept: KeptGauges
    private let cpu: FloatingPointCounter

    init(
        _ factory: any MetricsFactory,
        engine: Engine,
        store: some HasCourses & HasFiles & HasRecordings & HasUpkeep,
        connections: Connections,
        readiness: Readiness
    ) {
        self.engine = engine
        self.store = (store.courses, store.files, store.recordings, store.upkeep)
        self.connections = connections
        self.readiness = readiness
        gauges = SampledGauges(factory)
        kept = KeptGauges(factory)
        cpu = FloatingPointCounter(label: "promised_process_cpu_seconds_total", factory: factory)
    }

    /// Samples until the task is cancelled.
    func run() async {
        var cpuSeconds = 0.0
        var samples = 0
        repeat {
            await look()
            if samples.isMultiple(of: MetricsSampler.samplesPerCount) { await count() }
            samples += 1
            cpuSeconds = countProcessorTime(since: cpuSeconds)
        } while (try? await Task.sleep(for: MetricsSampler.interval, clock: .continuous)) != nil
    }

    /// Updates the gauges.
    func look() async {
        sampleConnections()
        await sampleSessions()
        gauges.waitingWrites.record(await store.upkeep.waitingWrites)
        gauges.logBytes.record(store.upkeep.logBytes)
        sampleProcess()
    }

    /// Updates the gauges of files, recordings and courses.
    func count() async { await kept.count(store.files, store.recordings, store.courses) }

    private func sampleConnections() {
        let count = connections.census
        gauges.ready.record(readiness.isReady ? 1 : 0)
        gauges.signedIn.record(count.signedIn)
        gauges.anonymous.record(count.anonymous)
        gauges.users.record(count.users)
    }

    private func sampleSessions() async {
        let census = await engine.census()
        for status in PromiseStatus.allCases { gauges.sessions[status]?.record(census.sessions[status] ?? 0) }
        gauges.timers.record(census.timers)
        gauges.overdue.record(census.overdueTimers)
        gauges.backlog.record(census.backlog / .seconds(1))
    }

    private func sampleProcess() {
        let reading = ProcessReading.now()
        gauges.resident.record(reading.residentBytes)
        gauges.virtual.record(reading.virtualBytes)
        gauges.threads.record(reading.threads)
        gauges.openFiles.record(reading.openFiles)
        gauges.maximumFiles.record(reading.maximumFiles)
        gauges.start.record(reading.startSeconds)
    }

    /// Adds the processor time since the last sample, in seconds, and returns the new total.
    private func countProcessorTime(since counted: Double) -> Double {
        let seconds = max(counted, ProcessReading.now().cpuSeconds)
        cpu.increment(by: seconds - counted)
        return seconds
    }
}

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

    /// Gauges at zero, and the constant version.
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
