internal import PromisedDomain

/// Judges the stored fixes of a final promise again, all of a device at once.
enum EvidenceCheck {
    /// - Throws: an arrival by positions that the device's fixes do not credit, or a credited one that is missing.
    static func check(_ snapshot: SessionSnapshot) throws(Violation) {
        // Without a place there are no distances.
        guard !snapshot.promise.isEmptied else { return }
        let criteria = ArrivalCriteria(snapshot.promise)
        for participant in snapshot.participants where participant.isJudgedWhole(in: snapshot.promise) {
            let fixes = snapshot.fixes.filter { $0.userID == participant.userID }
            let credits = Dictionary(grouping: fixes, by: \.device).compactMapValues { fixes in
                credit(fixes.map(\.fix), criteria, at: snapshot.promise.settlesAt)
            }
            try compare(snapshot.arrivals[participant.userID], with: credits, of: participant.userID)
        }
    }

    private static func compare(
        _ arrival: Arrival?,
        with credits: [DeviceKey: Instant],
        of userID: UserID
    ) throws(Violation) {
        guard let arrival, arrival.source == .gps else {
            // A check-in may precede the arrival credited by positions.
            guard arrival == nil, !credits.isEmpty else { return }
            throw Violation(.evidence, "the fixes of \(userID.low & 0xFF) make an arrival that is not stored")
        }
        // The evidence of a deleted account names no device.
        let credited = arrival.evidence.flatMap { evidence in
            let all =
                evidence.device.deviceID.isEmpty ? Array(credits.values) : [credits[evidence.device]].compactMap(\.self)
            return all.first { $0 == arrival.creditedAt } ?? all.first
        }
        guard credited == arrival.creditedAt else {
            let found = credited.map { "\($0.milliseconds)" } ?? "no arrival"
            let stored = arrival.creditedAt.milliseconds
            throw Violation(.evidence, "the fixes of \(userID.low & 0xFF) make \(found), stored is \(stored)")
        }
    }

    private static func credit(_ fixes: [SettledFix], _ criteria: ArrivalCriteria, at end: Instant) -> Instant? {
        var track = DeviceTrack(criteria: criteria)
        track.rebuild(from: fixes, holding: fixes.count + 1)
        return track.arrival(at: end)?.creditedAt
    }
}

extension Participant {
    /// `true` if all fixes count to the end: those of people who leave, or come back, count in part.
    fileprivate func isJudgedWhole(in promise: Promise) -> Bool {
        membership == .accepted && acceptedAt.map { $0 < promise.opensAt } ?? false
    }
}
