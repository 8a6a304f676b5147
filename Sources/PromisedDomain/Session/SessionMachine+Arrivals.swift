extension SessionMachine {
    /// Compares the arrivals of the tracks at `instant` with the announced ones, and announces the changes.
    ///
    /// - Parameters:
    ///   - cause: why ranks or credited times of others may change, unless a retraction is the reason.
    ///   - retraction: why a missing arrival was retracted; nil: the reason of the rule.
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

    /// Adds the changes to this step's commit.
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

    /// `true` if the time, source or rank of an earlier arrival has changed, or it is no longer certain.
    private func isRevision(of old: RankedArrival, to new: RankedArrival) -> Bool {
        old.rank != new.rank || old.arrival.creditedAt != new.arrival.creditedAt
            || old.arrival.source != new.arrival.source
            || (old.arrival.stage == .confirmed && new.arrival.stage == .provisional)
    }
}
