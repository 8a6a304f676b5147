// Recalls: for fixes older than those held, all fixes of the device are read from the archive. Recalls are rare, and
// late fixes that arrive meanwhile share the next one.
extension SessionMachine {
    /// Requests a recall of a device that has unjudged fixes.
    mutating func wantRecall(ofDevice device: Int, of index: Int, at now: Instant) {
        var state = members[index].devices[device].recall ?? SessionMember.RecallState()
        state.isWanted = true
        members[index].devices[device].recall = state
        if !state.isUnderWay { wakes.noteRecall(dueAt: dueAt(state, at: now)) }
    }

    mutating func beginRecalls(at now: Instant, effects: inout [SessionEffect]) {
        guard wakes.takeRecall(at: now) else { return }
        // Ways last: a recall may change the arrival whose way is needed.
        defer { beginReadingWays(at: now, effects: &effects) }
        for index in members.indices {
            for device in members[index].devices.indices {
                guard var state = members[index].devices[device].recall, state.isWanted, !state.isUnderWay else {
                    continue
                }
                let due = dueAt(state, at: now)
                guard due <= now else {
                    wakes.noteRecall(dueAt: due)
                    continue
                }
                state = SessionMember.RecallState(askedAt: now, isUnderWay: true, isWanted: false)
                members[index].devices[device].recall = state
                effects.append(.recall(recall(ofDevice: device, of: index, at: now)))
            }
        }
    }

    mutating func take(_ judged: JudgedTrack, for recall: Recall, at now: Instant) {
        guard recall.wayTo == nil else { return take(judged.way, for: recall, at: now) }
        guard let index = memberIndex[recall.userID], !isOver,
            let device = members[index].devices.firstIndex(where: { $0.key == recall.device }),
            var state = members[index].devices[device].recall, state.isUnderWay, state.askedAt == recall.askedAt
        else { return }
        state.isUnderWay = false
        if members[index].countsFrom != recall.countsFrom {
            state.isWanted = true
        } else if !members[index].devices[device].track.take(judged, holding: reporting.limits.held) {
            state.isWanted = true
        }
        members[index].devices[device].recall = state
        if state.isWanted {
            members[index].devices[device].track.awaitRecall()
            wakes.noteRecall(dueAt: dueAt(state, at: now))
        }
        updateLive(at: index)
        reconcileArrivals(at: wakes.workedUpTo, cause: .backfill, retraction: .backfill)
        wakes.reconsider()
        advance(to: now)
    }

    /// `true` if a participant has unjudged fixes.
    package func isAwaitingRecall(of userID: UserID) -> Bool {
        memberIndex[userID].map { members[$0].isAwaitingRecall } ?? false
    }

    /// `true` if a participant has unjudged fixes, or a way that has not been compared yet.
    package var isAwaitingRecalls: Bool { pairs.together.isAwaitingWays || members.contains(where: \.isAwaitingRecall) }

    private func dueAt(_ state: SessionMember.RecallState, at now: Instant) -> Instant {
        state.askedAt.map { $0 + reporting.limits.recallInterval } ?? now
    }

    private func recall(ofDevice device: Int, of index: Int, at now: Instant) -> Recall {
        Recall(
            userID: members[index].participant.userID,
            device: members[index].devices[device].key,
            askedAt: now,
            countsFrom: members[index].countsFrom,
            criteria: reporting.criteria,
            limits: reporting.limits
        )
    }
}
