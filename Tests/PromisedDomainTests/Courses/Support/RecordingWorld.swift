import PromisedDomain
import PromisedSimulation
import Testing

/// A phone that records: a queue that survives everything, both clocks, and a number for each point.
struct RecorderPhone {
    let deviceID: String
    /// How far the wall clock is ahead of the server's.
    let wallLead: TimeSpan
    let hasUptime: Bool
    /// The points with the instants at which they were made.
    var recorded: [(point: RecordedPoint, at: Instant, boot: Int)] = []
    /// The numbers that the server has acknowledged.
    var acknowledged: Set<UInt32> = []
    var boot = 0
    private var bootedAt = RandomTrack.start - .hours(30)
    private var segment: UInt32 = 0
    private var place = PlanePoint.origin

    init(_ deviceID: String, wallLead: TimeSpan, hasUptime: Bool) {
        self.deviceID = deviceID
        self.wallLead = wallLead
        self.hasUptime = hasUptime
    }

    /// A recorder that made these points, whose clock is right.
    init(_ deviceID: String, points: [TrackPoint]) {
        self.init(deviceID, wallLead: .zero, hasUptime: false)
        recorded = points.enumerated().compactMap { index, point in
            guard let time = point.time else { return nil }
            let wallMs = Double(time.milliseconds)
            let fix = Fix(seq: UInt32(index + 1), coordinate: point.coordinate, wallMs: wallMs)
            let segment = UInt32(point.segment)
            return (RecordedPoint(fix, altitudeMetres: point.altitudeMetres, segment: segment), time, boot)
        }
    }

    var unacknowledged: [Int] { recorded.indices.filter { !acknowledged.contains(recorded[$0].point.fix.seq) } }

    func readings(at now: Instant) -> ClockReadings {
        ClockReadings(
            uptimeMs: hasUptime ? Double((now - bootedAt).milliseconds) : nil,
            wallMs: Double((now + wallLead).milliseconds)
        )
    }

    mutating func restart(at now: Instant) {
        boot += 1
        bootedAt = now
        segment += 1
    }

    mutating func pause() { segment += 1 }

    mutating func record(at now: Instant, using generator: inout SeededGenerator) {
        place = place + .polar(distanceMetres: generator.uniform(0...30), bearingDegrees: generator.uniform(0...90))
        let clocks = readings(at: now)
        let fix = Fix(
            seq: UInt32(recorded.count + 1),
            coordinate: LocalPlane(origin: Coordinate(latitude: 37.5, longitude: 127)).coordinate(of: place),
            accuracyMetres: generator.uniform(3...20),
            speedMps: 2,
            uptimeMs: clocks.uptimeMs,
            wallMs: clocks.wallMs
        )
        let point = RecordedPoint(fix, altitudeMetres: place.northMetres / 10, segment: segment)
        recorded.append((point, now, boot))
    }

    /// The points as they are sent now: the uptime of an earlier boot means nothing any more.
    func batch(_ indices: some Sequence<Int>, at now: Instant) -> RecordedBatch {
        let points = indices.map { index in
            var point = recorded[index].point
            if recorded[index].boot != boot { point.fix.uptimeMs = nil }
            return point
        }
        let device = DeviceKey(deviceID: deviceID, bootID: "boot \(boot)")
        return RecordedBatch(device: device, points: points, sent: readings(at: now))
    }

    /// The points as an undisturbed recording would keep them.
    var truth: [KeptPoint] {
        recorded.map { recorded in
            let fix = recorded.point.fix
            return KeptPoint(
                deviceID: deviceID,
                seq: fix.seq,
                point: TrackPoint(
                    fix.coordinate,
                    altitudeMetres: recorded.point.altitudeMetres,
                    time: recorded.at,
                    accuracyMetres: fix.accuracyMetres,
                    speedMps: fix.speedMps,
                    segment: Int(recorded.point.segment)
                )
            )
        }
    }
}

/// A server with one recording: a machine, and a store that alone survives a crash.
struct RecordingWorld {
    private(set) var machine: RecordingMachine
    private(set) var stored: Recording
    private(set) var kept: [KeptPoint] = []
    private(set) var courses: [CourseID] = []
    private(set) var isRemoved = false
    private(set) var interruptions = 0
    private var wakeAt: Instant?

    init(at now: Instant) {
        stored = Recording(id: RecordingID(high: 1, low: 1), activity: .walk, startedAt: now)
        machine = RecordingMachine(stored)
        send(.wake, at: now)
    }

    var track: Track { Track(recorded: kept) }

    func statistics(at now: Instant) -> CourseStatistics { CourseStatistics(of: CleanTrack(track, at: now)) }

    /// Feeds an event and carries out its effects. Returns the reply.
    @discardableResult
    mutating func send(_ event: RecordingEvent, at now: Instant) -> RecordingReply? {
        let before = (kept, stored)
        var reply: RecordingReply?
        for effect in machine.receive(event, at: now) {
            switch effect {
            case .keep(let points): kept += points
            case .save(let recording): stored = recording
            case .makeCourse(let id): courses.append(id)
            case .remove:
                isRemoved = true
                kept = []
            case .measure: send(.expire(as: CourseID(high: 9, low: 9), statistics(at: now)), at: now)
            case .tellInterrupted: interruptions += 1
            case .wake(let instant): wakeAt = min(wakeAt ?? instant, instant)
            case .reply(let given): reply = given
            }
        }
        // Everything durable is durable together.
        if kept.count != before.0.count { #expect(stored != before.1 || isRemoved) }
        return reply
    }

    /// The clock moves on to `now`, with all wakes on the way.
    mutating func pass(to now: Instant) {
        while let wake = wakeAt, wake <= now {
            wakeAt = nil
            send(.wake, at: wake)
        }
    }

    /// The process dies and starts again.
    mutating func crash(at now: Instant) {
        var restored = stored
        // As a store writes them down.
        for (name, device) in stored.devices {
            restored.devices[name]?.taken = SequenceSet(ranges: device.taken.ranges)
        }
        machine = RecordingMachine(restored)
        wakeAt = nil
        if !isRemoved { send(.wake, at: now) }
    }

    /// The process dies while it handles an event, before anything of it is durable.
    mutating func crash(during event: RecordingEvent, at now: Instant) {
        _ = machine.receive(event, at: now)
        crash(at: now)
    }
}
