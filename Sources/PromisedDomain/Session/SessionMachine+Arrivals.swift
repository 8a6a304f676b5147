extension SessionMachine {
    /// Compares the arrivals as the tracks tell them at `instant` with those announced, and announces what changed.
    ///
    /// - Parameters:
    ///   - cause: why ranks or credited times of others may change, unless a retraction is the reason.
    ///   - retraction: why an arrival that is no more was taken back; nil: as the rule says.
    mutating func reconcileArrivals(
        at instant: Instant,
        cause: PromiseEvent.RevisionCause,
        retraction: PromiseEvent.RetractionReason?
    ) {
        var standing: [UserID: Arrival] = [:]
        for member in members {
            if let arrival = member.arrival(at: instant) { standing[member.participant.userID] = arrival }
        }
        let before = Dictionary(uniqueKeysWithValues: board.map { ($0.userID, $0) })
        let isSame = standing == before.mapValues(\.arrival)
        guard judgePairs(of: standing, at: instant) || !isSame else { return }
        board = Ranking.rank(standing, together: pairs.together.found.keys)
        note(standing, before: before)
        let retracted = before.keys.filter { standing[$0] == nil }.sorted()
        for userID in retracted {
            let reason = retraction ?? ruleReason(toRetract: userID, at: instant)
            record(.arrivalRetracted(userID, reason: reason), at: instant)
        }
        var revised: [RankedArrival] = []
        for entry in board {
            guard let old = before[entry.userID] else {
                record(.arrived(entry), at: instant)
                if entry.arrival.stage == .confirmed { record(.arrivalConfirmed(entry), at: instant) }
                continue
            }
            if isRevision(of: old, to: entry) { revised.append(entry) }
            if old.arrival.stage == .provisional, entry.arrival.stage == .confirmed {
                record(.arrivalConfirmed(entry), at: instant)
            }
        }
        guard !revised.isEmpty else { return }
        let revision: PromiseEvent.RevisionCause = isSame ? .backfill : retracted.isEmpty ? cause : .retraction
        record(.rankingRevised(revised, cause: revision), at: instant)
    }

    private func ruleReason(toRetract userID: UserID, at instant: Instant) -> PromiseEvent.RetractionReason {
        let member = memberIndex[userID].map { members[$0] }
        switch member?.retraction(at: instant)?.cause {
        case .held: return .held
        case .passed, nil: return .leftAgain
        }
    }

    /// Makes what changed part of this step's commit.
    private mutating func note(_ standing: [UserID: Arrival], before: [UserID: RankedArrival]) {
        for (userID, arrival) in standing where before[userID]?.arrival != arrival {
            pending.arrivals[userID] = arrival
            pending.retracted.remove(userID)
        }
        for userID in before.keys where standing[userID] == nil {
            pending.arrivals[userID] = nil
            pending.retracted.insert(userID)
        }
    }

    /// Whether somebody who had arrived before has another time, source or rank now, or is no longer sure.
    private func isRevision(of old: RankedArrival, to new: RankedArrival) -> Bool {
        old.rank != new.rank || old.arrival.creditedAt != new.arrival.creditedAt
            || old.arrival.source != new.arrival.source
            || (old.arrival.stage == .confirmed && new.arrival.stage == .provisional)
    }
}
