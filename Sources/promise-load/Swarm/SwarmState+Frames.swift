import PromisedProtocol
import PromisedTransport

// Received frames.
extension SwarmState {
    mutating func received(_ seat: Int, _ bytes: [UInt8], at now: LoadTime) -> [LoadAction] {
        guard clients[seat].state != .ended, clients[seat].state != .waiting else { return [] }
        if counts(now) {
            tally.frames += 1
            tally.bytes += bytes.count + Self.headerBytes(of: bytes.count)
        }
        let group = clients[seat].group
        // Members receive the same bytes: the frame was already decoded for the previous member.
        if plan.peer == .promised, clients[seat].state == .live, groups[group].shown.bytes == bytes {
            showPositions(seat, at: now)
            return []
        }
        switch codec.hear(bytes) {
        case .relayed(let sender, let seq):
            delivered(sender, seq, to: seat, at: now)
            return []
        case .frame(let frame): return heard(frame, bytes, by: seat, at: now)
        case .nonsense:
            tally.count(error: "frame.malformed")
            return []
        }
    }

    // MARK: - Internals

    /// RFC 6455 §5.2, frames to a client.
    private static func headerBytes(of length: Int) -> Int { length < 126 ? 2 : length < 65_536 ? 4 : 10 }

    private mutating func heard(
        _ frame: WireServerFrame,
        _ bytes: [UInt8],
        by seat: Int,
        at now: LoadTime
    ) -> [LoadAction] {
        switch frame.content {
        case .event(let event):
            heard(event, bytes, by: seat, at: now)
            return []
        case .welcome: return subscribe(seat)
        case .subscribed(let subscribed):
            self.subscribed(seat, subscribed, at: now)
            return []
        case .error(let error): return refused(seat, error, id: frame.id)
        case .reported(let reported):
            for rejected in reported.rejected { tally.count(error: rejected.code) }
            return []
        default: return []
        }
    }

    private mutating func subscribe(_ seat: Int) -> [LoadAction] {
        guard clients[seat].state == .greeting, let connection = clients[seat].connection else { return [] }
        clients[seat].state = .subscribing
        let client = clients[seat]
        return [.send(connection, codec.subscribe(client.seat, epoch: client.epoch, lastSeq: client.lastEvent))]
    }

    private mutating func subscribed(_ seat: Int, _ subscribed: WireSubscribed, at now: LoadTime) {
        let group = clients[seat].group
        clients[seat].epoch = subscribed.epoch
        if subscribed.hasSnapshot {
            clients[seat].lastEvent = subscribed.seq
            count(groups[group].watch.snapshot(subscribed.snapshot, seq: subscribed.seq))
        }
        becomeLive(seat, at: now)
        for event in subscribed.missed { durable(event, by: seat, isMissed: true, at: now) }
        if clients[seat].lastEvent != subscribed.seq { tally.count(.eventGap) }
        clients[seat].lastEvent = subscribed.seq
        guard !clients[seat].hasArrived, !groups[group].isCancelled else { return }
        follow(seat, nextReportMs: subscribed.nextReportMs, at: now)
    }

    private mutating func refused(_ seat: Int, _ error: WireErrorReply, id: UInt32) -> [LoadAction] {
        // Reports in flight when the promise was cancelled are correctly refused.
        if id == 0, groups[clients[seat].group].isCancelled { return [] }
        tally.count(error: error.code)
        guard clients[seat].state != .live, let connection = clients[seat].connection else { return [] }
        // Sign-in failed: a retry would not help.
        giveUp(seat)
        return [.close(connection)]
    }

