/// The stored fixes of one device with the rule's decisions about them, and the rule's state after the last.
package struct ExplainedTrack: Hashable, Sendable {
    package let device: DeviceKey
    /// All fixes, by time and then `seq`.
    package let fixes: [ExplainedFix]
    private let detector: ArrivalDetector

    /// Judges the fixes of one participant per device, as the session does. The tracks are in no particular order.
    ///
    /// - Parameter fixes: all stored fixes of the participant, in any order and with repeats.
    package static func judge(_ fixes: [ArchivedFix], of promise: Promise) -> [ExplainedTrack] {
        let criteria = ArrivalCriteria(promise)
        let devices = Dictionary(grouping: fixes, by: \.device)
        return devices.map { device, fixes in ExplainedTrack(fixes.map(\.fix), of: device, criteria: criteria) }
    }

    private init(_ fixes: [SettledFix], of device: DeviceKey, criteria: ArrivalCriteria) {
        var known = Set<UInt32>()
        let ordered = fixes.sorted().filter { known.insert($0.seq).inserted }
        var verdicts: [UInt32: FixVerdict] = [:]
        var state = TrackState(criteria: criteria)
        state.fold(ordered, count: ordered.count) { fix, verdict in verdicts[fix.seq] = verdict }
        var before: SettledFix?
        self.fixes = ordered.map { fix in
            let verdict = verdicts[fix.seq] ?? .held
            defer { if case .accepted = verdict { before = fix } }
            return ExplainedFix(
                device: device,
                fix: fix,
                distanceMetres: fix.coordinate.distanceMetres(to: criteria.centre),
                speedMps: fix.speed(after: before.map { Waypoint($0) }),
                verdict: verdict
            )
        }
        self.device = device
        detector = state.detector
    }

    /// The hold that blocks the confirmation as of `now`, and when the clock decides; nil without one.
    package func hold(at now: Instant) -> (hold: ArrivalDetector.Hold, decidedAt: Instant)? {
        guard let hold = detector.hold(at: now), let decidedAt = detector.nextChange(after: now) else { return nil }
        return (hold, decidedAt)
    }

    /// The last arrival retracted as of `now`; nil if none.
    package func retraction(at now: Instant) -> ArrivalDetector.Retraction? { detector.retraction(at: now) }

    /// The accepted fixes with their class, in order.
    var accepted: [(fix: ExplainedFix, place: FixClass)] {
        fixes.compactMap { fix in
            guard case .accepted(let place) = fix.verdict else { return nil }
            return (fix, place)
        }
    }
}

extension [ExplainedTrack] {
    /// The fixes of all devices, by time and then `seq`.
    package var fixes: [ExplainedFix] {
        flatMap(\.fixes).sorted { ($0.fix.time, $0.fix.seq) < ($1.fix.time, $1.fix.seq) }
    }
}
