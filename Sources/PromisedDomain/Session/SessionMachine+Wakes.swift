// When the session has to be woken. Most steps concern a single member, and nobody else is looked at then.
extension SessionMachine {
    /// The next instant at which the clock changes something or something is to be told; nil once over. Nothing changes by
    /// asking: it counts as a mutation so that the members are looked at where they lie.
    package mutating func nextWake() -> Instant? { nextWake(clockChangesAt: nextClockChange()) }

    /// When the next recall may begin that is wanted; nil when none is.
    package var nextRecallAt: Instant? { wakes.nextRecallAt }

    /// When to wake it instead, if nothing is due that no step has worked off; nil when something is, or nothing ever will
    /// be.
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

    /// The next instant at which the clock changes an arrival or the promise's standing; nil once over.
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

    /// The next instant at which the clock alone makes news of a member.
    @inline(__always)
    private mutating func nextNews(of index: Int, after moment: SessionMoment) -> Instant? {
        let arrival = announcedArrival(of: index)
        return members.inPlace(index) { $0.nextNews(after: moment, arrival: arrival) }
    }

    // MARK: - After a step

    /// The only member that an event at `now` can have made news of, so that nobody else is looked at; nil: anybody. Takes
    /// note of what the clock changes next.
    mutating func concerned(by event: SessionEvent, at now: Instant) -> Int? {
        let index = wakes.isWakeToCome(at: now) ? subject(of: event) : nil
        if let index, !isOver {
            wakes.noteClock(ofOne: nextChange(of: index))
        } else {
            wakes.noteClock(nextClockChange())
        }
        return index
    }

    /// The member whom an event concerns alone.
    private func subject(of event: SessionEvent) -> Int? {
        if case .report(let userID, _) = event { return memberIndex[userID] }
        if case .connection(let userID, _) = event { return memberIndex[userID] }
        return nil
    }

    /// Asks for a wake at the next change, unless one that is already asked for comes early enough.
    mutating func askForWakes(of concerned: Int?, at now: Instant, effects: inout [SessionEffect]) {
        // One that is due and could not be worked off waits for a recall, whose end works it off.
        if !isAskedInTime(by: concerned), let next = nextWake() { ask(for: next, at: now, effects: &effects) }
        // The last of a step: an instant that was asked for says that nobody's news is due before.
        if let next = nextRecallAt { ask(for: next, at: now, effects: &effects) }
    }

    private mutating func ask(for next: Instant, at now: Instant, effects: inout [SessionEffect]) {
        if wakes.ask(for: next, at: now) { effects.append(.wake(at: next)) }
    }

    /// Whether what concerns a single member leaves everything to the wake that was asked for already.
    private mutating func isAskedInTime(by concerned: Int?) -> Bool {
        guard let index = concerned, viewing.nextTelling == nil, wakes.isInTime(for: nextDelayedEstimate) else {
            return false
        }
        return wakes.isInTime(for: nextNews(of: index, after: moment(at: wakes.workedUpTo)))
    }
}