    private mutating func heard(_ event: WireEvent, _ bytes: [UInt8], by seat: Int, at now: LoadTime) {
        guard !event.promiseID.isEmpty else { return }
        let group = clients[seat].group
        guard event.promiseID == groups[group].promiseID else { return tally.count(.foreignPromise) }
        // The start of tracking and a cancellation also reach phones that have not subscribed.
        guard clients[seat].state == .live else { return }
        switch event.what {
        case .positions(let positions):
            groups[group].show(positions, bytes: bytes)
            for _ in 0..<groups[group].shown.outsiders { tally.count(.outsider) }
            showPositions(seat, at: now)
        case .pace(let pace): follow(seat, paceMs: pace.nextReportMs, at: now)
        default: if event.seq > 0 { durable(event, by: seat, isMissed: false, at: now) }
        }
    }

    // MARK: - Positions

    private mutating func showPositions(_ seat: Int, at now: LoadTime) {
        let (group, member) = (clients[seat].group, clients[seat].member)
        if groups[group].watch.isOver(after: clients[seat].lastEvent) { tally.count(.positionAfterEnd) }
        let shown = groups[group].shown
        let first = groups[group].seats.lowerBound
        for report in shown.reports {
            if report.seq < clients[seat].seen[report.member] { tally.count(.positionBackwards) }
            clients[seat].seen[report.member] = report.seq
            if report.member != member { delivered(first + report.member, report.seq, to: seat, at: now) }
        }
        if clients[seat].due != nil, clients[seat].pace == nil {
            follow(seat, nextReportMs: shown.nextReportMs, at: now)
        }
    }

    private mutating func delivered(_ sender: Int, _ seq: UInt32, to seat: Int, at now: LoadTime) {
        guard clients.indices.contains(sender), clients[sender].group == clients[seat].group else {
            return tally.count(.outsider)
        }
        if let due = ledger.delivered(seat: sender, seq: seq, to: clients[seat].member) {
            tally.deliveryLatency.record(now - due)
        }
    }

    // MARK: - Durable events

    private mutating func durable(_ event: WireEvent, by seat: Int, isMissed: Bool, at now: LoadTime) {
        let group = clients[seat].group
        let isNews = event.seq > groups[group].watch.newest
        count(groups[group].watch.heard(event, after: clients[seat].lastEvent))
        clients[seat].lastEvent = event.seq
        if case .arrived(let arrived) = event.what, !isMissed { measure(arrived.arrival, by: seat, at: now) }
        if isNews { follow(event, in: group) }
    }

    private mutating func measure(_ arrival: WireArrival, by seat: Int, at now: LoadTime) {
        let group = groups[clients[seat].group]
        guard let member = group.member(arrival.userID), member != clients[seat].member else { return }
        switch clients[group.seats.lowerBound + member].arrival {
        // Even if other members have already received it: the same report caused it.
        case .made(let due, _), .announced(let due?):
            if counts(due) { tally.arrivalLatency.record(now - due) }
        case .none, .inside, .uncertain, .announced(nil): break
        }
    }

    /// Applies an event to all members.
    private mutating func follow(_ event: WireEvent, in group: Int) {
        switch event.what {
        case .arrived(let event): announced(event.arrival.userID, in: group)
        case .arrivalConfirmed(let event): confirmed(event.arrival.userID, in: group)
        case .cancelled, .trackingEnded:
            groups[group].isCancelled = true
            for seat in groups[group].seats {
                stop(seat)
                ledger.excuse(reportsOf: seat)
            }
        default: break
        }
    }

    private mutating func announced(_ user: String, in group: Int) {
        guard let member = groups[group].member(user) else { return }
        let seat = groups[group].seats.lowerBound + member
        tally.arrivals += 1
        if case .made(let due, _) = clients[seat].arrival {
            clients[seat].arrival = .announced(due: due)
        } else {
            clients[seat].arrival = .announced(due: nil)
        }
    }

    private mutating func confirmed(_ user: String, in group: Int) {
        guard let member = groups[group].member(user) else { return }
        let seat = groups[group].seats.lowerBound + member
        clients[seat].hasArrived = true
        stop(seat)
    }

    private mutating func count(_ violations: [Violation]) {
        for violation in violations { tally.count(violation) }
    }
}
