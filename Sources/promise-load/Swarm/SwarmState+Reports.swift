import PromisedTransport

// The times and contents of phones' reports.
extension SwarmState {
    /// Sends the reports that are due.
    mutating func report(by now: LoadTime) -> [LoadAction] {
        var actions: [LoadAction] = []
        while let (seat, due) = reports.pop(by: now) {
            // Rescheduled since, or stopped.
            guard clients[seat].due == due else { continue }
            guard mayReport(seat), let connection = clients[seat].connection else {
                clients[seat].due = nil
                continue
            }
            actions.append(.send(connection, report(seat, due: due, at: now)))
            schedule(seat, at: due + (clients[seat].pace ?? plan.period))
        }
        return actions
    }

    /// Applies the server's time to the next report; 0 stops reporting.
    mutating func follow(_ seat: Int, nextReportMs: UInt32, at now: LoadTime) {
        guard nextReportMs > 0 else { return stop(seat) }
        // Overdue reports are sent first, so that a late driver never drops a report.
        if let due = clients[seat].due, due <= now { return }
        guard plan.phase == .slots else {
            if clients[seat].due == nil { scheduleFirst(seat, at: now) }
            return
        }
        schedule(seat, at: now + .milliseconds(Int64(nextReportMs)))
    }

    /// Applies a seat's individual pace, until the next one.
    mutating func follow(_ seat: Int, paceMs: UInt32, at now: LoadTime) {
        let span = Duration.milliseconds(Int64(paceMs))
        clients[seat].pace = paceMs > 0 && span > plan.period * 1.5 ? span : nil
        follow(seat, nextReportMs: paceMs, at: now)
    }

    /// Schedules a seat's first report at an individual moment.
    mutating func scheduleFirst(_ seat: Int, at now: LoadTime) {
        guard !clients[seat].hasArrived, !groups[clients[seat].group].isCancelled else { return }
        let period = max(1, plan.period.wholeMicroseconds)
        // The relay's clients implement the slots themselves: all members of a group report at the same moment.
        let isTogether = plan.peer == .relay && plan.phase == .slots
        let phase =
            isTogether ? slot(of: clients[seat].group, period, at: now) : .random(in: 0..<period, using: &chance)
        schedule(seat, at: now + .microseconds(phase))
    }

    /// Stops a seat's reports until further notice.
    mutating func stop(_ seat: Int) { clients[seat].due = nil }

    // MARK: - Internals

    /// From now to the next slot of a group, in microseconds.
    private func slot(of group: Int, _ period: Int64, at now: LoadTime) -> Int64 {
        let offset = Int64(group) &* 7_919_000 % period
        let passed = (now.microseconds - offset) % period
        return period - passed
    }

    private mutating func schedule(_ seat: Int, at due: LoadTime) {
        guard mayReport(seat) else { return stop(seat) }
        clients[seat].due = due
        reports.add(seat, at: due)
    }

    private mutating func report(_ seat: Int, due: LoadTime, at now: LoadTime) -> [UInt8] {
        clients[seat].seq += 1
        let client = clients[seat]
        let distance = client.walk.distance(at: now, since: start)
        noteArrival(seat, distance: distance, due: due, at: now)
        let receivers = groups[client.group].live & ~(1 << UInt64(client.member))
        let isCounted = counts(due)
        ledger.report(seat: seat, seq: client.seq, due: due, to: receivers, counts: isCounted)
        if isCounted {
            tally.reports += 1
            tally.sendingLag.record(now - due)
        }
        return codec.report(
            client.seat,
            number: seat,
            seq: client.seq,
            at: client.walk.point(at: distance),
            speed: client.walk.isMoving(at: distance) ? Walk.speed : 0,
            now: now
        )
    }

    /// Determines which report causes an arrival by domain §6.1 (a): two inside spanning 5 s (0.5 s of tolerance), one
    /// strong.
    private mutating func noteArrival(_ seat: Int, distance: Double, due: LoadTime, at now: LoadTime) {
        let walk = clients[seat].walk
        guard walk.arrivesAt != nil, distance <= walk.radiusMetres else { return }
        switch clients[seat].arrival {
        case .none: clients[seat].arrival = .inside(since: now)
        case .inside(let since):
            let isStrong = distance + Walk.accuracyMetres / 2 <= walk.radiusMetres
            if isStrong, now - since >= .milliseconds(4_500) { clients[seat].arrival = .made(due: due) }
        case .made(let due, let count): clients[seat].arrival = .made(due: due, reportsSince: count + 1)
        case .uncertain, .announced: break
        }
    }
}
