internal import PromisedDomain

/// A phone with its clocks, its position and its pending fixes.
struct SimulatedPhone: Sendable {
    /// The most pending fixes; the oldest are dropped first.
    private static let keptFixes = 60

    let traits: Story.Phone
    private let name: String
    private(set) var boot = 1
    private var bootedAt: Instant
    private var wallAheadMs: Int64
    private var lastSeq: UInt32 = 0
    private var errors: WalkErrors
    private var lie: (metres: Double, reports: Int, isMock: Bool)?
    private(set) var waiting: [Fix] = []
    /// The number of the latest walk, the only active one.
    private(set) var walkNumber = 0

    /// Creates a phone that has just been switched on.
    init(_ traits: Story.Phone, number: Int, seed: UInt64, at now: Instant) {
        self.traits = traits
        name = "phone-\(number)"
        bootedAt = now - .hours(Int64(number + 1))
        wallAheadMs = traits.wallAheadMs
        errors = WalkErrors(traits.errsLike, omitting: (0.1, 0.3), seed: seed &+ UInt64(number) &* 7_919)
    }

    /// The device as the server knows it.
    var key: DeviceKey { DeviceKey(deviceID: name, bootID: "\(boot)") }

    /// Begins a walk, which ends the previous one. Returns its number.
    mutating func beginWalk() -> Int {
        walkNumber += 1
        errors.beginWalk()
        return walkNumber
    }

    /// Makes a fix, unless it finds no position.
    mutating func locate(on walk: Walk, at now: Instant) {
        guard let position = errors.position(on: walk, at: now) else { return }
        lastSeq += 1
        var metres = position.metres
        var isMock = false
        if let told = lie {
            metres += told.metres
            isMock = told.isMock
            lie = told.reports > 1 ? (told.metres, told.reports - 1, told.isMock) : nil
        }
        let clocks = readings(at: now)
        waiting.append(
            Fix(
                seq: lastSeq,
                coordinate: Walk.point(metres, eastMetres: position.eastMetres),
                accuracyMetres: position.accuracyMetres,
                speedMps: position.speedMps,
                uptimeMs: clocks.uptimeMs,
                wallMs: clocks.wallMs,
                isMock: isMock
            )
        )
        if waiting.count > Self.keptFixes { waiting.removeFirst() }
    }

    /// A report of all pending fixes, sent now; nil without any.
    func report(at now: Instant) -> Report? {
        waiting.isEmpty ? nil : Report(device: key, fixes: waiting, sent: readings(at: now))
    }

    /// Removes fixes that the server has processed.
    mutating func forget(_ seqs: [UInt32]) {
        let known = Set(seqs)
        waiting.removeAll { known.contains($0.seq) }
    }

    /// Changes the wall clock, as the user or the network does.
    mutating func moveClock(byMs milliseconds: Int64) { wallAheadMs += milliseconds }

    /// Restarts the monotonic clock and the numbers; pending fixes are lost.
    mutating func reboot(at now: Instant) {
        boot += 1
        bootedAt = now
        lastSeq = 0
        waiting = []
    }

    /// Moves the next reports to a false position.
    mutating func beginLie(metres: Double, reports: Int, isMock: Bool) { lie = (metres, reports, isMock) }

    func readings(at now: Instant) -> ClockReadings {
        ClockReadings(
            uptimeMs: traits.sendsUptime ? Double((now - bootedAt).milliseconds) : nil,
            wallMs: traits.sendsWall ? Double(now.milliseconds + wallAheadMs) : nil
        )
    }
}
