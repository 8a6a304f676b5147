import Foundation

/// The results of a run, as printed with `--json`: one document with the numbers of all parts. Unknown values are null.
struct LoadReport: Sendable {
    struct Run: Sendable, Encodable {
        let peer: String
        let connections: Int
        let members: Int
        let periodMs: Double
        let phase: String
        /// Null for a relay.
        let codec: String?
        /// The measured time.
        let seconds: Double

        fileprivate init(_ plan: LoadPlan, connections: Int, members: Int) {
            peer = plan.peer.rawValue
            self.connections = connections
            self.members = members
            periodMs = plan.period.inSeconds * 1_000
            phase = plan.phase.rawValue
            codec = plan.peer == .promised ? plan.codec : nil
            seconds = plan.duration.inSeconds
        }
    }

    struct Traffic: Sendable, Encodable {
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
        let framesPerDelivery: Double?
        let bytesPerDelivery: Double?

        fileprivate init(_ tally: LoadTally) {
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
            framesPerDelivery = tally.perDelivery(Double(tally.frames))
            bytesPerDelivery = tally.perDelivery(Double(tally.bytes))
        }
    }

    /// The background users.
    struct Background: Sendable, Encodable {
        let uploads: Int
        let recordings: Int
        let exportMebibytes: Int
        let photosUploaded: Int
        let uploadedBytesPerSecond: Double
        let recordingsFinished: Int
        let pointsRecorded: Int
        let exportSeconds: Double?
        let exportBytes: Int?

        fileprivate init(_ plan: BackgroundPlan, _ tally: BackgroundTally, seconds: Double) {
            uploads = plan.uploads
            recordings = plan.recordings
            exportMebibytes = plan.exportMebibytes
            photosUploaded = tally.photos
            uploadedBytesPerSecond = Double(tally.uploadedBytes) / seconds
            recordingsFinished = tally.recordings
            pointsRecorded = tally.points
            exportSeconds = tally.exportSeconds
            exportBytes = tally.exportBytes
        }
    }

    struct Server: Sendable, Encodable {
        let serverCpuSeconds: Double?
        let serverCpuSecondsPerMillionDeliveries: Double?
        let memoryBytesIdle: Int?
        let memoryBytesLoaded: Int?
        let memoryBytesPerConnection: Double?
        let memoryGrowthBytes: Int?
        let memory: [PeerUsage.Memory]

        fileprivate init(_ tally: LoadTally, idle: ProcessSample?, _ usage: PeerUsage) {
            serverCpuSeconds = usage.cpuSeconds
            serverCpuSecondsPerMillionDeliveries = usage.cpuSeconds.flatMap { tally.perDelivery($0 * 1_000_000) }
            memoryBytesIdle = idle?.memoryBytes
            memoryBytesLoaded = usage.last?.memoryBytes
            memoryBytesPerConnection = idle.flatMap { idle in
                usage.last.map { Double($0.memoryBytes - idle.memoryBytes) / Double(max(1, tally.connected)) }
            }
            memoryGrowthBytes = usage.growthBytes
            memory = usage.memory
        }
    }

    struct Connecting: Sendable, Encodable {
        let connected: Int
        let connectSeconds: Double
        let connectsPerSecond: Double?
        let cuts: Int
        let resumed: Int
        let drops: Int

        fileprivate init(_ tally: LoadTally, connections: Int) {
            connected = tally.connected
            connectSeconds = tally.connectSeconds
            connectsPerSecond = tally.connectSeconds > 0 ? Double(connections) / tally.connectSeconds : nil
            cuts = tally.cuts
            resumed = tally.resumed
            drops = tally.drops
        }
    }

    struct Faults: Sendable, Encodable {
        let errors: Int
        let errorCodes: [String: Int]
        let violations: Int
        let violationKinds: [String: Int]

        fileprivate init(_ tally: LoadTally) {
            errorCodes = tally.errors.merging(tally.background.errors, uniquingKeysWith: +)
            errors = errorCodes.values.reduce(0, +)
            violations = tally.violations.values.reduce(0, +)
            violationKinds = tally.violations
        }
    }

    let run: Run
    let traffic: Traffic
    let background: Background
    let server: Server
    let connecting: Connecting
    let faults: Faults

    init(
        plan: LoadPlan,
        background: BackgroundPlan = BackgroundPlan(),
        connections: Int,
        members: Int,
        tally: LoadTally,
        idle: ProcessSample?,
        usage: PeerUsage
    ) {
        run = Run(plan, connections: connections, members: members)
        traffic = Traffic(tally)
        self.background = Background(background, tally.background, seconds: plan.duration.inSeconds)
        server = Server(tally, idle: idle, usage)
        connecting = Connecting(tally, connections: connections)
        faults = Faults(tally)
    }

    /// `true` if there are no missing deliveries, errors or violations.
    var isClean: Bool { traffic.missing == 0 && faults.errors == 0 && faults.violations == 0 }
}

extension LoadTally {
    /// The share of one delivery; nil without deliveries.
    fileprivate func perDelivery(_ value: Double) -> Double? {
        deliveries.delivered > 0 ? value / Double(deliveries.delivered) : nil
    }
}

