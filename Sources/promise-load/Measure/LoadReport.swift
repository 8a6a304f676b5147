import Foundation

/// The results of a run, as printed with `--json`. Unknown values are null.
struct LoadReport: Sendable, Encodable {
    let peer: String
    let connections: Int
    let members: Int
    let periodMs: Double
    let phase: String
    /// Null for a relay.
    let codec: String?
    /// The measured time.
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
    /// The background users.
    let uploads: Int
    let recordings: Int
    let exportMebibytes: Int
    let photosUploaded: Int
    let uploadedBytesPerSecond: Double
    let recordingsFinished: Int
    let pointsRecorded: Int
    let exportSeconds: Double?
    let exportBytes: Int?
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

    init(
        plan: LoadPlan,
        background: BackgroundPlan = BackgroundPlan(),
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
        uploads = background.uploads
        recordings = background.recordings
        exportMebibytes = background.exportMebibytes
        photosUploaded = tally.background.photos
        uploadedBytesPerSecond = Double(tally.background.uploadedBytes) / plan.duration.inSeconds
        recordingsFinished = tally.background.recordings
        pointsRecorded = tally.background.points
        exportSeconds = tally.background.exportSeconds
        exportBytes = tally.background.exportBytes
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
        errorCodes = tally.errors.merging(tally.background.errors, uniquingKeysWith: +)
        errors = errorCodes.values.reduce(0, +)
        violations = tally.violations.values.reduce(0, +)
        violationKinds = tally.violations
    }

    /// `true` if there are no missing deliveries, errors or violations.
    var isClean: Bool { missing == 0 && errors == 0 && violations == 0 }
}

extension LoadReport {
    func table() -> String {
        (rows + backgroundRows).map { name, value in
            name + String(repeating: " ", count: max(1, 34 - name.count)) + value
        }
        .joined(separator: "\n")
    }

    private var rows: [(String, String)] {
        [
            (
                "run",
                "\(connections) connections, \(members) per promise, \(phase), \(codec ?? peer), \(Self.text(seconds)) s"
            ),
            ("connected in", "\(Self.text(connectSeconds)) s (\(Self.text(connectsPerSecond)) per second)"),
            ("reports", "\(reports)"),
            ("delivered of due", "\(delivered) of \(due), \(missing) missing, \(excused) excused"),
            ("delivery latency ms", Self.text(deliveryLatencyMs)),
            ("arrivals", "\(arrivals)"),
            ("arrival latency ms", Self.text(arrivalLatencyMs)),
            ("sending lag ms", Self.text(sendingLagMs)),
            ("server CPU s per million deliveries", Self.text(serverCpuSecondsPerMillionDeliveries, digits: 2)),
            ("frames per delivery", Self.text(framesPerDelivery, digits: 3)),
            ("bytes per delivery", Self.text(bytesPerDelivery)),
            ("memory per connection, bytes", Self.text(memoryBytesPerConnection, digits: 0)),
            ("memory grown after 3 min, bytes", memoryGrowthBytes.map { "\($0)" } ?? "–"),
            ("cut, resumed, dropped", "\(cuts), \(resumed), \(drops)"),
            ("cancelled promises", "\(cancellations)"),
            ("errors", Self.text(errors, of: errorCodes)),
            ("violations", Self.text(violations, of: violationKinds)),
        ]
    }

    /// The rows about the background users, if there are any.
    private var backgroundRows: [(String, String)] {
        var rows: [(String, String)] = []
        if uploads > 0 {
            let rate = Self.text(uploadedBytesPerSecond / 1_000_000)
            rows.append(("photos uploaded", "\(photosUploaded) by \(uploads) users, \(rate) MB per second"))
        }
        if recordings > 0 {
            let finished = "\(recordingsFinished) recordings finished"
            rows.append(("points recorded", "\(pointsRecorded) by \(recordings) users, \(finished)"))
        }
        if exportMebibytes > 0 {
            let size = Self.text(exportBytes.map { Double($0) / 1_000_000 })
            rows.append(("export", "\(Self.text(exportSeconds)) s, \(size) MB"))
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

    /// The stored properties with `NSNull` for nil, which the encoder omits.
    private func fields() throws -> [String: Any] {
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
        guard var fields = encoded as? [String: Any] else { preconditionFailure("A report is encoded as an object.") }
        for child in Mirror(reflecting: self).children {
            guard let name = child.label, fields[name] == nil else { continue }
            fields[name] = NSNull()
        }
        return fields
    }
}
