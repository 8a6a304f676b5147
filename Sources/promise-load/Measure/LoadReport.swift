/// What a run found, as it is printed with `--json`. What is not known is null.
struct LoadReport: Sendable, Encodable {
    let peer: String
    let connections: Int
    let members: Int
    let periodMs: Double
    let phase: String
    /// Null for a relay.
    let codec: String?
    /// Of the measured time.
    let seconds: Double
    let reports: Int
    let delivered: Int
    let due: Int
    let missing: Int
    let excused: Int
    let deliveryLatencyMs: LatencySummary?
    let arrivalLatencyMs: LatencySummary?
    let sendingLagMs: LatencySummary?
    let arrivals: Int
    let cancellations: Int
    let serverCpuSeconds: Double?
    let serverCpuSecondsPerMillionDeliveries: Double?
    let framesPerDelivery: Double?
    let bytesPerDelivery: Double?
    let memoryBytesIdle: Int?
    let memoryBytesLoaded: Int?
    let memoryBytesPerConnection: Double?
    let memoryGrowthBytes: Int?
    let memory: [PeerUsage.Memory]
    let connected: Int
    let connectSeconds: Double
    let connectsPerSecond: Double?
    let cuts: Int
    let resumed: Int
    let drops: Int
    let errors: Int
    let errorCodes: [String: Int]
    let violations: Int
    let violationKinds: [String: Int]

    /// A run's findings.
    init(
        plan: LoadPlan,
        connections: Int,
        members: Int,
        tally: LoadTally,
        idle: ProcessSample?,
        usage: PeerUsage
    ) {
        peer = plan.peer.rawValue
        self.connections = connections
        self.members = members
        periodMs = plan.period.inSeconds * 1_000
        phase = plan.phase.rawValue
        codec = plan.peer == .promised ? plan.codec : nil
        seconds = plan.duration.inSeconds
        reports = tally.reports
        delivered = tally.deliveries.delivered
        due = tally.deliveries.due
        missing = tally.deliveries.missing
        excused = tally.deliveries.excused
        deliveryLatencyMs = tally.deliveryLatency.summary
        arrivalLatencyMs = tally.arrivalLatency.summary
        sendingLagMs = tally.sendingLag.summary
        arrivals = tally.arrivals
        cancellations = tally.cancellations
        serverCpuSeconds = usage.cpuSeconds
        let perDelivery = { (value: Double) in
            tally.deliveries.delivered > 0 ? value / Double(tally.deliveries.delivered) : nil
        }
        serverCpuSecondsPerMillionDeliveries = usage.cpuSeconds.flatMap { perDelivery($0 * 1_000_000) }
        framesPerDelivery = perDelivery(Double(tally.frames))
        bytesPerDelivery = perDelivery(Double(tally.bytes))
        memoryBytesIdle = idle?.memoryBytes
        memoryBytesLoaded = usage.last?.memoryBytes
        memoryBytesPerConnection = idle.flatMap { idle in
            usage.last.map { Double($0.memoryBytes - idle.memoryBytes) / Double(max(1, tally.connected)) }
        }
        memoryGrowthBytes = usage.growthBytes
        memory = usage.memory
        connected = tally.connected
        connectSeconds = tally.connectSeconds
        connectsPerSecond = tally.connectSeconds > 0 ? Double(connections) / tally.connectSeconds : nil
        cuts = tally.cuts
        resumed = tally.resumed
        drops = tally.drops
        errors = tally.errors.values.reduce(0, +)
        errorCodes = tally.errors
        violations = tally.violations.values.reduce(0, +)
        violationKinds = tally.violations
    }

    /// Whether nothing was missing, wrong or broken.
    var isClean: Bool { missing == 0 && errors == 0 && violations == 0 }
}
