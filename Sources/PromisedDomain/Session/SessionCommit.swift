/// The changes that one step of a session makes durable, in one transaction.
package struct SessionCommit: Hashable, Sendable {
    package var promiseID: PromiseID
    /// The promise's row, if it changed.
    package var promise: Promise?
    /// The progress of the clock's events, if it changed.
    package var mark: ClockMark?
    /// Participants that are new or changed.
    package var participants: [Participant]
    /// Arrivals that are new or changed.
    package var arrivals: [UserID: Arrival]
    /// The participants whose arrivals were retracted.
    package var retracted: Set<UserID>
    /// The pairs that came together, and those that no longer do.
    package var together: TogetherChange
    /// Durable events, gapless and ascending by `seq`.
    package var events: [NumberedEvent]
    /// The final result, once.
    package var result: PromiseResult?
    /// Fixes from the write-behind buffer: an arrival is never durable without the fixes it depends on.
    package var fixes: [ArchivedFix]
    /// The change to the view link; nil without one.
    package var viewLink: ViewLinkChange?
    /// Reminders, in order.
    package var nudges: [Nudge]

    /// An empty commit.
    package init(promiseID: PromiseID) {
        self.promiseID = promiseID
        promise = nil
        mark = nil
        participants = []
        arrivals = [:]
        retracted = []
        together = TogetherChange()
        events = []
        result = nil
        fixes = []
        viewLink = nil
        nudges = []
    }

    /// `true` if the commit is empty.
    package var isEmpty: Bool {
        // By pattern, because comparing an optional value copies it, and each step of a session checks this.
        if case .some = promise { return false }
        if case .some = result { return false }
        if case .some = viewLink { return false }
        return mark == nil && participants.isEmpty && arrivals.isEmpty && retracted.isEmpty && together.isEmpty
            && events.isEmpty && fixes.isEmpty && nudges.isEmpty
    }
}

extension SessionCommit {
    /// Adds the changes of a later step of the same session.
    package mutating func merge(_ later: SessionCommit) {
        precondition(later.promiseID == promiseID, "Commits of two promises do not mix")
        promise = later.promise ?? promise
        mark = later.mark ?? mark
        result = later.result ?? result
        viewLink = later.viewLink ?? viewLink
        together.merge(later.together)
        events += later.events
        fixes += later.fixes
        nudges += later.nudges
        let replaced = Set(later.participants.map(\.userID))
        participants.removeAll { replaced.contains($0.userID) }
        participants += later.participants
        for (userID, arrival) in later.arrivals {
            arrivals[userID] = arrival
            retracted.remove(userID)
        }
        for userID in later.retracted {
            arrivals[userID] = nil
            retracted.insert(userID)
        }
    }
}

/// A change of the pairs that came together (domain §6.4).
package struct TogetherChange: Hashable, Sendable {
    /// New pairs, and pairs with a changed finding.
    package private(set) var found: [UserPair: CameTogether] = [:]
    /// Pairs that no longer count as having come together.
    package private(set) var parted: Set<UserPair> = []

    package init() {}

    /// The change from one state to another.
    package init(from before: [UserPair: CameTogether], to after: [UserPair: CameTogether]) {
        found = after.filter { before[$0.key] != $0.value }
        parted = Set(before.keys.filter { after[$0] == nil })
    }

    /// `true` if the change is empty.
    package var isEmpty: Bool { found.isEmpty && parted.isEmpty }

    /// Adds a later change.
    package mutating func merge(_ later: TogetherChange) {
        for pair in later.parted { found[pair] = nil }
        parted.formUnion(later.parted)
        for (pair, finding) in later.found {
            found[pair] = finding
            parted.remove(pair)
        }
    }

    /// Applies the change to stored findings.
    package func apply(to stored: [CameTogether]) -> [CameTogether] {
        stored.filter { !parted.contains($0.pair) && found[$0.pair] == nil } + found.values
    }
}
