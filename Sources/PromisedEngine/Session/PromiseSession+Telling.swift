internal import PromisedDomain

// Announcements of a session. Recipients are determined at each delivery.
extension PromiseSession {
    func announce(_ commit: SessionCommit, in view: SessionView) {
        guard !commit.events.isEmpty else { return }
        tellHeldEstimates()
        for event in commit.events {
            context.metrics.note(event.event)
            context.announcer.note(event, in: view)
            let recipients = recipients(of: event.event)
            if !recipients.isEmpty { context.announcer.deliver(.event(event, view), of: id, to: recipients) }
            switch event.event {
            case .left(let userID), .removed(let userID): audience.removeAll(of: userID)
            default: break
            }
        }
        // The stored members: in the machine a member may have left already by an event that is not announced yet.
        let accepted = Set(view.members.lazy.map(\.participant).filter { $0.membership == .accepted }.map(\.userID))
        audience.keep { accepted.contains($0) }
    }

    /// Announces an unnumbered event to its participant, or to all who may see it.
    func tell(_ event: PassingEvent) {
        if collection.isRunning, hasPositionsToSend, event.isEstimate { return collection.estimates.append(event) }
        tellHeldEstimates()
        guard mayStillTell(event, at: context.clock.now) else { return }
        if let userID = event.addressee {
            return deliver(.passing(event), to: machine.isAccepted(userID) ? audience.subscriptions(of: userID) : [])
        }
        for (hidden, recipients) in audiences() {
            if let part = event.without(hidden) { deliver(.passing(part), to: recipients) }
        }
        tellViewers(event)
    }

    /// `true` if a position has changed since the last collection was sent.
    var hasPositionsToSend: Bool { machine.hasMovement }

    /// Ends a collection and sends the rest of it.
    func endCollection() {
        collection.isRunning = false
        sendPositions()
    }

    /// The connections that receive events for all participants: those of accepted participants and of watching
    /// administrators; in no order.
    package func listeners() -> [SubscriberID] { acceptedSubscribers() + audience.watchers }

    /// `true` if there is any recipient.
    var hasAudience: Bool { !audience.isEmpty }

    /// Holds back the estimates among `news` until the next positions are sent.
    func holdEstimates(of news: inout [PassingEvent]) {
        guard news.contains(where: \.isEstimate) else { return }
        collection.estimates += news.filter(\.isEstimate)
        news.removeAll(where: \.isEstimate)
    }

    /// Sends held estimates before any other announcement.
    func tellHeldEstimates() {
        guard !collection.estimates.isEmpty else { return }
        send([], at: context.clock.now)
    }

    /// Sends the changes since the last time as one frame, then the estimates that depend on it.
    func sendPositions() {
        guard life.phase == .running else {
            collection.estimates = []
            return
        }
        let now = context.clock.now
        var positions = machine.takePositions(at: now)
        if !isSettled {
            // The changes may include an arrival that is not durable yet; its own event announces it.
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

    /// Applies the current slots to the members' reports.
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
        context.announcer.deliver(announcements, of: id, to: recipients)
    }

    /// The accepted subscribers, grouped by what they may see: usually one group.
    private func audiences() -> [(hidden: Set<UserID>, recipients: [SubscriberID])] {
        let all = listeners()
        guard machine.hasBlocks else { return [([], all)] }
        // Nothing is hidden from watching administrators.
        let parts = Dictionary(grouping: all) { subscriber in
            audience.subscribers[subscriber].map { machine.hidden(from: $0) } ?? []
        }
        return parts.map { ($0.key, $0.value) }
    }

    private func acceptedSubscribers() -> [SubscriberID] { audience.accepted { machine.isAccepted($0) } }

    /// The recipients of an event: all subscribers, including those who leave by it, watching administrators, and the
    /// users that it names.
    private func recipients(of event: PromiseEvent) -> [SubscriberID] {
        var recipients = Set(audience.subscribers.keys).union(audience.watchers)
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
        users.flatMap { context.connections.connections(of: $0) }
    }

    private func members(where matches: (Participant.Membership) -> Bool) -> [UserID] {
        machine.participants.filter { matches($0.membership) }.map(\.userID)
    }

    /// The users who may report positions until the promise is over.
    func members() -> SessionMembers { SessionMembers(users: members { $0 == .accepted }, isOver: machine.isOver) }
}

extension PassingEvent {
    fileprivate var isEstimate: Bool { if case .estimate = self { true } else { false } }
}
