/// A promise as a state machine: events in, effects out; no clock, no I/O (docs/decisions/0001-actor-per-promise.md).
///
/// ```
///             opensAt          meetsAt, +grace        closesAt             settlesAt
/// scheduled ─────────▶ tracking ─────────────▶ tracking ──────▶ settling ───────────▶ final ─▶ ended
///     │  respond, leave, cancel       │  reports, arrivals         │  late uploads
///     └───────────────────────────────┴────────────────────────────┴──── cancel ───▶ cancelled ─▶ ended
/// ```
/// What the clock does happens at its own instants, in order, however late the machine is woken: a machine restored
/// after the end lives through all of it in its first step and reaches the result it would have reached.
public struct SessionMachine: Sendable {
    /// The promise as it stands.
    public internal(set) var promise: Promise
    /// How far the clock's events went.
    public internal(set) var mark: ClockMark
    /// The number of the last durable event.
    public internal(set) var lastSeq: Int
    /// The result, once final.
    public internal(set) var result: PromiseResult?
    /// The arrivals as announced, sorted by credited time.
    public internal(set) var board: [RankedArrival]
    /// When the members report.
    public private(set) var slot: ReportingSlot

    let fixLimits: FixLimits
    var members: [SessionMember]
    var memberIndex: [UserID: Int]
    var criteria: ArrivalCriteria
    /// The last instant that the clock's events and arrivals were worked up to.
    var workedUpTo: Instant
    /// What this step makes durable.
    var pending: SessionCommit
    /// Whether the position of any member has changed since the last collection.
    public internal(set) var hasMovement = false
    /// No change of the clock's comes before this; exact only when everybody was looked at.
    var clockBound = Instant(milliseconds: .min)
    /// Members whose estimate is news that may not be told yet.
    var delayedEstimates: Set<Int> = []
    /// When one participant last reminded another.
    var nudges: [NudgeRule.Pair: Instant] = [:]
    /// Between whom a block stands.
    public internal(set) var blocks: Set<UserPair>
    /// The link by which people without an account watch, also one that has ended by the clock.
    public internal(set) var viewLink: ViewLink?
    /// How many watch by it.
    var viewerCount = 0
    var toldViewers = ToldViewers()
    /// When the next recall may begin that is wanted; nil when none is.
    public internal(set) var nextRecallAt: Instant?
    var askedWake: Instant?
    /// So many as a rule, at most: fixes to keep, positions, an estimate, a reply.
    private static let effectsOfReport = 4

    /// A machine as the archive left it. Feed it ``SessionEvent/wake`` before anything else.
    ///
    /// - Parameters:
    ///   - snapshot: with all fixes that are still kept.
    ///   - reportInterval: the time between two reports of one participant.
    ///   - fixLimits: how many positions there may be.
    public init(
        restoring snapshot: SessionSnapshot,
        reportInterval: TimeSpan = .seconds(5),
        fixLimits: FixLimits = FixLimits()
    ) {
        self.fixLimits = fixLimits
        promise = snapshot.promise
        mark = snapshot.mark
        lastSeq = snapshot.lastSeq
        result = snapshot.result
        board = Ranking.rank(snapshot.arrivals)
        slot = ReportingSlot(of: snapshot.promise.id, interval: reportInterval)
        criteria = ArrivalCriteria(snapshot.promise)
        members = []
        memberIndex = [:]
        blocks = snapshot.blocks
        viewLink = snapshot.viewLink
        workedUpTo = SessionMachine.lastActivity(in: snapshot)
        pending = SessionCommit(promiseID: snapshot.promise.id)
        members.reserveCapacity(snapshot.participants.count)
        for participant in snapshot.participants { add(participant) }
        restore(snapshot)
    }

    /// From now on the slots are these.
    public mutating func follow(_ grid: ReportingGrid) { slot.grid = grid }

    /// Whether nothing will change any more.
    public var isOver: Bool { mark == .final || promise.cancelledAt != nil }

    /// How many fixes are held of all devices.
    public var heldFixCount: Int {
        members.reduce(0) { $0 + $1.devices.reduce(0) { $0 + $1.track.heldCount } }
    }

    /// The next instant at which the clock changes something or something is to be told; nil once over. Nothing changes by
    /// asking: it counts as a mutation so that the members are looked at where they lie.
    public mutating func nextWake() -> Instant? { nextWake(clockChangesAt: nextClockChange()) }

    private mutating func nextWake(clockChangesAt change: Instant?) -> Instant? {
        guard var next = change else { return nil }
        if let nextRecallAt { next = min(next, nextRecallAt) }
        if let end = viewLinkEnd(at: workedUpTo) { next = min(next, end) }
        if let count = nextViewerCount { next = min(next, max(count, workedUpTo + .milliseconds(1))) }
        guard mark >= .opened, mark < .closed else { return next }
        let moment = moment(at: workedUpTo)
        for index in members.indices {
            let arrival = announcedArrival(of: index)
            let news = members.inPlace(index) { $0.nextNews(after: moment, arrival: arrival) }
            if let news { next = min(next, news) }
        }
        if let delayed = nextDelayedEstimate { next = min(next, max(delayed, workedUpTo + .milliseconds(1))) }
        return next
    }

