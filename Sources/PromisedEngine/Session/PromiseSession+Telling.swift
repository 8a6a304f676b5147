internal import PromisedDomain

// What a session tells, and to whom: decided at each delivery.
extension PromiseSession {
    /// Announces what has become durable.
    func announce(_ commit: SessionCommit, in view: SessionView) {
        guard !commit.events.isEmpty else { return }
        tellHeldEstimates()
        for event in commit.events {
            context.metrics.note(event.event)
            context.outbox.note(event.event, in: view)
            let recipients = recipients(of: event.event)
            if !recipients.isEmpty { context.outbox.deliver(.event(event, view), of: id, to: recipients) }
        }
        audience.keep { machine.isAccepted($0) }
    }

    /// Tells something without a number: a pace to the one it is for, anything else to all who may hear of it.
    func tell(_ event: PassingEvent) {
        if collection.isRunning, hasPositionsToSend, event.isEstimate { return collection.estimates.append(event) }
        tellHeldEstimates()
        guard mayStillTell(event, at: context.clock.now) else { return }
        if case .pace(let userID, _) = event {
            return deliver(.passing(event), to: machine.isAccepted(userID) ? audience.subscriptions(of: userID) : [])
        }
        for (hidden, recipients) in audiences() {
            if let part = event.without(hidden) { deliver(.passing(part), to: recipients) }
        }
        tellViewers(event)
    }

    /// Whether a position has changed since the last collection went out.
    var hasPositionsToSend: Bool { machine.hasMovement }

    /// A collection is over: sends what is left of it.
    func endCollection() {
        collection.isRunning = false
        sendPositions()
    }

    /// Whether anybody hears what the session tells.
    var hasAudience: Bool { !audience.isEmpty }

    /// Has the estimates among the news go out with the positions that are sent next.
    func holdEstimates(of news: inout [PassingEvent]) {
        guard news.contains(where: \.isEstimate) else { return }
        collection.estimates += news.filter(\.isEstimate)
        news.removeAll(where: \.isEstimate)
    }

    /// Anything else that is told comes after the estimates that were there before.
    func tellHeldEstimates() {
        guard !collection.estimates.isEmpty else { return }
        send([], at: context.clock.now)
    }

    /// Sends what changed since the last time as one frame, after the estimates that follow from it.
    func sendPositions() {
        guard life.phase == .running else {
            collection.estimates = []
            return
        }
        let now = context.clock.now
        var positions = machine.takePositions(at: now)
        if !isSettled {
            // An arrival may be among what is not durable yet; its own event tells of it.
            for index in positions.indices where positions[index].estimate?.state == .arrived {
                positions[index].estimate = nil
            }
        }
        send(positions, at: now)
    }

    private func send(_ positions: [LivePosition], at now: Instant) {
        let estimates = collection.estimates.filter { mayStillTell($0, at: now) }
        collection.estimates = []
        guard !positions.isEmpty || !estimates.isEmpty else { return }
        let next = now < machine.promise.closesAt ? machine.slot.untilNext(afterReportsBy: now) : nil
        for (hidden, recipients) in audiences() {
            var announcements = estimates.compactMap { $0.without(hidden).map(Announcement.passing) }
            let visible = hidden.isEmpty ? positions : positions.filter { !hidden.contains($0.userID) }
            if !visible.isEmpty { announcements.append(.positions(visible, nextReport: next)) }
            deliver(announcements, to: recipients)
        }
        for estimate in estimates { tellViewers(estimate) }
        if !positions.isEmpty { sendViewers(positions, at: now) }
    }

    /// Has members report in the slots that there are now.
    func followGrid() { machine.follow(lane.assumeIsolated { $0.grid }) }

    private func mayStillTell(_ event: PassingEvent, at now: Instant) -> Bool {
        guard case .estimate(let userID, let estimate) = event else { return true }
        return machine.mayTell(estimate, of: userID, at: now)
    }

    private func deliver(_ announcement: Announcement, to recipients: [SubscriberID]) {
        deliver([announcement], to: recipients)
    }

    private func deliver(_ announcements: [Announcement], to recipients: [SubscriberID]) {
        guard !recipients.isEmpty, !announcements.isEmpty else { return }
        context.outbox.deliver(announcements, of: id, to: recipients)
    }

    /// The subscribers who are accepted, together with those who may see the same: nearly always one group of all.
    private func audiences() -> [(hidden: Set<UserID>, recipients: [SubscriberID])] {
        let all = acceptedSubscribers() + audience.watchers
        guard machine.hasBlocks else { return [([], all)] }
        // Nothing is hidden from those who watch without a part in it.
        let parts = Dictionary(grouping: all) { subscriber in
            audience.subscribers[subscriber].map { machine.hidden(from: $0) } ?? []
        }
        return parts.map { ($0.key, $0.value) }
    }

    private func acceptedSubscribers() -> [SubscriberID] { audience.accepted { machine.isAccepted($0) } }

    /// Subscribers who are accepted, administrators who watch, and those whom the event names beside them.
    private func recipients(of event: PromiseEvent) -> [SubscriberID] {
        var recipients = Set(acceptedSubscribers()).union(audience.watchers)
        switch event.traits.alsoTells {
        case .nobody: break
        case .subscriptions(of: let userID): recipients.formUnion(audience.subscriptions(of: userID))
        case .everyConnection(of: let userID): recipients.formUnion(connections(of: [userID]))
        case .members(let memberships): recipients.formUnion(connections(of: members(where: memberships.contains)))
        case .peopleInResult: recipients.formUnion(connections(of: machine.result?.rows.map(\.userID) ?? []))
        }
        return recipients.sorted { $0.rawValue < $1.rawValue }
    }

    private func connections(of users: [UserID]) -> [SubscriberID] {
        users.flatMap { context.directory.connections(of: $0) }
    }

    private func members(where matches: (Participant.Membership) -> Bool) -> [UserID] {
        machine.participants.filter { matches($0.membership) }.map(\.userID)
    }

    /// The users whose positions may flow, for the registry's index.
    func members() -> [UserID] { machine.isOver ? [] : members { $0 == .accepted } }
}

extension PassingEvent {
    /// Whether it tells when somebody is expected.
    fileprivate var isEstimate: Bool { if case .estimate = self { true } else { false } }
}
