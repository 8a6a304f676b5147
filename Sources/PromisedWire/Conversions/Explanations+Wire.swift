package import PromisedDomain
package import PromisedProtocol

extension WireExplanation {
    /// The explanation of a participant's arrival, without fixes and revisions.
    package init(_ member: SessionView.Member, of promise: Promise, card: UserCard) {
        self.init()
        promiseID = promise.id.wireText
        user = WireUserCard(card)
        rule = WireRule(of: promise)
        ruleVersion = UInt32(clamping: ArrivalRule.version)
        guard let ranked = member.arrival else { return }
        arrival = WireArrival(ranked, of: promise)
        clause = WireArrivalClause.Value(ranked.arrival)
        guard let evidence = ranked.arrival.evidence else { return }
        ruleVersion = UInt32(clamping: evidence.ruleVersion ?? 1)
        // A deleted user's device is private.
        deviceID = card.isDeleted ? "" : evidence.device.deviceID.bounded(characters: 64)
        provisionalAt = WireTimestamp(evidence.provisionalAt)
        if let confirmedAt = evidence.confirmedAt { self.confirmedAt = WireTimestamp(confirmedAt) }
        if let crossing = WireCrossing(ranked.arrival, evidence) { self.crossing = crossing }
    }
}

extension WireCameTogether {
    /// A pair from the point of view of one of the two; `card` is the other's.
    package init(_ pair: CameTogether, card: UserCard) {
        self.init()
        user = WireUserCard(card)
        medianDistanceMetres = pair.medianDistanceMetres
        limitMetres = pair.limitMetres
        moments = UInt32(clamping: pair.momentCount)
        creditedAt = WireTimestamp(pair.creditedAt)
    }
}

extension WireCrossing {
    /// How the credited time follows from two fixes; nil if it follows from a single one.
    init?(_ arrival: Arrival, _ evidence: ArrivalEvidence) {
        guard let outside = evidence.lastOutside, arrival.creditedAt > outside.time,
            arrival.creditedAt < evidence.firstInside.time
        else { return nil }
        self.init()
        outsideAt = WireTimestamp(outside.time)
        outsideDistanceMetres = outside.distanceMetres
        insideAt = WireTimestamp(evidence.firstInside.time)
        insideDistanceMetres = evidence.firstInside.distanceMetres
        guard let outsideError = outside.errorMetres, let insideError = evidence.firstInside.errorMetres else { return }
        outsideErrorMetres = outsideError
        insideErrorMetres = insideError
        let metres = outside.distanceMetres - evidence.firstInside.distanceMetres
        let milliseconds = Double((evidence.firstInside.time - outside.time).milliseconds)
        let uncertainty = max(outsideError, insideError) / metres * milliseconds
        if uncertainty.isFinite { uncertaintyMs = UInt32(min(max(0, uncertainty.rounded()), Double(UInt32.max))) }
    }
}

extension WireArrivalClause.Value {
    /// The basis of an arrival.
    package init(_ arrival: Arrival) {
        switch arrival.source {
        case .myself, .peer: self = .checkIn
        case .owner: self = .correction
        case .gps: self = arrival.evidence.map { WireArrivalClause.Value($0.clause) } ?? .unspecified
        }
    }

    init(_ clause: ArrivalEvidence.Clause) {
        switch clause {
        case .settled: self = .settled
        case .lingering: self = .lingering
        case .silent: self = .silent
        case .firstFix: self = .firstFix
        }
    }
}

extension WireExplainedFix {
    /// A stored fix. `limitMetres` is the largest error that the rule uses.
    package init(_ explained: ExplainedFix, limitMetres: Double) {
        self.init()
        seq = explained.fix.seq
        deviceID = explained.device.deviceID.bounded(characters: 64)
        fixTime = WireTimestamp(explained.fix.time)
        receivedAt = WireTimestamp(explained.fix.receivedAt)
        latitude = explained.fix.coordinate.latitude
        longitude = explained.fix.coordinate.longitude
        errorMetres = explained.fix.errorMetres
        distanceMetres = explained.distanceMetres
        speedMps = explained.speedMps.isFinite ? explained.speedMps : 0
        use = WireFixUse.Value(explained.verdict)
        mock = explained.fix.isMock
        clockMoved = explained.fix.isClockMoved
        otherClock = explained.fix.isOfOtherClock
        if use == .unusable { self.limitMetres = limitMetres }
    }

    package init(_ refused: RefusedFix) {
        self.init()
        seq = refused.seq
        deviceID = refused.device.deviceID.bounded(characters: 64)
        receivedAt = WireTimestamp(refused.receivedAt)
        use = .refused
        code = ErrorCode(refused.reason).rawValue
    }
}

extension WireFixUse.Value {
    package init(_ verdict: FixVerdict) {
        switch verdict {
        case .accepted(.strong): self = .strong
        case .accepted(.inside): self = .inside
        case .accepted(.near): self = .edge
        case .accepted(.outside): self = .outside
        case .accepted(.unusable): self = .unusable
        case .held: self = .held
        case .dropped: self = .dropped
        case .covered: self = .covered
        }
    }
}

extension WireArrivalRevision {
    /// A durable event's change to a user's arrival; nil if it changes none.
    package init?(_ numbered: NumberedEvent, of userID: UserID, in promise: Promise) {
        self.init()
        at = WireTimestamp(numbered.at)
        switch numbered.event.traits.arrivals {
        case .arrived(let ranked):
            guard ranked.userID == userID else { return nil }
            cause = "arrived"
            arrival = WireArrival(ranked, of: promise)
        case .confirmed(let ranked):
            guard ranked.userID == userID else { return nil }
            cause = "confirmed"
            arrival = WireArrival(ranked, of: promise)
        case .retracted(let retracted, let reason):
            guard retracted == userID else { return nil }
            cause = reason.rawValue
        case .revised(let arrivals, let revision):
            guard let mine = arrivals.first(where: { $0.userID == userID }) else { return nil }
            cause = revision.rawValue
            arrival = WireArrival(mine, of: promise)
        case nil: return nil
        }
    }
}
