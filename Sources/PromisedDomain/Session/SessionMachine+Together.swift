// The participants who came together share a rank (domain §6.4). Their ways are read from the archive, like the fixes
// of a recall.
extension SessionMachine {
    /// Judges who came together, as far as the ways are known, and requests the missing ways. Returns `true` if pairs
    /// or their findings have changed.
    mutating func judgePairs(of standing: [UserID: Arrival], at instant: Instant) -> Bool {
        let before = pairs.together.found
        var parties: [SessionTogether.Party] = []
        var spans: [UserID: Range<Instant>] = [:]
        for member in members {
            let userID = member.participant.userID
            guard let arrival = standing[userID], let party = SessionTogether.Party(arrival, of: userID) else {
                continue
            }
            parties.append(party)
            spans[userID] = member.acceptedSpan(with: arrival)
        }
        pairs.together.follow(parties, at: instant) { one, other, later in
            [one.userID, other.userID].allSatisfy { spans[$0]?.contains(later) ?? false }
        }
        noteReadings(at: instant)
        let change = TogetherChange(from: before, to: pairs.together.found)
        pending.together.merge(change)
        return !change.isEmpty
    }

    /// A member's device has new fixes, which may change the way of an arrival that depends on it.
    mutating func noteWay(
        _ fixes: [SettledFix],
        ofDevice device: Int,
        of index: Int,
        _ insertion: DeviceTrack.Insertion,
        at now: Instant
    ) {
        guard !board.isEmpty else { return }
        let userID = members[index].participant.userID
        let key = members.inPlace(index) { $0.devices[device].key }
        if pairs.together.note(fixes, of: userID, device: key, isNewest: insertion == .extended) {
            noteReadings(at: now)
        }
    }

    /// Reads the requested ways, if it is time.
    mutating func beginReadingWays(at now: Instant, effects: inout [SessionEffect]) {
        for party in pairs.together.takeWanted(at: now, interval: reporting.limits.recallInterval) {
            guard let index = memberIndex[party.userID] else { continue }
            effects.append(
                .recall(
                    Recall(
                        userID: party.userID,
                        device: party.device,
                        askedAt: now,
                        countsFrom: members[index].countsFrom,
                        criteria: reporting.criteria,
                        limits: reporting.limits,
                        wayTo: party.creditedAt
                    )
                )
            )
        }
        noteReadings(at: now)
    }

    /// Adds a way that was read.
    mutating func take(_ way: ArrivalWay, for recall: Recall, at now: Instant) {
        guard !isOver else { return }
        pairs.together.take(way, of: recall.userID, askedAt: recall.askedAt, at: now)
        reconcileArrivals(at: wakes.workedUpTo, cause: .backfill, retraction: .backfill)
        wakes.reconsider()
        advance(to: now)
    }

    private mutating func noteReadings(at now: Instant) {
        let next = pairs.together.nextReading(at: now, interval: reporting.limits.recallInterval)
        if let next { wakes.noteRecall(dueAt: next) }
    }
}

extension SessionTogether.Party {
    /// An arrival that counts for pairs; nil for check-ins and for arrivals under the rule `first-fix`.
    init?(_ arrival: Arrival, of userID: UserID) {
        guard arrival.source == .gps, let evidence = arrival.evidence else { return nil }
        guard evidence.clause != .firstFix else { return nil }
        self.init(userID: userID, device: evidence.device, creditedAt: arrival.creditedAt)
    }
}

extension SessionMember {
    /// When the participant was accepted, as far as it matters to their arrival; nil if never. An arrival from before
    /// they left and rejoined counts as that of a participant; the absence is not recorded.
    fileprivate func acceptedSpan(with arrival: Arrival) -> Range<Instant>? {
        guard var from = participant.acceptedAt else { return nil }
        let hasComeBack = countsFrom.map { $0 < from } ?? true
        if hasComeBack, let arrivedAt = arrival.evidence?.provisionalAt, arrivedAt < from {
            from = min(from, arrival.creditedAt)
        }
        let end = participant.endedAt ?? Instant(milliseconds: .max)
        return from < end ? from..<end : nil
    }
}