    /// When to wake it instead, if nothing is due that no step has worked off; nil when something is, or nothing ever will
    /// be.
    public mutating func putOffWake(at now: Instant) -> Instant? {
        let change = nextClockChange()
        guard let next = nextWake(clockChangesAt: change), next > now else { return nil }
        askedWake = next
        clockBound = change ?? Instant(milliseconds: .max)
        return next
    }

    /// The next instant at which the clock changes an arrival or the promise's standing; nil once over.
    mutating func nextClockChange() -> Instant? {
        guard !isOver else { return nil }
        let workedUpTo = workedUpTo
        var next = instant(after: mark)
        for index in members.indices {
            let change = members.inPlace(index) { $0.nextChange(after: workedUpTo) }
            if let change { next = min(next, change) }
        }
        return next
    }

    /// One step. State has changed when this returns; effects are performed in order.
    ///
    /// - Parameter now: the server's clock; not before the last step's.
    public mutating func receive(_ event: SessionEvent, at now: Instant) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        if case .report = event { effects.reserveCapacity(SessionMachine.effectsOfReport) }
        let wasOver = isOver
        advance(to: now)
        let reply = handle(event, at: now, effects: &effects)
        if nextRecallAt != nil { beginRecalls(at: now, effects: &effects) }
        let concerned = onlyConcerned(by: event, at: now)
        noteClock(of: concerned)
        if !pending.isEmpty {
            effects.append(.commit(pending))
            pending = SessionCommit(promiseID: promise.id)
        }
        if let reply { effects.append(.reply(reply)) }
        if isOver {
            if !wasOver { effects.append(.ended) }
        } else {
            tellNews(of: concerned, at: now, effects: &effects)
            tellViewerCount(at: now, effects: &effects)
            if !isAskedInTime(by: concerned) { askForWake(at: now, effects: &effects) }
            if nextRecallAt != nil { askForRecallWake(at: now, effects: &effects) }
        }
        return effects
    }

    /// The only member that an event at `now` can have made news of, so that nobody else is looked at; nil: anybody.
    ///
    /// Once the instant asked for is reached it may be anybody: what is due then would lie behind this step when the wake
    /// comes.
    private func onlyConcerned(by event: SessionEvent, at now: Instant) -> Int? {
        guard let askedWake, askedWake > now else { return nil }
        if case .report(let userID, _) = event { return memberIndex[userID] }
        if case .connection(let userID, _) = event { return memberIndex[userID] }
        return nil
    }

    /// Only the clock of who is concerned can have changed.
    private mutating func noteClock(of concerned: Int?) {
        guard let index = concerned, !isOver else {
            clockBound = nextClockChange() ?? Instant(milliseconds: .max)
            return
        }
        let workedUpTo = workedUpTo
        if let change = members.inPlace(index, { $0.nextChange(after: workedUpTo) }) {
            clockBound = min(clockBound, change)
        }
    }

    /// Whether what concerns a single member leaves everything to the wake that was asked for already.
    private mutating func isAskedInTime(by concerned: Int?) -> Bool {
        guard let index = concerned, let askedWake, clockBound >= askedWake, nextViewerCount == nil else {
            return false
        }
        if let delayed = nextDelayedEstimate, delayed < askedWake { return false }
        let (moment, arrival) = (moment(at: workedUpTo), announcedArrival(of: index))
        let change = members.inPlace(index) { $0.nextNews(after: moment, arrival: arrival) }
        return change.map { $0 >= askedWake } ?? true
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

    /// A wake that comes too early does no harm, so only a sooner one is asked for while another is to come: most
    /// reports move the next wake back, and asking each time would cost more than the few idle ones.
    private mutating func askForWake(at now: Instant, effects: inout [SessionEffect]) {
        // One that is due and could not be worked off waits for a recall, whose end works it off.
        guard let next = nextWake(), next > now else { return }
        if let askedWake, askedWake > now, askedWake <= next { return }
        askedWake = next
        effects.append(.wake(at: next))
    }

    /// Whether everybody has moved since ``takePositions(at:)`` of whom a report is expected in each slot: who is in,
    /// connected, shares their position and was told no other pace.
    mutating func isCollectionComplete() -> Bool {
        guard hasMovement else { return false }
        for index in members.indices where members.inPlace(index, { $0.isWaitedFor }) { return false }
        return true
    }

    /// The positions that changed since the last call, in order of lane; empty outside the window. Each holds its
    /// participant's estimate when that differs from the one sent last: it does not, most of the time.
    public mutating func takePositions(at now: Instant) -> [LivePosition] {
        guard hasMovement else { return [] }
        hasMovement = false
        let moment = moment(at: now)
        var positions: [LivePosition] = []
        positions.reserveCapacity(members.count)
        for lane in members.indices where members[lane].hasMoved {
            members[lane].hasMoved = false
            let arrival = announcedArrival(of: lane)
            if let position = members.inPlace(lane, { $0.takePosition(at: moment, arrival: arrival) }) {
                positions.append(position)
            }
        }
        return positions
    }

    /// The session as it stands at `now`; live positions only while tracking.
    ///
    /// - Parameter viewer: who will see it: of those whom a block separates from them nothing live is in it; nil for
    ///   everything.
    public func view(at now: Instant, for viewer: UserID? = nil) -> SessionView {
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
            viewLinkEndsAt: viewLinkEnd(at: now),
            viewerCount: viewerCount,
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

    /// Of whom a user may learn nothing live, because one of the two blocks the other (domain §3).
    public func hidden(from userID: UserID) -> Set<UserID> {
        guard !blocks.isEmpty else { return [] }
        return Set(blocks.compactMap { $0.other(than: userID) })
    }

    /// Whether anybody must not see somebody else.
    public var hasBlocks: Bool { !blocks.isEmpty }

    /// All who ever had a part, in order of invitation.
    public var participants: [Participant] { members.map(\.participant) }

    /// A user's part in the promise, nil for a stranger.
    public func participant(_ userID: UserID) -> Participant? {
        memberIndex[userID].map { members[$0].participant }
    }

    /// The last fixes of a participant that were not taken, oldest first.
    public func refusedFixes(of userID: UserID) -> [RefusedFix] {
        memberIndex[userID].map { members[$0].refused } ?? []
    }

    /// Whether a user may see what happens: accepted participants only. Asked for each subscriber of each collection, so
    /// without the rest of their ``Standing``.
    public func isAccepted(_ userID: UserID) -> Bool { participant(userID)?.membership == .accepted }

    private mutating func handle(
        _ event: SessionEvent,
        at now: Instant,
        effects: inout [SessionEffect]
    ) -> SessionReply? {
        do throws(Refusal) {
            switch event {
            case .wake:
                // A crash may have come between a fix and the arrival it made.
                if !isOver { reconcileArrivals(at: workedUpTo, cause: .backfill, retraction: .backfill) }
                return nil
            case .report(let userID, let report):
                return .reported(try receive(report, from: userID, at: now, effects: &effects))
            case .recalled(let recall, let judged):
                take(judged, for: recall, at: now)
                return nil
            case .respond(let userID, let accept): try respond(userID, accept: accept, at: now)
            case .leave(let userID): try leave(userID, at: now)
            case .cancel(let userID, let reason): try cancel(by: userID, reason: reason, at: now)
            case .setSharing(let userID, let on): try setSharing(userID, on: on, at: now, effects: &effects)
            case .edit(let edit, let userID): try self.edit(edit, by: userID, at: now)
            case .join(let userID): try join(userID, at: now)
            case .handOver(let other, let userID): try handOver(to: other, by: userID, at: now)
            case .part(let userID): part(userID, at: now)
            case .trouble(let userID, let cause): try noteTrouble(userID, cause: cause, at: now)
            case .setStatus(let userID, let text, let emoji):
                try setStatus(userID, text: text, emoji: emoji, at: now, effects: &effects)
            case .nudge(let userID, let other): try nudge(from: userID, to: other, at: now, effects: &effects)
            case .connection(let userID, let isOnline): noteConnection(userID, isOnline: isOnline)
            case .blocks(let pairs): blocks = pairs
            case .checkIn(let userID, let source): try checkIn(userID, source: source, at: now)
            case .excuse(let userID, let owner, let reason):
                try excuse(userID, by: owner, reason: reason, at: now)
            case .makeViewLink(let link, let userID): try makeViewLink(link, by: userID, at: now)
            case .revokeViewLink(let userID): try revokeViewLink(by: userID, at: now)
            case .setLinkSharing(let userID, let on): try setLinkSharing(userID, on: on, effects: &effects)
            case .viewers(let count): noteViewers(count)
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

    /// Checks that the promise has room for another change that its people can undo and make again.
    ///
    /// - Throws: `promiseLimit`.
    func requireRoomForEvents() throws(Refusal) {
        guard lastSeq < PromiseLimits.events else { throw .promiseLimit }
    }

    /// Numbers an event and makes it part of this step's commit.
    mutating func record(_ event: PromiseEvent, at instant: Instant) {
        lastSeq += 1
        pending.events.append(NumberedEvent(seq: lastSeq, at: instant, event: event))
    }
}
