internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedWire

// The server's frames, and their delivery to clients.
extension World {
    /// Checks the server's output, and sends it.
    func pass(_ output: SimulatedConnections.Output, of server: SimulatedServer) throws {
        switch output {
        case .sent(let frames, let recipients):
            guard let codec = recipients.first?.codec else { return }
            for encoded in frames {
                guard let frame = try? codec.decodeServerFrame(encoded.bytes) else {
                    throw Violation(.readable, "\(encoded.bytes.count) bytes of the server are no frame")
                }
                journal.add(encoded.bytes)
                for recipient in recipients {
                    let message = ServerMessage(connection: recipient.rawValue, frame: frame, bytes: encoded.bytes)
                    try pass(message, of: server)
                }
            }
        case .closed(let connection, let code):
            journal.add(now, "-> \(connection) close \(code.rawValue)")
            queue.add(.notice(connection), at: now)
            close(connection, code)
        }
    }

    private func pass(_ message: ServerMessage, of server: SimulatedServer) throws {
        let connection = message.connection
        guard let userID = server.connections.user(of: connection) else { return }
        journal.add(now, "-> \(connection) \(message.frame.line) \(message.bytes.count)")
        try checker.noteFrame(message.frame, on: connection, of: userID, at: now)
        guard connection < AppDevice.firstConnection else {
            return carry(.down(message), isUp: false, on: connection)
        }
        guard let phone = network.phone(on: connection) else { return }
        guard let arrival = network.arrival(on: connection, isUp: false, at: now) else {
            return cut(phone, backAfter: network.moment(upTo: 5_000), noticedAfter: network.moment(upTo: 45_000))
        }
        queue.add(.down(message), at: max(arrival, clients[phone].readsFrom))
    }

    /// The client detects that the server has closed its connection after the frames before.
    private func close(_ connection: ConnectionNumber, _ code: CloseCode) {
        guard connection < AppDevice.firstConnection else {
            let arrival = app?.arrival(on: connection, isUp: false, at: now) ?? now
            return queue.add(.appCut(connection, code: code.rawValue), at: arrival)
        }
        guard let phone = network.phone(on: connection) else { return }
        let arrival = network.arrival(on: connection, isUp: false, at: now) ?? now
        queue.add(.lose(phone: phone, connection), at: max(arrival, clients[phone].readsFrom))
    }

    /// Delivers a frame to a client, unless the connection was cut meanwhile.
    func deliver(_ message: ServerMessage) throws {
        let connection = message.connection
        if connection >= AppDevice.firstConnection { return app?.deliver(message.bytes, on: connection) ?? () }
        guard let phone = network.phone(on: connection), clients[phone].connection == connection else { return }
        switch message.frame.content {
        case .event(let event): try clients[phone].receive(event)
        case let reply?: try take(reply, to: message.frame.id, by: phone)
        case nil: break
        }
    }

    private func take(_ reply: WireContent, to id: UInt32, by phone: Int) throws {
        // The answer to a repeated request counts, too.
        guard let request = clients[phone].request(id) else { return }
        _ = clients[phone].end(id)
        switch (reply, request) {
        case (.error(let error), _): takeRefusal(error, of: request, by: phone)
        case (.welcome, _): goOn(phone)
        case (.promise(let reply), .createPromise(let create)):
            guard let number = Int(create.key.dropFirst(World.keyOfPromises.count)) else { return }
            try learn(of: number, reply.promise.promiseID.id(), by: phone)
        case (.promise, .respond(let respond)): if respond.accept { join(respond.promiseID.id(), by: phone) }
        case (.subscribed(let reply), .subscribe(let subscribe)): try clients[phone].subscribe(subscribe, reply)
        case (.reported(let receipt), _):
            clients[phone].phone.forget(receipt.taken + receipt.rejected.map(\.seq))
        default: try takeErrand(reply, to: request, by: phone)
        }
    }

    private func takeRefusal(_ error: WireErrorReply, of request: WireRequest, by phone: Int) {
        switch request {
        case .hello:
            guard error.knownCode != .authTokenInvalid else {
                clients[phone].signIn = .refused
                return
            }
            cut(phone, backAfter: .seconds(1), noticedAfter: .milliseconds(10))
        case .createPromise(var create) where error.knownCode == .promiseTooSoon:
            // The request was delayed for too long.
            create.meetsAt = WireTimestamp(now + .milliseconds((story.spans.before + 30) * 1_000))
            ask(.createPromise(create), by: phone)
        case .report(let report):
            // A report that is refused as a whole is not stored forever.
            if !error.isTransient { clients[phone].phone.forget(report.fixes.map(\.seq)) }
        default: takeRefusal(of: request, error, by: phone)
        }
    }

    private func learn(of promise: Int, _ id: PromiseID, by phone: Int) throws {
        if let known = promises[promise], known != id {
            throw Violation(.once, "two promises for one request")
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

extension WireServerFrame {
    /// The frame in one line, without its content.
    fileprivate var line: String {
        switch content {
        case .event(let event): "event \(event.promiseID.suffix(4)) \(event.seq) \(event.at.instant.milliseconds)"
        case .error(let error): "#\(id) \(error.code)"
        case _?: "#\(id)"
        case nil: "nothing"
        }
    }
}

extension Journal {
    /// Adds the newly committed rows.
    mutating func addRows(of committed: CommittedRows, since before: CommittedRows, at now: Instant) {
        for (id, events) in committed.events.sorted(by: { $0.key < $1.key }) {
            for event in events.dropFirst(before.events[id]?.count ?? 0) {
                add(now, "row event \(id) \(event.seq) \(event.at.milliseconds) \(event.event.traits.label)")
            }
        }
        for (id, arrivals) in committed.arrivals.sorted(by: { $0.key < $1.key }) where arrivals != before.arrivals[id] {
            for (userID, arrival) in arrivals.sorted(by: { $0.key < $1.key }) {
                add(now, "row arrival \(id) \(userID) \(arrival.stage) \(arrival.creditedAt.milliseconds)")
            }
        }
        for (id, rows) in committed.results.sorted(by: { $0.key < $1.key }) where rows != before.results[id] {
            for row in rows { add(now, "row result \(id) \(row.userID) \(row.outcome) \(row.rank) \(row.penalty)") }
        }
        if committed.visits != before.visits { add(now, "row visits \(committed.visits.count)") }
    }
}
