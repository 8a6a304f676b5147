internal import PromisedDomain

/// Decides which points of a batch a recording accepts, and when they were recorded (domain §5).
struct RecordingIntake: Sendable {
    /// Points may be dated this far back.
    private static let longestDelay = TimeSpan.days(30)
    /// The range of valid altitudes, in metres.
    private static let altitudesMetres = -12_000.0...100_000.0

    private struct UsedClock {
        var clock = DeviceClock()
        var usedAt: Instant
    }

    /// The clocks of the boots that sent within a clock's memory. A restart of the server loses them; the next batch
    /// then determines the offset again.
    private var clocks: [DeviceKey: UsedClock] = [:]

    /// Why a batch is refused as a whole; nil if it is valid.
    static func refusal(of batch: RecordedBatch) -> RecordingRefusal? {
        guard RecordedBatch.countRange.contains(batch.points.count) else { return .invalid(field: "points") }
        if let uptime = batch.sent.uptimeMs, !ClockReadings.isSensible(uptime) { return .invalid(field: "uptimeMs") }
        if let wall = batch.sent.wallMs, !ClockReadings.isSensible(wall) { return .invalid(field: "sentAt") }
        return nil
    }

    /// Adds the new points of a valid batch, received at `now`, to the recording.
    mutating func take(
        _ batch: RecordedBatch,
        into recording: inout Recording,
        at now: Instant
    ) -> (receipt: RecordingReceipt, kept: [KeptPoint]) {
        let clock = observe(batch, at: now)
        var device = recording.devices[batch.device.deviceID] ?? Recording.Device()
        let mostRanges = recording.mostRanges(of: batch.device.deviceID)
        var (receipt, kept) = (RecordingReceipt(), [KeptPoint]())
        for point in batch.points {
            let seq = point.fix.seq
            do throws(Refusal) {
                if !device.taken.contains(seq) {
                    guard device.hasRoom(for: seq, inRanges: mostRanges) else { throw .positionLimit }
                    let settled = try RecordingIntake.settle(point, clock: clock, sent: batch.sent, at: now)
                    kept.append(KeptPoint(deviceID: batch.device.deviceID, seq: seq, point: settled))
                    device.take(seq)
                }
                receipt.taken.append(seq)
            } catch {
                receipt.rejected.append(ReportReceipt.Rejection(seq: seq, reason: error))
            }
        }
        receipt.lastSeq = device.lastSeq
        recording.add(kept, of: device)
        return (receipt, kept)
    }

    private mutating func observe(_ batch: RecordedBatch, at now: Instant) -> DeviceClock {
        clocks = clocks.filter { now - $0.value.usedAt <= ClockOffset.memory }
        var used = clocks[batch.device] ?? UsedClock(usedAt: now)
        used.usedAt = now
        used.clock.observe(syncs: batch.syncs)
        used.clock.observe(batch.sent, at: now)
        used.clock.observe(batch.points.lazy.map(\.fix), sent: batch.sent, at: now)
        clocks[batch.device] = used
        return used.clock
    }

    private static func settle(
        _ point: RecordedPoint,
        clock: DeviceClock,
        sent: ClockReadings,
        at now: Instant
    ) throws(Refusal) -> TrackPoint {
        let window = (now - longestDelay)..<(now + Fix.largestLead)
        let intake = FixIntake(window: window, mock: .flag)
        let fix = try intake.settle(point.fix, clock: clock, sent: sent, at: now)
        return TrackPoint(
            fix.coordinate,
            altitudeMetres: point.altitudeMetres.flatMap { altitudesMetres.contains($0) ? $0 : nil },
            time: fix.time,
            accuracyMetres: fix.accuracyMetres,
            speedMps: fix.speedMps,
            segment: Int(point.segment)
        )
    }
}

extension Recording {
    /// How many ranges the numbers of a device may form; 0 if it exceeds the limit of devices.
    fileprivate func mostRanges(of deviceID: String) -> Int {
        guard devices[deviceID] != nil || devices.count < Recording.mostDevices else { return 0 }
        let others = devices.lazy.filter { $0.key != deviceID }.map(\.value.taken.rangeCount).reduce(0, +)
        // A known device always gets at least one range, so it can continue.
        return max(1, Recording.mostRanges - others)
    }

    /// Adds new points of a device, which has accepted them.
    fileprivate mutating func add(_ kept: [KeptPoint], of device: Device) {
        guard let deviceID = kept.first?.deviceID else { return }
        var device = device
        for point in kept.map(\.point) {
            distanceMetres += device.step(to: point)
        }
        lastPointAt = (kept.map(\.point.time) + [lastPointAt]).compactMap(\.self).max()
        points += kept.count
        devices[deviceID] = device
    }
}

extension Recording.Device {
    /// `true` if a new number fits, with at most this number of ranges; never with 0.
    fileprivate func hasRoom(for seq: UInt32, inRanges most: Int) -> Bool {
        taken.rangeCount < most || most > 0 && !taken.beginsRange(seq)
    }

    fileprivate mutating func take(_ seq: UInt32) {
        taken.insert(seq)
        lastSeq = max(lastSeq, seq)
    }

    /// The metres that a point adds to the estimate: 0 if it is late or does not count yet.
    fileprivate mutating func step(to point: TrackPoint) -> Double {
        guard let last = lastCounted, last.segment == point.segment else {
            if lastCounted.map({ $0.segment < point.segment }) ?? true { lastCounted = point }
            return 0
        }
        let metres = point.coordinate.distanceMetres(to: last.coordinate)
        guard let time = last.time, let later = point.time, time < later,
            CountedPoints.counts(metres, from: last, to: point)
        else {
            return 0
        }
        lastCounted = point
        // A cached or wrong position must not lengthen the way.
        return TrackSteps.isPossible(from: last, to: point, within: later - time) ? metres : 0
    }
}
