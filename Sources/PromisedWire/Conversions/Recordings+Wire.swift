package import PromisedDomain
package import PromisedJournal
package import PromisedProtocol

extension WireRecording {
    package init(_ recording: Recording) {
        self.init()
        recordingID = recording.id.wireText
        state = WireRecordingState.Value(recording.state)
        activity = WireActivity.Value(recording.activity)
        title = recording.title.bounded(characters: CourseLimits.title.upperBound)
        points = UInt32(clamping: recording.points)
        lastSeq = recording.lastSeq
        distanceMetres = recording.distanceMetres
        startedAt = WireTimestamp(recording.startedAt)
        if let last = recording.lastPointAt { lastPointAt = WireTimestamp(last) }
        courseID = recording.courseID?.wireText ?? ""
    }
}

extension WireRecorded {
    /// The reply to `appendRecording`.
    package init(_ receipt: RecordingReceipt) {
        self.init()
        taken = Set(receipt.taken).sorted()
        rejected = receipt.rejected.map { point in
            var wire = WireRejectedPoint()
            wire.seq = point.seq
            wire.code = ErrorCode(point.reason).rawValue
            return wire
        }
        lastSeq = receipt.lastSeq
    }
}

extension RecordedBatch {
    /// Points as sent by a phone; validates only their number, because each is accepted or rejected individually.
    ///
    /// - Parameters:
    ///   - device: the connection's device and boot.
    ///   - syncs: the device's `syncClock` exchanges of the last 10 minutes, oldest first.
    /// - Throws: ``WireError/invalid(field:)`` without points, with more than 200, and for an invalid sending clock.
    package init(_ wire: WireAppendRecording, device: DeviceKey, syncs: [ClockSync]) throws(WireError) {
        guard RecordedBatch.countRange.contains(wire.points.count) else { throw .invalid(field: "points") }
        let sent = try ClockReadings(
            uptimeMs: wire.hasUptimeMs ? wire.uptimeMs : nil,
            wallMs: wire.hasSentAt ? wire.sentAt.readingMs : nil,
            wallField: "sentAt"
        )
        self.init(device: device, points: wire.points.map(RecordedPoint.init), sent: sent, syncs: syncs)
    }
}

extension RecordedPoint {
    /// A point as recorded by a phone, not validated.
    fileprivate init(_ wire: WireRecordedPoint) {
        self.init(
            Fix(
                seq: wire.seq,
                coordinate: Coordinate(latitude: wire.latitude, longitude: wire.longitude),
                accuracyMetres: wire.hasAccuracyMetres ? wire.accuracyMetres : nil,
                speedMps: wire.hasSpeedMps ? wire.speedMps : nil,
                uptimeMs: wire.hasUptimeMs ? wire.uptimeMs : nil,
                wallMs: wire.hasRecordedAt ? wire.recordedAt.readingMs : nil
            ),
            altitudeMetres: wire.hasAltitudeMetres ? wire.altitudeMetres : nil,
            segment: wire.segment
        )
    }
}

extension WireRecordingState.Value {
    package init(_ state: Recording.State) {
        switch state {
        case .recording: self = .recording
        case .interrupted: self = .interrupted
        case .finished: self = .finished
        }
    }
}
