internal import PromisedApplication
internal import PromisedDomain
internal import PromisedPlaces

// Frames and answers of the server, and their delivery to clients.
extension World {
    /// Checks the server's output, and sends it.
    func pass(_ output: Output, of server: SimulatedServer) throws {
        switch output {
        case .send(let frame, let connections, let view):
            for connection in connections {
                guard let userID = server.switchboard.user(of: connection) else { continue }
                journal.add(now, "-> \(connection) \(frame.line)")
                try watch.noteFrame(frame, to: userID, in: view, at: now)
                if connection < AppDevice.firstConnection {
                    transmit(frame, on: connection)
                } else {
                    tellApp(frame, in: view, on: connection)
                }
            }
        case .answer(let answer, let request, let userID):
            journal.add(now, "-> \(request.connection) \(Frame.answer(request.number, answer).line)")
            try watch.noteAnswer(answer, to: request, of: userID, at: now)
            if request.connection < AppDevice.firstConnection {
                transmit(.answer(request.number, answer), on: request.connection)
            } else {
                tellApp(answer, to: request)
            }
        case .loaded(let loaded):
            journal.add(now, "loaded \(loaded.report.added) \(loaded.report.changed) \(loaded.report.removed)")
            try watch.noteLoaded(loaded)
        case .close(let userID):
            for (phone, client) in clients.enumerated() where client.userID == userID {
                cut(phone, backAfter: .seconds(1), noticedAfter: .milliseconds(1))
            }
            if app?.app.userID == userID { cutApp() }
        }
    }

    private func transmit(_ frame: Frame, on connection: ConnectionNumber) {
        guard let phone = network.phone(on: connection) else { return }
        guard let arrival = network.arrival(on: connection, isUp: false, at: now) else {
            return cut(phone, backAfter: network.moment(upTo: 5_000), noticedAfter: network.moment(upTo: 45_000))
        }
        agenda.add(.frame(frame, connection), at: max(arrival, clients[phone].readsFrom))
    }

    /// Delivers a frame to a client, unless the connection was cut meanwhile.
    func deliver(_ frame: Frame, on connection: ConnectionNumber) throws {
        guard let phone = network.phone(on: connection), clients[phone].connection == connection else { return }
        switch frame {
        case .answer(let number, let answer): try take(answer, to: number, by: phone)
        case .event(let id, let event): try clients[phone].receive(event, of: id)
        case .positions, .passing, .notice, .outlook: break
        }
    }

    private func take(_ answer: Answer, to number: Int, by phone: Int) throws {
        // The answer to a repeated request counts, too.
        let pending = clients[phone].end(number)
        switch answer {
        case .created(let promise, let id): try learn(of: promise, id, by: phone)
        case .subscribed(let id, let epoch, let lastSeq, let missed, _, _, _):
            try clients[phone].subscribe(to: id, answering: number, epoch: epoch, lastSeq: lastSeq, missed: missed)
        case .receipt(let receipt):
            clients[phone].phone.forget(receipt.taken + receipt.rejected.map(\.seq))
        case .done: if case .respond(let id, true) = pending?.ask { join(id, by: phone) }
        case .refused:
            // A report that is refused as a whole is not stored forever.
            if case .report(_, let report) = pending?.ask { clients[phone].phone.forget(report.fixes.map(\.seq)) }
            if case .errand(let errand) = pending?.ask { takeRefusal(of: errand, by: phone) }
        case .errand(let errand): try take(errand, by: phone)
        case .arrived, .lookedBack, .unavailable: break
        }
    }

    private func learn(of promise: Int, _ id: PromiseID, by phone: Int) throws {
        if let known = promises[promise], known != id {
            throw Breach(.once, "two promises for one request")
        }
        promises[promise] = id
        join(id, by: phone)
    }

    /// Joins the user on all their phones.
    private func join(_ id: PromiseID, by phone: Int) {
        let userID = clients[phone].userID
        for other in clients.indices where clients[other].userID == userID {
            clients[other].learn(of: id)
            subscribe(other, to: id)
        }
        followByApp(id, of: userID)
    }
}

extension Frame {
    var line: String {
        switch self {
        case .answer(let number, let answer): "#\(number) \(answer.line)"
        case .event(let id, let event):
            "event \(id.low & 0xFFFF) \(event.seq) \(event.at.milliseconds) \(event.event.traits.label)"
        case .positions(let id, let positions, _):
            "positions \(id.low & 0xFFFF) " + positions.map(\.line).joined(separator: " ")
        case .passing(let id, let event): "\(event.name) \(id.low & 0xFFFF)"
        case .notice(let notice): notice.line
        case .outlook(_, let outlook): "outlook \(outlook.line)"
        }
    }
}

extension LivePosition {
    fileprivate var line: String { "\(userID.low & 0xFF):\(seq)@\(fixTime.milliseconds)=\(coordinate.latitude)" }
}

extension NewsItem {
    fileprivate var line: String {
        switch self {
        case .friendRequested: "friendRequested"
        case .friendAdded: "friendAdded"
        case .friendRemoved: "friendRemoved"
        case .notification(let notification, _, _): "notification \(notification.topic.kind)"
        case .statisticsChanged: "statisticsChanged"
        case .outlookReady, .weatherChanged: "outlook"
        case .visitMade: "visitMade"
        case .courseShared: "courseShared"
        case .recordingInterrupted: "recordingInterrupted"
        case .exportReady: "exportReady"
        }
    }
}

extension Answer {
    fileprivate var line: String {
        switch self {
        case .done: "done"
        case .created(let promise, let id): "created \(promise) \(id)"
        case .subscribed(_, _, let lastSeq, let missed, let shown, _, _):
            "subscribed \(lastSeq) \(missed?.count ?? -1) " + shown.map(\.line).joined(separator: " ")
        case .receipt(let receipt):
            "receipt \(receipt.taken) \(receipt.rejected.count) \(receipt.nextReport?.milliseconds ?? -1)"
        case .arrived(_, let ranked): "arrived \(ranked.rank)"
        case .errand(let errand): errand.line
        case .lookedBack(let statistics): "statistics \(statistics.counted) \(statistics.meanLatenessSeconds)"
        case .refused(let why, _): "refused \(why)"
        case .unavailable: "unavailable"
        }
    }
}

extension Journal {
    /// Adds the newly committed rows.
    mutating func addRows(of ledger: Ledger, since before: Ledger, at now: Instant) {
        for (id, events) in ledger.events.sorted(by: { $0.key < $1.key }) {
            for event in events.dropFirst(before.events[id]?.count ?? 0) {
                add(now, "row event \(id) \(event.seq) \(event.at.milliseconds) \(event.event.traits.label)")
            }
        }
        for (id, arrivals) in ledger.arrivals.sorted(by: { $0.key < $1.key }) where arrivals != before.arrivals[id] {
            for (userID, arrival) in arrivals.sorted(by: { $0.key < $1.key }) {
                add(now, "row arrival \(id) \(userID) \(arrival.stage) \(arrival.creditedAt.milliseconds)")
            }
        }
        for (id, rows) in ledger.results.sorted(by: { $0.key < $1.key }) where rows != before.results[id] {
            for row in rows { add(now, "row result \(id) \(row.userID) \(row.outcome) \(row.rank) \(row.penalty)") }
        }
        if ledger.visits != before.visits { add(now, "row visits \(ledger.visits.count)") }
    }
}
