extension Arrival {
    /// What positions and a check-in say together, nil when neither says anything.
    ///
    /// A check-in is confirmed at once and credited at its own time unless the positions credit an earlier one
    /// (domain §6.7).
    init?(detection: ArrivalDetector.Detection?, device: DeviceKey?, checkIn: CheckIn?) {
        let evidence = detection.flatMap { found in device.map { ArrivalEvidence(found, device: $0) } }
        switch (detection, checkIn) {
        case (nil, nil): return nil
        case (let found?, nil):
            self.init(
                stage: found.confirmedAt == nil ? .provisional : .confirmed,
                creditedAt: found.creditedAt,
                source: .gps,
                evidence: evidence
            )
        case (let found, let claim?):
            let isEarlier = found.map { $0.creditedAt < claim.at } ?? false
            self.init(
                stage: .confirmed,
                creditedAt: isEarlier ? found?.creditedAt ?? claim.at : claim.at,
                source: isEarlier ? .gps : claim.source,
                evidence: evidence,
                checkIn: claim
            )
        }
    }
}

extension ArrivalEvidence {
    init(_ detection: ArrivalDetector.Detection, device: DeviceKey) {
        self.init(
            device: device,
            clause: detection.clause,
            provisionalAt: detection.provisionalAt,
            confirmedAt: detection.confirmedAt,
            firstInside: detection.firstInside,
            lastOutside: detection.lastOutside,
            fixCount: detection.fixCount,
            strongCount: detection.strongCount
        )
    }
}
