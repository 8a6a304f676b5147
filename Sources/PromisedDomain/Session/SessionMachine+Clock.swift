extension SessionMachine {
    /// The instant of the clock's event after `mark`; the distant future after the last.
    func instant(after mark: ClockMark) -> Instant {
        switch mark {
        case .none: promise.opensAt
        case .opened: promise.meetsAt
        case .met: promise.lateFrom
        case .late: promise.closesAt
        case .closed: promise.settlesAt
        case .final: Instant(milliseconds: .max)
        }
    }

    /// Performs all clock changes up to `now`, each at its own instant and in order.
    mutating func advance(to now: Instant) {
        guard wakes.isClockDue(at: now) else { return wakes.workedOff(to: now) }
        while let due = nextClockChange(), due <= now {
            // The table could be wrong without the fixes of pending recalls: it waits for them.
            if due >= promise.settlesAt, members.contains(where: \.isAwaitingRecall) { return }
            reconcileArrivals(at: due, cause: .arrival, retraction: nil)
            // Arrivals of that instant may have come together with others, too.
            if due >= promise.settlesAt, pairs.together.isAwaitingWays { return }
            wakes.workedOff(to: due)
            if instant(after: mark) <= due { passMark(at: due) }
        }
        wakes.workedOff(to: now)
    }

    private mutating func passMark(at due: Instant) {
        switch mark {
        case .none: pass(to: .opened, event: .trackingStarted, at: due)
        case .opened: pass(to: .met, event: .meetingTime, at: due)
        case .met: pass(to: .late, event: .late(withoutArrival()), at: due)
        case .late: pass(to: .closed, event: .trackingEnded, at: due)
        case .closed: finish(at: due)
        case .final: break
        }
    }

    private mutating func pass(to next: ClockMark, event: PromiseEvent, at due: Instant) {
        mark = next
        pending.mark = next
        record(event, at: due)
    }

    /// Accepted participants without an arrival, sorted by id.
    private func withoutArrival() -> [UserID] {
        let arrived = Set(board.map(\.userID))
        return members.map(\.participant)
            .filter { $0.membership == .accepted && !arrived.contains($0.userID) }
            .map(\.userID)
            .sorted()
    }

    /// Writes the final table, exactly once: the mark is part of the same commit. The clock has decided about all
    /// arrivals.
    private mutating func finish(at due: Instant) {
        let table = PromiseResult(
            deciding: promise,
            participants: members.map(\.participant),
            arrivals: Dictionary(uniqueKeysWithValues: board.map { ($0.userID, $0.arrival) }),
            together: pairs.together.found.keys
        )
        result = table
        pending.result = table
        pass(to: .final, event: .resultFinal, at: due)
        releaseTracks()
    }

    /// Releases the state that only a running session needs.
    mutating func releaseTracks() {
        for index in members.indices {
            members[index].devices.removeAll()
            members[index].hasMoved = false
            members[index].forgetWhereabouts()
            members[index].refused.removeAll()
        }
        reporting.takeMovement()
        reporting.forgetAll()
        pairs.forgetNudges()
        pairs.together.releaseWays()
    }
}
