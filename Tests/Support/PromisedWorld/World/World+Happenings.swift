internal import PromisedApplication
internal import PromisedDomain
internal import PromisedStore

// Happenings at the server and on the network.
extension World {
    /// Executes one happening of the agenda.
    func happen(_ happening: Happening) throws {
        switch happening {
        case .wake(let clock, let number): clock.wake(number)
        case .disk(let number): process.work(number)
        case .act(let number): try act(story.acts[number].deed)
        case .request(let request): receive(request)
        case .frame(let frame, let connection): try deliver(frame, on: connection)
        case .notice(let connection): endAtServer(connection)
        case .lose(let phone, let connection): lose(connection, of: phone, backAfter: network.moment(upTo: 3_000))
        case .fix(let phone, let walk, let number): locate(phone, on: walk, number)
        case .point(let phone, let number): locate(phone, recording: number)
        case .impatience(let phone, let request): sendAgain(request, of: phone)
        case .connect(let phone): connect(phone)
        case .start: process.start()
        case .unchoke: process.unchoke()
        case .appUp(let connection, let bytes): try hearApp(bytes, on: connection)
        case .appDown(let connection, let bytes): app?.deliver(bytes, on: connection)
        case .appCut(let connection): app?.cut(connection)
        case .appFix(let walk, let number): locateApp(on: walk, number)
        case .appPoints(let left): recordByApp(left)
        case .appLook: try lookAtApp()
        case .calm: try calmDown()
        case .lookBack: for phone in clients.indices { ask(.lookBack, by: phone) }
        }
    }

    // MARK: - Towards the server

    /// Sends a request, or without a connection queues it for the next one.
    func ask(_ ask: Ask, by phone: Int, tries: Int = 1) {
        let number = clients[phone].begin(ask, tries: tries)
        send(number, of: phone)
    }

    /// Sends a pending request.
    func send(_ number: Int, of phone: Int) {
        guard let connection = clients[phone].connection, let pending = clients[phone].pending[number] else { return }
        agenda.add(
            .impatience(phone: phone, request: number),
            at: now + .milliseconds(story.network.patienceMs) + network.moment(upTo: 500)
        )
        guard let arrival = network.arrival(on: connection, isUp: true, at: now) else {
            return cut(phone, backAfter: network.moment(upTo: 5_000), noticedAfter: .seconds(45))
        }
        agenda.add(.request(Request(number: number, connection: connection, ask: pending.ask)), at: arrival)
    }

    private func receive(_ request: Request) {
        guard network.phone(on: request.connection) != nil, let server = process.server,
            let userID = server.switchboard.user(of: request.connection)
        else { return }
        journal.add(now, "<- \(request.connection) #\(request.number) \(request.ask.name)")
        watch.noteArrival(request, of: userID)
        guard server.take(request) else { return }
        Task { await server.serve(request.connection) }
    }

    private func endAtServer(_ connection: ConnectionNumber) {
        guard let server = process.server else { return }
        Task { await server.disconnect(connection) }
    }

    /// Connects a client, and subscribes to all its promises.
    func connect(_ phone: Int) {
        guard clients[phone].connection == nil else { return }
        guard let server = process.server else { return agenda.add(.connect(phone: phone), at: now + .seconds(1)) }
        let connection = network.connect(phone, at: now)
        clients[phone].connection = connection
        server.switchboard.connect(connection, of: clients[phone].userID)
        let unanswered = clients[phone].pending.keys.sorted()
        for number in unanswered {
            guard let pending = clients[phone].end(number) else { continue }
            if case .subscribe = pending.ask { continue }
            if pending.tries < 4 { ask(refreshed(pending.ask, of: phone), by: phone, tries: pending.tries + 1) }
        }
        for id in clients[phone].streams.keys.sorted() { subscribe(phone, to: id) }
    }

    /// Subscribes, unless a subscription is in transit.
    func subscribe(_ phone: Int, to id: PromiseID) {
        guard clients[phone].streams[id]?.isSubscribed != true, !clients[phone].isSubscribing(to: id) else { return }
        ask(.subscribe(id, since: clients[phone].resumePoint(in: id)), by: phone)
    }

    /// Repeats a request without an answer, a few times.
    private func sendAgain(_ number: Int, of phone: Int) {
        guard clients[phone].connection != nil, let pending = clients[phone].end(number) else { return }
        if case .subscribe(let id, _) = pending.ask { return subscribe(phone, to: id) }
        guard pending.tries < 4 else { return }
        ask(refreshed(pending.ask, of: phone), by: phone, tries: pending.tries + 1)
    }

    /// The report with current readings of the phone's clocks, for a repeat.
    private func refreshed(_ ask: Ask, of phone: Int) -> Ask {
        guard case .report(let id, let report) = ask, report.device == clients[phone].phone.key,
            let again = clients[phone].phone.report(at: now)
        else { return ask }
        return .report(id, again)
    }

    // MARK: - Cuts

    /// Cuts the connection of a phone.
    func cut(_ phone: Int, backAfter: TimeSpan, noticedAfter: TimeSpan) {
        guard let connection = clients[phone].connection else { return }
        agenda.add(.notice(connection), at: now + noticedAfter)
        lose(connection, of: phone, backAfter: backAfter)
    }

    private func lose(_ connection: ConnectionNumber, of phone: Int, backAfter: TimeSpan) {
        guard clients[phone].connection == connection else { return }
        journal.add(now, "cut \(connection)")
        network.cut(connection)
        clients[phone].disconnect()
        agenda.add(.connect(phone: phone), at: now + backAfter)
    }

    /// Ends all failures once all acts and promises are over, so that everything can settle.
    private func calmDown() throws {
        let settled = watch.ledger.promises.values.filter { !$0.isCancelled }.map { promise in
            promise.closesAt + .milliseconds((story.spans.settle + 60) * 1_000)
        }
        if let latest = settled.max(), latest > now { return agenda.add(.calm, at: latest) }
        // A phone that never connects waits forever.
        let patientUntil = Story.beginning + .milliseconds((story.acts.last?.atMs ?? 0) + 600_000)
        if now < patientUntil, clients.contains(where: \.isCreating) {
            return agenda.add(.calm, at: now + .seconds(60))
        }
        // A recording may continue beyond the last act.
        if app?.phone.isRecording == true { return agenda.add(.calm, at: now + .seconds(60)) }
        try requireEnded()
        endsAt = now + .seconds(120)
        agenda.add(.lookBack, at: now + .seconds(60))
        network.isCalm = true
        app?.isCalm = true
        process.disk.mend()
        process.shelf.mend()
        process.sky.calmDown()
        process.start()
        for phone in clients.indices {
            clients[phone].readsFrom = now
            cut(phone, backAfter: .seconds(2), noticedAfter: .milliseconds(10))
            agenda.add(.connect(phone: phone), at: now + .seconds(2))
        }
    }
}
