/// One stored fix and the arrival rule's decision about it (domain §6.9).
package struct ExplainedFix: Hashable, Sendable {
    /// The device and boot it came from.
    package var device: DeviceKey
    /// The fix.
    package var fix: SettledFix
    /// Metres to the place.
    package var distanceMetres: Double
    /// The speed the rule uses, in metres per second: reported, else from the accepted fix before; 0 for the first.
    package var speedMps: Double
    /// The decision about it.
    package var verdict: FixVerdict
}

extension ExplainedFix {
    /// The fixes of one participant, each device judged by itself as the session judged them, by time and then `seq`.
    ///
    /// - Parameter fixes: all stored fixes of the participant, in any order and with repeats.
    package static func explain(_ fixes: [ArchivedFix], of promise: Promise) -> [ExplainedFix] {
        let criteria = ArrivalCriteria(promise)
        let devices = Dictionary(grouping: fixes, by: \.device)
        return devices.flatMap { device, fixes in explain(fixes.map(\.fix), from: device, criteria: criteria) }
            .sorted { ($0.fix.time, $0.fix.seq) < ($1.fix.time, $1.fix.seq) }
    }

    private static func explain(
        _ fixes: [SettledFix],
        from device: DeviceKey,
        criteria: ArrivalCriteria
    ) -> [ExplainedFix] {
        var known = Set<UInt32>()
        let ordered = fixes.sorted().filter { known.insert($0.seq).inserted }
        var verdicts: [UInt32: FixVerdict] = [:]
        var state = TrackState(criteria: criteria)
        state.fold(ordered, count: ordered.count) { fix, verdict in verdicts[fix.seq] = verdict }
        var before: SettledFix?
        return ordered.map { fix in
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
    }
}

extension SettledFix {
    /// Metres per second: reported, else the plain distance from the accepted fix before over the time; 0 for the first.
    func speed(after previous: Waypoint?) -> Double {
        if let knownSpeedMps { return knownSpeedMps }
        guard let previous else { return 0 }
        let metres = coordinate.distanceMetres(to: previous.coordinate)
        let seconds = (time - previous.time).seconds
        if seconds > 0 { return metres / seconds }
        return metres > 0 ? .infinity : 0
    }
}
