// When the session must be woken. Most steps concern a single member, and only that one is evaluated then.
extension SessionMachine {
    /// The next instant at which the clock changes something or something must be sent; nil once over. Changes nothing:
    /// it is mutating so that the members are evaluated in place.
    package mutating func nextWake() -> Instant? { nextWake(clockChangesAt: nextClockChange()) }

    /// When the next requested recall may begin; nil without one.
    package var nextRecallAt: Instant? { wakes.nextRecallAt }

    /// When to wake the session instead, if nothing is due that remains to be done; nil if something is due, or there
    /// are no more wakes.
    package mutating func putOffWake(at now: Instant) -> Instant? {
        let change = nextClockChange()
        guard let next = nextWake(clockChangesAt: change), next > now else { return nil }
        wakes.putOff(until: next)
        wakes.noteClock(change)
        return next
    }

    private mutating func nextWake(clockChangesAt change: Instant?) -> Instant? {
        guard var next = change else { return nil }
        if let nextRecallAt { next = min(next, nextRecallAt) }
        if let end = viewLinkEnd(at: wakes.workedUpTo) { next = min(next, end) }
        if let count = viewing.nextTelling { next = min(next, wakes.after(count)) }
        guard mark >= .opened, mark < .closed else { return next }
        let moment = moment(at: wakes.workedUpTo)
        for index in members.indices {
            if let news = nextNews(of: index, after: moment) { next = min(next, news) }
        }
        if let delayed = nextDelayedEstimate { next = min(next, wakes.after(delayed)) }
        return next
    }

    /// The next instant at which the clock changes an arrival or the promise's status; nil once over.
    mutating func nextClockChange() -> Instant? {
        guard !isOver else { return nil }
        var next = instant(after: mark)
        for index in members.indices {
            if let change = nextChange(of: index) { next = min(next, change) }
        }
        return next
    }

    /// The next instant at which the clock alone changes a member's arrival.
    @inline(__always)
    private mutating func nextChange(of index: Int) -> Instant? {
        let workedUpTo = wakes.workedUpTo
        return members.inPlace(index) { $0.nextChange(after: workedUpTo) }
    }

    /// The next instant at which the clock alone changes what the others are shown of a member.
    @inline(__always)
    private mutating func nextNews(of index: Int, after moment: SessionMoment) -> Instant? {
        let arrival = announcedArrival(of: index)
        return members.inPlace(index) { $0.nextNews(after: moment, arrival: arrival) }
    }

    // MARK: - After a step

    /// The only member that an event at `now` can have changed, so that no other is evaluated; nil: any of them.
    /// Updates the next change of the clock.
    mutating func concerned(by event: SessionEvent, at now: Instant) -> Int? {
        let index = wakes.isWakeToCome(at: now) ? subject(of: event) : nil
        if let index, !isOver {
            wakes.noteClock(ofOne: nextChange(of: index))
        } else {
            wakes.noteClock(nextClockChange())
        }
        return index
    }

    /// The member that an event concerns exclusively.
    private func subject(of event: SessionEvent) -> Int? {
        if case .report(let userID, _) = event { return memberIndex[userID] }
        if case .connection(let userID, _) = event { return memberIndex[userID] }
        return nil
    }

    /// Requests a wake at the next change, unless a pending one is early enough.
    mutating func askForWakes(of concerned: Int?, at now: Instant, effects: inout [SessionEffect]) {
        // A due change that could not be performed waits for a recall, whose end performs it.
        if !isAskedInTime(by: concerned), let next = nextWake() { ask(for: next, at: now, effects: &effects) }
        // Last in a step: a pending wake implies that no member has an earlier change.
        if let next = nextRecallAt { ask(for: next, at: now, effects: &effects) }
    }

    private mutating func ask(for next: Instant, at now: Instant, effects: inout [SessionEffect]) {
        if wakes.ask(for: next, at: now) { effects.append(.wake(at: next)) }
    }

    /// `true` if the pending wake is early enough for all changes of a single member.
    private mutating func isAskedInTime(by concerned: Int?) -> Bool {
        guard let index = concerned, viewing.nextTelling == nil, wakes.isInTime(for: nextDelayedEstimate) else {
            return false
        }
        return wakes.isInTime(for: nextNews(of: index, after: moment(at: wakes.workedUpTo)))
    }
}