extension LoadReport {
    func table() -> String {
        (rows + backgroundRows).map { name, value in
            name + String(repeating: " ", count: max(1, 34 - name.count)) + value
        }
        .joined(separator: "\n")
    }

    private var rows: [(String, String)] {
        let kind = "\(run.members) per promise, \(run.phase), \(run.codec ?? run.peer), \(Self.text(run.seconds)) s"
        let pace = "\(Self.text(connecting.connectSeconds)) s (\(Self.text(connecting.connectsPerSecond)) per second)"
        let counts = "\(traffic.missing) missing, \(traffic.excused) excused"
        return [
            ("run", "\(run.connections) connections, \(kind)"), ("connected in", pace),
            ("reports", "\(traffic.reports)"),
            ("delivered of due", "\(traffic.delivered) of \(traffic.due), \(counts)"),
            ("delivery latency ms", Self.text(traffic.deliveryLatencyMs)),
            ("arrivals", "\(traffic.arrivals)"),
            ("arrival latency ms", Self.text(traffic.arrivalLatencyMs)),
            ("sending lag ms", Self.text(traffic.sendingLagMs)),
            (
                "server CPU s per million deliveries",
                Self.text(server.serverCpuSecondsPerMillionDeliveries, digits: 2)
            ),
            ("frames per delivery", Self.text(traffic.framesPerDelivery, digits: 3)),
            ("bytes per delivery", Self.text(traffic.bytesPerDelivery)),
            ("memory per connection, bytes", Self.text(server.memoryBytesPerConnection, digits: 0)),
            ("memory grown after 3 min, bytes", server.memoryGrowthBytes.map { "\($0)" } ?? "–"),
            ("cut, resumed, dropped", "\(connecting.cuts), \(connecting.resumed), \(connecting.drops)"),
            ("cancelled promises", "\(traffic.cancellations)"),
            ("errors", Self.text(faults.errors, of: faults.errorCodes)),
            ("violations", Self.text(faults.violations, of: faults.violationKinds)),
        ]
    }

    /// The rows about the background users, if there are any.
    private var backgroundRows: [(String, String)] {
        var rows: [(String, String)] = []
        if background.uploads > 0 {
            let rate = Self.text(background.uploadedBytesPerSecond / 1_000_000)
            let users = "\(background.uploads) users"
            rows.append(("photos uploaded", "\(background.photosUploaded) by \(users), \(rate) MB per second"))
        }
        if background.recordings > 0 {
            let finished = "\(background.recordingsFinished) recordings finished"
            let users = "\(background.recordings) users"
            rows.append(("points recorded", "\(background.pointsRecorded) by \(users), \(finished)"))
        }
        if background.exportMebibytes > 0 {
            let size = Self.text(background.exportBytes.map { Double($0) / 1_000_000 })
            rows.append(("export", "\(Self.text(background.exportSeconds)) s, \(size) MB"))
        }
        return rows
    }

    private static func text(_ value: Double?, digits: Int = 1) -> String {
        value.map { NumberText.rounded($0, digits: digits) } ?? "–"
    }

    private static func text(_ latency: LatencySummary?) -> String {
        guard let latency else { return "–" }
        let parts = [
            ("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99), ("p99.9", latency.p999),
            ("max", latency.max),
        ]
        return parts.map { "\($0.0) \(NumberText.rounded($0.1))" }.joined(separator: ", ")
    }

    private static func text(_ count: Int, of kinds: [String: Int]) -> String {
        guard !kinds.isEmpty else { return "\(count)" }
        let parts = kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(count) (\(parts.joined(separator: ", ")))"
    }
}

enum NumberText {
    static func rounded(_ value: Double, digits: Int = 1) -> String {
        // Not by Foundation's formatters, whose signs depend on the environment.
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let whole = Int64((abs(value) * scale).rounded())
        let (head, tail) = whole.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(head)" }
        let fraction = "\(tail)"
        return "\(sign)\(head)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}

extension LoadReport {
    /// The document of `--json`, with sorted keys; unknown values are null.
    func json() throws -> Data {
        try JSONSerialization.data(
            withJSONObject: fields(),
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
    }

    /// All numbers of the document by path, such as `deliveryLatencyMs.p99`; nil if unknown.
    func numbers() throws -> [String: Double?] {
        var numbers: [String: Double?] = [:]
        for (key, value) in try fields() {
            switch value {
            case let inner as [String: Any]:
                for (part, value) in inner { numbers["\(key).\(part)"] = (value as? NSNumber)?.doubleValue }
            case let number as NSNumber: numbers[key] = .some(number.doubleValue)
            case is NSNull: numbers[key] = .some(nil)
            default: break
            }
        }
        return numbers
    }

    /// The stored properties of all parts, with `NSNull` for nil, which the encoder omits.
    private func fields() throws -> [String: Any] {
        var fields: [String: Any] = [:]
        for part: any Encodable in [run, traffic, background, server, connecting, faults] {
            let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(part))
            guard let known = encoded as? [String: Any] else { preconditionFailure("A part is encoded as an object.") }
            for child in Mirror(reflecting: part).children {
                if let name = child.label { fields[name] = known[name] ?? NSNull() }
            }
        }
        return fields
    }
}
