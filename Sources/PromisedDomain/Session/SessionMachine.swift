/// A promise as a state machine: events in, effects out; no clock, no I/O (docs/decisions/0001-actor-per-promise.md).
///
/// ```
///             opensAt          meetsAt, +grace        closesAt             settlesAt
/// scheduled ─────────▶ tracking ─────────────▶ tracking ──────▶ settling ───────────▶ final ─▶ ended
///     │  respond, leave, cancel       │  reports, arrivals         │  late uploads
///     └───────────────────────────────┴────────────────────────────┴──── cancel ───▶ cancelled ─▶ ended
/// ```
/// Timed steps happen at their own instants, in order, however late the machine is woken: a machine restored after the
/// end performs all of them in its first step and reaches the same result.
package struct SessionMachine: Sendable {
    /// The current promise.
    package internal(set) var promise: Promise
    /// The progress of the clock's events.
    package internal(set) var mark: ClockMark
    /// The number of the last durable event.
    package internal(set) var lastSeq: Int
    /// The result, once final.
    package internal(set) var result: PromiseResult?
    /// The arrivals as announced, sorted by rank and credited time.
    package internal(set) var board: [RankedArrival]
    var members: [SessionMember]
    var memberIndex: [UserID: Int]
    /// The changes that this step makes durable.
    var pending: SessionCommit
    var wakes: WakePlan
    var reporting: Reporting
    var pairs: SessionPairs
    var viewing: SessionViewing
    /// The usual maximum of effects: fixes to store, positions, an estimate, a reply.
    private static let effectsOfReport = 4

    /// Restores a machine from the archive. Feed it ``SessionEvent/wake`` first.
    ///
    /// - Parameters:
    ///   - snapshot: with all fixes that are still stored.
    ///   - reportInterval: the time between two reports of one participant.
    ///   - fixLimits: the limits of positions.
    package init(
        restoring snapshot: SessionSnapshot,
        reportInterval: TimeSpan = .seconds(5),
        fixLimits: FixLimits = FixLimits()
    ) {
        promise = snapshot.promise
        mark = snapshot.mark
        lastSeq = snapshot.lastSeq
        result = snapshot.result
        board = Ranking.rank(snapshot.arrivals, together: snapshot.together.map(\.pair))
        members = []
        memberIndex = [:]
        wakes = WakePlan(workedUpTo: SessionMachine.lastActivity(in: snapshot))
        reporting = Reporting(snapshot.promise, interval: reportInterval, limits: fixLimits)
        pairs = SessionPairs(blocks: snapshot.blocks, together: snapshot.together)
        viewing = SessionViewing(link: snapshot.viewLink)
        pending = SessionCommit(promiseID: snapshot.promise.id)
        members.reserveCapacity(snapshot.participants.count)
        for participant in snapshot.participants { add(participant) }
        restore(snapshot)
    }

    /// When the members report.
    package var slot: ReportingSlot { reporting.slot }

    /// Changes the grid of the slots.
    package mutating func follow(_ grid: ReportingGrid) { reporting.follow(grid) }

    /// `true` if the promise will not change any more.
    package var isOver: Bool { mark == .final || promise.cancelledAt != nil }

    /// `true` while the clock changes nothing: long before the window, or once over. Then the archive has all that a view
    /// shows, and no fix that counts.
    package func isAsleep(at now: Instant, aliveBefore span: TimeSpan) -> Bool {
        isOver || now < promise.opensAt - span
    }

    /// The number of fixes held of all devices.
    package var heldFixCount: Int { members.reduce(0) { $0 + $1.devices.reduce(0) { $0 + $1.track.heldCount } } }

    /// Performs one step. The state has changed when this returns; perform the effects in order. `now` is the server's
    /// clock, never earlier than in the previous step.
    package mutating func receive(_ event: SessionEvent, at now: Instant) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        if case .report = event { effects.reserveCapacity(SessionMachine.effectsOfReport) }
        let wasOver = isOver
        advance(to: now)
        let reply = handle(event, at: now, effects: &effects)
        beginRecalls(at: now, effects: &effects)
        let concerned = concerned(by: event, at: now)
        commit(&effects)
        if let reply { effects.append(.reply(reply)) }
        if isOver {
            if !wasOver { effects.append(.ended) }
        } else {
            tellNews(of: concerned, at: now, effects: &effects)
            tellViewerCount(at: now, effects: &effects)
            askForWakes(of: concerned, at: now, effects: &effects)
        }
        return effects
    }

    /// Adds the effect that makes this step's changes durable.
    private mutating func commit(_ effects: inout [SessionEffect]) {
        guard !pending.isEmpty else { return }
        effects.append(.commit(pending))
        pending = SessionCommit(promiseID: promise.id)
    }

    private mutating func tellNews(of concerned: Int?, at now: Instant, effects: inout [SessionEffect]) {
        let moment = moment(at: now)
        guard moment.isTracking else { return }
        if let index = concerned {
            tellPresence(of: CollectionOfOne(index), at: moment, effects: &effects)
            tellEstimates(of: CollectionOfOne(index), at: moment, effects: &effects)
        } else {
            tellPresence(of: members.indices, at: moment, effects: &effects)
            tellEstimates(of: members.indices, at: moment, effects: &effects)
        }
    }

    /// `true` if all participants who report in each slot have moved since ``takePositions(at:)``: accepted, connected
    /// and sharing ones at the usual pace.
    mutating func isCollectionComplete() -> Bool {
        guard hasMovement else { return false }
        for index in members.indices where members.inPlace(index, { $0.isWaitedFor }) { return false }
        return true
    }

    /// `true` if the position of any member has changed since the last collection.
    package var hasMovement: Bool { reporting.hasMovement }

    /// The positions that changed since the last call, in order of lane; empty outside the window. Includes an estimate
    /// only if it differs from the last one sent, which is rare.
    package mutating func takePositions(at now: Instant) -> [LivePosition] {
        guard hasMovement else { return [] }
        reporting.takeMovement()
        let moment = moment(at: now)
        var positions: [LivePosition] = []
        positions.reserveCapacity(members.count)
        for lane in members.indices where members[lane].hasMoved {
            members[lane].hasMoved = false
            let arrival = announcedArrival(of: lane)
            if let position = members[lane].takePosition(at: moment, arrival: arrival) { positions.append(position) }
        }
        return positions
    }

    /// The session at `now`; live positions only while tracking. `viewer` is the user it is for: it excludes live data
    /// of users with a block between them; nil includes everything.
    package func view(at now: Instant, for viewer: UserID? = nil) -> SessionView {
        let ranked = Dictionary(uniqueKeysWithValues: board.map { ($0.userID, $0) })
        let moment = moment(at: now)
        let standing = viewer.map { self.standing(of: $0) }
        let unseen = standing?.hidden ?? []
        return SessionView(
            promise: promise,
            status: promise.status(at: now),
            members: members.map { member in
                let whole = whole(member, arrival: ranked[member.participant.userID], at: moment)
                return unseen.contains(member.participant.userID) ? whole.withoutWhereabouts() : whole
            },
            lastSeq: lastSeq,
            result: result,
            together: pairs.together.list,
            viewLinkEndsAt: viewLinkEnd(at: now),
            viewerCount: viewing.count,
            standing: standing
        )
    }

    private func whole(
        _ member: SessionMember,
        arrival: RankedArrival?,
        at moment: SessionMoment
    ) -> SessionView.Member {
        let announced = arrival.map { AnnouncedArrival(stage: $0.arrival.stage, creditedAt: $0.arrival.creditedAt) }
        let estimate = member.estimate(at: moment, arrival: announced)
        var live = member.live
        live.position = member.visiblePosition(at: moment)
        live.position?.estimate = estimate
        return SessionView.Member(
            participant: member.participant,
            arrival: arrival,
            live: live,
            presence: member.presence(at: moment, arrival: announced),
            estimate: estimate
        )
    }

    /// The users whose live data is hidden from a user, because one of the two has blocked the other (domain §3).
    package func hidden(from userID: UserID) -> Set<UserID> { pairs.blocked(with: userID) }

    /// The pairs with a block between them.
    package var blocks: Set<UserPair> { pairs.blocks }

    /// `true` if any participant has blocked another.
    package var hasBlocks: Bool { !blocks.isEmpty }

    /// All present and former participants, in order of invitation.
    package var participants: [Participant] { members.map(\.participant) }

    /// A user's membership in the promise, nil for a stranger.
    package func participant(_ userID: UserID) -> Participant? { memberIndex[userID].map { members[$0].participant } }

    /// The last rejected fixes of a participant, oldest first.
    package func refusedFixes(of userID: UserID) -> [RefusedFix] {
        memberIndex[userID].map { members[$0].refused } ?? []
    }

    /// `true` if a user may see events: accepted participants only. Checked for each subscriber of each collection, so
    /// without the rest of their ``Standing``.
    package func isAccepted(_ userID: UserID) -> Bool { participant(userID)?.membership == .accepted }

    private mutating func handle(
        _ event: SessionEvent,
        at now: Instant,
        effects: inout [SessionEffect]
    ) -> SessionReply? {
        do throws(Refusal) {
            switch event {
            case .wake:
                // The server may have crashed after storing a fix, before storing its arrival.
                if !isOver { reconcileArrivals(at: wakes.workedUpTo, cause: .backfill, retraction: .backfill) }
                return nil
            case .report(let userID, let report):
                return .reported(try receive(report, from: userID, at: now, effects: &effects))
            case .recalled(let recall, let judged):
                take(judged, for: recall, at: now)
                return nil
            case .respond(let userID, let accept, let hasRoom):
                try respond(userID, accept: accept, hasRoom: hasRoom, at: now)
            case .leave(let userID): try leave(userID, at: now)
            case .cancel(let userID, let reason): try cancel(by: userID, reason: reason, at: now)
            case .setSharing(let userID, let on): try setSharing(userID, on: on, at: now, effects: &effects)
            case .edit(let edit, let userID, let hasRoom):
                try self.edit(edit, by: userID, hasRoom: hasRoom, at: now)
            case .join(let userID, let hasRoom): try join(userID, hasRoom: hasRoom, at: now)
            case .handOver(let other, let userID): try handOver(to: other, by: userID, at: now)
            case .part(let userID): part(userID, at: now)
            case .trouble(let userID, let cause): try noteTrouble(userID, cause: cause, at: now)
            case .setStatus(let userID, let text, let emoji):
                try setStatus(userID, text: text, emoji: emoji, at: now, effects: &effects)
            case .nudge(let userID, let other): try nudge(from: userID, to: other, at: now, effects: &effects)
            case .connection(let userID, let isOnline): noteConnection(userID, isOnline: isOnline)
            case .blocks(let pairs): self.pairs.blocks = pairs
            case .checkIn(let userID, let source): try checkIn(userID, source: source, at: now)
            case .excuse(let userID, let owner, let reason): try excuse(userID, by: owner, reason: reason, at: now)
            case .makeViewLink(let link, let userID): try makeViewLink(link, by: userID, at: now)
            case .revokeViewLink(let userID): try revokeViewLink(by: userID, at: now)
            case .setLinkSharing(let userID, let on): try setLinkSharing(userID, on: on, effects: &effects)
            case .courseDeleted(let id): if promise.courseID == id { promise.courseID = nil }
            case .emptied: empty()
            case .viewers(let count): viewing.count = count
            }
            return .done
        } catch {
            return .refused(error)
        }
    }

    mutating func add(_ participant: Participant) {
        memberIndex[participant.userID] = members.count
        members.append(SessionMember(participant: participant, lane: members.count))
    }

    /// Checks that the promise has room for another reversible change. Throws `promiseLimit`.
    func requireRoomForEvents() throws(Refusal) {
        guard lastSeq < PromiseLimits.events else { throw .promiseLimit }
    }

    /// Numbers an event and adds it to this step's commit.
    mutating func record(_ event: PromiseEvent, at instant: Instant) {
        lastSeq += 1
        pending.events.append(NumberedEvent(seq: lastSeq, at: instant, event: event))
    }
}
