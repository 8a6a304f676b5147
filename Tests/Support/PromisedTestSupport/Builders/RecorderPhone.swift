package import PromisedDomain
package import PromisedJournal

/// A recording phone: a queue that survives all failures, both clocks, and a number for each point.
package struct RecorderPhone: Sendable {
    package let deviceID: String
    /// How far the wall clock is ahead of the server's.
    package let wallLead: TimeSpan
    /// `true` if it sends its monotonic clock.
    package let hasUptime: Bool
    /// The points with the instants of their measurement and the boots of their uptime.
    package var recorded: [(point: RecordedPoint, at: Instant, boot: Int)] = []
    /// The numbers that the server has acknowledged.
    package var acknowledged: Set<UInt32> = []
    private var boot = 0
    private var bootedAt: Instant
    private var segment: UInt32 = 0
    /// The phone's distance from (37.5, 127).
    private var (northMetres, eastMetres) = (0.0, 0.0)

    /// Creates a phone without points that was switched on 30 h before an instant.
    package init(_ deviceID: String, from start: Instant, wallLead: TimeSpan, hasUptime: Bool) {
        self.deviceID = deviceID
        bootedAt = start - .hours(30)
        self.wallLead = wallLead
        self.hasUptime = hasUptime
    }

    /// Creates a phone with these points and a correct clock; omits points without a time.
    package init(_ deviceID: String, points: [TrackPoint]) {
        let start = points.first?.time ?? Instant(milliseconds: 0)
        self.init(deviceID, from: start, wallLead: .zero, hasUptime: false)
        recorded = points.enumerated().compactMap { index, point in
            guard let time = point.time else { return nil }
            let wallMs = Double(time.milliseconds)
            let fix = Fix(seq: UInt32(index + 1), coordinate: point.coordinate, wallMs: wallMs)
            let segment = UInt32(point.segment)
            return (RecordedPoint(fix, altitudeMetres: point.altitudeMetres, segment: segment), time, boot)
        }
    }

    /// The indices in ``recorded`` of the points that the server has not acknowledged.
    package var unacknowledged: [Int] { recorded.indices.filter { !acknowledged.contains(recorded[$0].point.fix.seq) } }

    /// The readings of the phone's clocks at an instant.
    package func readings(at now: Instant) -> ClockReadings {
        ClockReadings(
            uptimeMs: hasUptime ? Double((now - bootedAt).milliseconds) : nil,
            wallMs: Double((now + wallLead).milliseconds)
        )
    }

    /// Switches the phone off and on: its monotonic clock restarts, and a new segment begins.
    package mutating func restart(at now: Instant) {
        boot += 1
        bootedAt = now
        segment += 1
    }

    package mutating func pause() { segment += 1 }

    /// Makes a point, up to 20 m north and 20 m east of the previous one.
    package mutating func record(at now: Instant, using generator: inout some RandomNumberGenerator) {
        northMetres += .random(in: 0...20, using: &generator)
        eastMetres += .random(in: 0...20, using: &generator)
        let clocks = readings(at: now)
        let fix = Fix(
            seq: UInt32(recorded.count + 1),
            coordinate: Coordinate(latitude: 37.5 + northMetres / 111_195, longitude: 127 + eastMetres / 88_216),
            accuracyMetres: .random(in: 3...20, using: &generator),
            speedMps: 2,
            uptimeMs: clocks.uptimeMs,
            wallMs: clocks.wallMs
        )
        let point = RecordedPoint(fix, altitudeMetres: northMetres / 10, segment: segment)
        recorded.append((point, now, boot))
    }

    /// The points as sent now: the uptime of an earlier boot is omitted.
    package func batch(_ indices: some Sequence<Int>, at now: Instant) -> RecordedBatch {
        let points = indices.map { index in
            var point = recorded[index].point
            if recorded[index].boot != boot { point.fix.uptimeMs = nil }
            return point
        }
        let device = DeviceKey(deviceID: deviceID, bootID: "boot \(boot)")
        return RecordedBatch(device: device, points: points, sent: readings(at: now))
    }

    /// The points as an undisturbed recording would store them.
    package var truth: [KeptPoint] {
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
