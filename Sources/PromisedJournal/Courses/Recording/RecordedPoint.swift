package import PromisedDomain

/// A point of a recording as a device sends it.
package struct RecordedPoint: Hashable, Sendable {
    /// Position, accuracy, speed and the device's clocks. Its `seq` counts the device's points of this recording, through
    /// restarts of the app and of the device.
    package var fix: Fix
    /// Metres above sea level; nil if unknown.
    package var altitudeMetres: Double?
    /// The device's number of the segment: a new one after each pause.
    package var segment: UInt32

    /// A point with all its fields, unchecked.
    package init(_ fix: Fix, altitudeMetres: Double? = nil, segment: UInt32 = 0) {
        self.fix = fix
        self.altitudeMetres = altitudeMetres
        self.segment = segment
    }
}

/// The points of one `appendRecording`.
package struct RecordedBatch: Hashable, Sendable {
    /// How many points a batch may have.
    package static let countRange = 1...200

    /// The device that recorded them, with its boot.
    package var device: DeviceKey
    /// The points in any order; already accepted ones are allowed.
    package var points: [RecordedPoint]
    /// The device's clocks at the time of sending.
    package var sent: ClockReadings
    /// The readings of this device's `syncClock` requests of the last 10 minutes, oldest first; repeats are allowed.
    package var syncs: [ClockSync]

    package init(
        device: DeviceKey,
        points: [RecordedPoint],
        sent: ClockReadings = ClockReadings(),
        syncs: [ClockSync] = []
    ) {
        self.device = device
        self.points = points
        self.sent = sent
        self.syncs = syncs
    }
}

/// A stored point of a recording.
package struct KeptPoint: Hashable, Sendable {
    /// The device that recorded it, without its boot.
    package var deviceID: String
    /// The device's number for it.
    package var seq: UInt32
    /// The point with its time on the server's clock, and the device's number of the segment.
    package var point: TrackPoint

    package init(deviceID: String, seq: UInt32, point: TrackPoint) {
        self.deviceID = deviceID
        self.seq = seq
        self.point = point
    }
}

extension Track {
    /// The way of a recording, independent of the order of its points.
    ///
    /// Each segment of each device is one of the way, its points by time, then by `seq`; the segments are in the order of
    /// their first points.
    package init(recorded points: some Sequence<KeptPoint>) {
        let segments = Dictionary(grouping: points) { SegmentKey(deviceID: $0.deviceID, segment: $0.point.segment) }
            .mapValues { $0.sorted { $0.order < $1.order } }
        let ordered = segments.sorted { left, right in
            guard let one = left.value.first?.order, let other = right.value.first?.order else { return false }
            return (one, left.key) < (other, right.key)
        }
        self.init(
            ordered.enumerated().lazy.flatMap { number, segment in
                segment.value.map { kept in
                    var point = kept.point
                    point.segment = number
                    return point
                }
            }
        )
    }

    private struct SegmentKey: Hashable, Comparable {
        var deviceID: String
        var segment: Int

        static func < (left: SegmentKey, right: SegmentKey) -> Bool {
            (left.deviceID, left.segment) < (right.deviceID, right.segment)
        }
    }
}

extension KeptPoint {
    /// The place of a point in its segment; all stored points have a time.
    fileprivate var order: FixOrder { FixOrder(time: point.time ?? Instant(milliseconds: .min), seq: seq) }
}
