import PromisedProtocol
import PromisedTransport

/// All simulated phones of this process: what they have received, what they do next, and the measurements. Pure: every
/// input has its moment, and actions are returned.
struct SwarmState: Sendable {
    let plan: LoadPlan
    let codec: PeerCodec
    let start: LoadTime
    var clients: [LoadClient]
    var groups: [LoadGroup]
    var ledger: DeliveryLedger
    var tally = LoadTally()
    var reports = DueQueue()
    var reconnects = DueQueue()
    var chance: SystemRandomNumberGenerator
    /// The measured time; nil before it is known.
    var measured: Range<LoadTime>?
    var isReporting = true
    /// Seats that have been live.
    var liveOnce = 0
    /// Aborted seats.
    var givenUp = 0
    /// When the first connection was started, and when the last seat became live.
    var firstConnect: LoadTime?
    var lastLive: LoadTime?
    /// The owners who will cancel, with the moments; cuts and cancellations are drawn when the measurement begins.
    var cancellations = DueQueue()
    var cuts = DueQueue()

    /// All phones, not connected.
    init(plan: LoadPlan, seats: SeatPlan, at now: LoadTime) {
        self.plan = plan
        codec = PeerCodec(plan: plan)
        start = now
        clients = []
        groups = []
        var generator = SystemRandomNumberGenerator()
        for users in seats.groups {
            let group = LoadGroup(users, first: clients.count)
            for (member, seat) in users.enumerated() {
                let walk = Walk(
                    place: seat.place,
                    radiusMetres: seat.radiusMetres,
                    bearingDegrees: Double(clients.count) * 137.508,
                    phase: .random(in: 0..<1, using: &generator)
                )
                clients.append(
                    LoadClient(seat: seat, group: groups.count, member: member, members: users.count, walk: walk)
                )
            }
            groups.append(group)
        }
        ledger = DeliveryLedger(seats: clients.count)
        chance = generator
    }

    var isComplete: Bool { liveOnce == clients.count }

    /// `true` if a seat was aborted.
    var isHopeless: Bool { givenUp > 0 }

    /// Sets the measured time; draws arrivals, cuts and cancellations with their moments.
    ///
    /// - Parameter share: this process's share of all connections, for rates over all processes.
    mutating func measure(_ range: Range<LoadTime>, share: Double) {
        measured = range
        let span = range.upperBound - range.lowerBound
        let settling = min(.seconds(15), span / 3)
        let arrivals = ArrivalPlan.arrivals(
            seats: clients.count,
            rate: plan.arrivalsPerSecond * share,
            from: range.lowerBound,
            for: span,
            margin: settling,
            using: &chance
        )
        for (seat, at) in arrivals { clients[seat].walk.arrivesAt = at }
        let cutCount = Double(clients.count) * plan.cutPercentPerMinute / 100 * span.inSeconds / 60
        for moment in moments(cutCount, in: range) {
            cuts.add(Int.random(in: clients.indices, using: &chance), at: moment)
        }
        let owners = clients.indices.filter { clients[$0].seat.isOwner }.shuffled(using: &chance)
        let cancelled = moments(plan.cancellationsPerMinute * share * span.inSeconds / 60, in: range)
        for (owner, moment) in zip(owners, cancelled) { cancellations.add(owner, at: moment) }
    }

    /// The next due moment; nil if nothing is due.
    var nextDue: LoadTime? { [reports.next, reconnects.next, cuts.next, cancellations.next].compactMap(\.self).min() }

    /// Stops reports, except of phones whose arrival has not been announced; reports in flight may still arrive.
    mutating func stopReporting() { isReporting = false }

    /// `true` if a seat still sends reports: after the stop, until its arrival is announced, because it counts as
    /// missing only after one more report than the rule needs.
    func mayReport(_ seat: Int) -> Bool { isReporting || awaitsArrival(seat) }

    /// `true` if any arrival has not been announced yet.
    var isAwaitingArrivals: Bool { clients.indices.contains { awaitsArrival($0) } }

    /// Ends the run: counts missing deliveries, and checks the invariants.
    mutating func end() -> LoadTally {
        for group in groups.indices { checkEnd(of: group) }
        ledger.close()
        tally.deliveries = ledger.counts
        tally.connected = groups.reduce(0) { $0 + $1.live.nonzeroBitCount }
        if let firstConnect, let lastLive { tally.connectSeconds = (lastLive - firstConnect).inSeconds }
        return tally
    }

    /// `true` if all connected phones have received every event.
    var isSettled: Bool {
        plan.peer == .relay || clients.allSatisfy { $0.state != .live || $0.lastEvent == groups[$0.group].watch.newest }
    }

    func counts(_ moment: LoadTime) -> Bool { measured?.contains(moment) ?? false }

    // MARK: - Internals

    private func awaitsArrival(_ seat: Int) -> Bool {
        guard case .made = clients[seat].arrival, clients[seat].state == .live else { return false }
        return !groups[clients[seat].group].isCancelled
    }

    private mutating func moments(_ count: Double, in range: Range<LoadTime>) -> [LoadTime] {
        let (first, last) = (range.lowerBound.microseconds, range.upperBound.microseconds)
        return (0..<Int(count.rounded())).map { _ in
            LoadTime(microseconds: .random(in: first..<last, using: &chance))
        }.sorted()
    }

    private mutating func checkEnd(of group: Int) {
        let watch = groups[group].watch
        for violation in watch.ended() { tally.count(violation) }
        for seat in groups[group].seats {
            if clients[seat].state == .live, plan.peer == .promised, clients[seat].lastEvent != watch.newest {
                tally.count(.eventMissing)
            }
            // The server dates fixes by the least delayed report (domain §5). If reports are late by half a second or
            // more, the second fix inside may be too close to the first; the third one is not.
            if case .made(_, 1...) = clients[seat].arrival, !groups[group].isCancelled { tally.count(.arrivalMissing) }
        }
    }
}

enum LoadAction: Hashable, Sendable {
    /// A frame to be sent.
    case send(ConnectionID, [UInt8])
    case close(ConnectionID)
    case connect(Int)

    static let leaving = CloseReason.goingAway
}

// Cancellations by owners.
extension SwarmState {
    /// Cancels the promises that are due.
    mutating func cancel(by now: LoadTime) -> [LoadAction] {
        var actions: [LoadAction] = []
        while let (seat, _) = cancellations.pop(by: now) {
            let group = clients[seat].group
            guard clients[seat].state == .live, !groups[group].isCancelled, let connection = clients[seat].connection
            else { continue }
            tally.cancellations += 1
            groups[group].isCancelled = true
            for member in groups[group].seats { stop(member) }
            actions.append(.send(connection, codec.cancel(clients[seat].seat)))
        }
        return actions
    }

    /// Does all due work; called frequently.
    mutating func step(at now: LoadTime) -> [LoadAction] {
        report(by: now) + cut(by: now) + cancel(by: now) + comingBack(by: now)
    }
}
