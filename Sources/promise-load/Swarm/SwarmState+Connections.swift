import PromisedTransport

// Connections: opening, closing, reconnecting.
extension SwarmState {
    /// The delay before a phone reconnects, in microseconds.
    private static let comeBack: ClosedRange<Int64> = 100_000...2_000_000
    /// How many consecutive failures of a connection abort its seat.
    private static let patience = 5

    /// Prepares to connect a seat; `false` if that is unnecessary.
    mutating func connecting(_ seat: Int, at now: LoadTime) -> Bool {
        guard clients[seat].state == .idle || clients[seat].state == .waiting else { return false }
        if firstConnect == nil { firstConnect = now }
        clients[seat].state = .connecting
        return true
    }

    /// Records that a seat's connection could not be made.
    mutating func failedToConnect(_ seat: Int, at now: LoadTime) {
        tally.count(error: "connect")
        clients[seat].failures += 1
        guard clients[seat].failures < Self.patience else {
            giveUp(seat)
            return
        }
        wait(seat, at: now)
    }

    mutating func opened(_ seat: Int, _ connection: ConnectionID, at now: LoadTime) -> [LoadAction] {
        clients[seat].connection = connection
        clients[seat].failures = 0
        guard let hello = codec.hello(clients[seat].seat) else {
            becomeLive(seat, at: now)
            return []
        }
        clients[seat].state = .greeting
        return [.send(connection, hello)]
    }

    /// Records that a seat's connection has ended: an error unless this program cut it.
    mutating func closed(_ seat: Int, _ cause: CloseCause, at now: LoadTime) {
        guard clients[seat].state != .ended else { return }
        if !clients[seat].isCut || cause != .byThisEnd(code: LoadAction.leaving.code) {
            tally.drops += 1
            tally.count(error: "closed.\(cause.code)")
        }
        // The next connection has not been cut yet.
        clients[seat].isCut = false
        leave(seat)
        wait(seat, at: now)
    }

    mutating func cut(by now: LoadTime) -> [LoadAction] {
        var actions: [LoadAction] = []
        while let (seat, _) = cuts.pop(by: now) {
            guard clients[seat].state == .live, let connection = clients[seat].connection else { continue }
            tally.cuts += 1
            clients[seat].isCut = true
            leave(seat)
            actions.append(.close(connection))
        }
        return actions
    }

    /// Connects the seats that are due to reconnect.
    mutating func comingBack(by now: LoadTime) -> [LoadAction] {
        var actions: [LoadAction] = []
        while let (seat, _) = reconnects.pop(by: now) { actions.append(.connect(seat)) }
        return actions
    }

    /// Disconnects all phones; later frames are ignored.
    mutating func leaveAll() {
        for seat in clients.indices { clients[seat].state = .ended }
    }

    /// Records that a seat is subscribed to its promise.
    mutating func becomeLive(_ seat: Int, at now: LoadTime) {
        let client = clients[seat]
        clients[seat].state = .live
        groups[client.group].live |= 1 << UInt64(client.member)
        if client.wasLive {
            tally.resumed += 1
        } else {
            liveOnce += 1
            lastLive = now
            clients[seat].wasLive = true
        }
        if plan.peer == .relay || plan.phase == .random { scheduleFirst(seat, at: now) }
    }

    mutating func giveUp(_ seat: Int) {
        clients[seat].state = .ended
        givenUp += 1
    }

    // MARK: - Internals

    /// Records that a seat is offline: excuses its open deliveries, and reports that may be lost.
    private mutating func leave(_ seat: Int) {
        let client = clients[seat]
        guard client.state == .live else { return }
        clients[seat].state = .waiting
        clients[seat].due = nil
        clients[seat].pace = nil
        groups[client.group].live &= ~(1 << UInt64(client.member))
        ledger.excuse(reportsOf: seat)
        for other in groups[client.group].seats { ledger.excuse(member: client.member, from: other) }
        switch client.arrival {
        case .made: clients[seat].arrival = .uncertain
        // The fix inside may be lost, so the next one counts as the first.
        case .inside: clients[seat].arrival = .none
        case .none, .uncertain, .announced: break
        }
    }

    private mutating func wait(_ seat: Int, at now: LoadTime) {
        clients[seat].state = .waiting
        clients[seat].connection = nil
        reconnects.add(seat, at: now + .microseconds(Int64.random(in: Self.comeBack, using: &chance)))
    }
}
