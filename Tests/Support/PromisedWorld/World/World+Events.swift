internal import PromisedDomain
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire
internal import SwiftProtobuf

// Events at the server and on the network.
extension World {
    /// Executes one event of the queue.
    func handle(_ event: WorldEvent) throws {
        switch event {
        case .wake(let clock, let number): clock.wake(number)
        case .disk(let number): process.work(number)
        case .act(let number): try act(story.acts[number].deed)
        case .up(let message): receive(message)
        case .down(let message): try deliver(message)
        case .notice(let connection): endAtServer(connection)
        case .lose(let phone, let connection): lose(connection, of: phone, backAfter: network.moment(upTo: 3_000))
        case .fix(let phone, let walk, let number): locate(phone, on: walk, number)
        case .point(let phone, let number): locate(phone, recording: number)
        case .impatience(let phone, let request): sendAgain(request, of: phone)
        case .connect(let phone): connect(phone)
        case .start: process.start()
        case .unchoke: process.unchoke()
        case .appCut(let connection, let code): app?.cut(connection, code: code)
        case .appFix(let walk, let number): locateApp(on: walk, number)
        case .appPoints(let left): recordByApp(left)
        case .appLook: try lookAtApp()
        case .calm: try calmDown()
        case .lookBack: for phone in clients.indices { ask(.getMe(WireGetMe()), by: phone) }
        }
    }

    // MARK: - Towards the server

    /// Sends a request and repeats it until it is answered; before the sign-in it waits.
    func ask(_ request: WireRequest, by phone: Int, tries: Int = 1) {
        let id = clients[phone].begin(request, tries: tries)
        if clients[phone].signIn == .welcome { send(id, of: phone) }
    }

    /// Sends a pending request.
    private func send(_ id: UInt32, of phone: Int) {
        guard clients[phone].connection != nil, let pending = clients[phone].pending[id] else { return }
        queue.add(
            .impatience(phone: phone, request: id),
            at: now + .milliseconds(story.network.patienceMs) + network.moment(upTo: 500)
        )
        transmit(WireClientFrame(id: id, request: pending.request), of: phone)
    }

    /// Sends a request once, whether or not the connection is signed in.
    func askOnce(_ request: WireRequest, by phone: Int) {
        guard clients[phone].connection != nil else { return }
        transmit(WireClientFrame(id: clients[phone].begin(once: request), request: request), of: phone)
    }

    private func transmit(_ frame: WireClientFrame, of phone: Int) {
        guard let connection = clients[phone].connection else { return }
        guard let arrival = network.arrival(on: connection, isUp: true, at: now) else {
            return cut(phone, backAfter: network.moment(upTo: 5_000), noticedAfter: .seconds(45))
        }
        guard let bytes = try? clients[phone].codec.encode(frame) else {
            preconditionFailure("A frame of a client cannot be encoded: \(frame)")
        }
        queue.add(.up(ClientMessage(connection: connection, frame: frame, bytes: bytes)), at: arrival)
    }

    private func receive(_ message: ClientMessage) {
        let connection = message.connection
        let isCarried = connection >= AppDevice.firstConnection || network.phone(on: connection) != nil
        guard isCarried, let server = process.server, let userID = server.connections.user(of: connection) else {
            return
        }
        journal.add(now, "<- \(connection) #\(message.frame.id) \(RequestKind(message.frame.request).rawValue)")
        let device = network.phone(on: connection).map { clients[$0].phone.key.deviceID } ?? app?.app.deviceID ?? ""
        checker.noteArrival(message, of: userID, device: device, at: now)
        WorldExecutor.shared.enter { _ = server.gateway.received(connection, message.bytes) }
    }

    private func endAtServer(_ connection: ConnectionNumber) {
        guard let server = process.server else { return }
        server.connections.end(connection)
        WorldExecutor.shared.enter { server.gateway.closed(connection, code: 1_006) }
    }

    /// Opens a connection at the server.
    func open(_ connection: ConnectionNumber, of userID: UserID, _ codec: WireCodec, at server: SimulatedServer) {
        server.connections.open(connection, of: userID)
        WorldExecutor.shared.enter { server.gateway.opened(connection, Opening(codec: codec, address: "127.0.0.1")) }
    }

    /// Connects a client, which says who it is; one in eight asks for something before.
    func connect(_ phone: Int) {
        guard clients[phone].connection == nil, clients[phone].signIn != .refused else { return }
        guard let server = process.server else { return queue.add(.connect(phone: phone), at: now + .seconds(1)) }
        let connection = network.connect(phone, at: now)
        clients[phone].connect(connection)
        open(connection, of: clients[phone].userID, clients[phone].codec, at: server)
        if (connection &+ story.seed) % 8 == 0 { askOnce(.getMe(WireGetMe()), by: phone) }
        let (userID, device) = (clients[phone].userID, clients[phone].phone.key)
        let hello = WireHello.with {
            $0.token = Passports.token(of: userID)
            ($0.deviceID, $0.bootID) = (device.deviceID, device.bootID)
        }
        say(.hello(hello), by: phone)
    }

    /// Sends a request before the sign-in, and repeats it until it is answered.
    private func say(_ hello: WireRequest, by phone: Int, tries: Int = 1) {
        send(clients[phone].begin(hello, tries: tries), of: phone)
    }

    /// Continues after the sign-in: repeats unanswered requests, and subscribes to all promises.
    func goOn(_ phone: Int) {
        guard clients[phone].signIn == .pending else { return }
        clients[phone].signIn = .welcome
        for id in clients[phone].pending.keys.sorted() {
            guard let pending = clients[phone].end(id) else { continue }
            switch pending.request {
            case .subscribe, .hello: continue
            default: break
            }
            if pending.tries < 4 { ask(refreshed(pending.request, of: phone), by: phone, tries: pending.tries + 1) }
        }
        for id in clients[phone].streams.keys.sorted() { subscribe(phone, to: id) }
    }

    /// Subscribes, unless a subscription is in transit.
    func subscribe(_ phone: Int, to id: PromiseID) {
        guard clients[phone].signIn == .welcome, clients[phone].streams[id]?.isSubscribed != true,
            !clients[phone].isSubscribing(to: id)
        else { return }
        ask(.subscribe(clients[phone].subscription(to: id)), by: phone)
    }

    /// Repeats a request without an answer, a few times.
    private func sendAgain(_ id: UInt32, of phone: Int) {
        guard clients[phone].connection != nil, let pending = clients[phone].end(id) else { return }
        switch pending.request {
        case .hello:
            guard pending.tries < 4 else {
                return cut(phone, backAfter: .seconds(1), noticedAfter: .milliseconds(10))
            }
            say(pending.request, by: phone, tries: pending.tries + 1)
        case .subscribe(let subscribe): self.subscribe(phone, to: subscribe.promiseID.id())
        default:
            guard pending.tries < 4 else { return }
            ask(refreshed(pending.request, of: phone), by: phone, tries: pending.tries + 1)
        }
    }

    /// The report with current readings of the phone's clocks, for a repeat.
    private func refreshed(_ request: WireRequest, of phone: Int) -> WireRequest {
        guard case .report(let report) = request, let again = clients[phone].phone.report(at: now) else {
            return request
        }
        return .report(WireReport(again, to: report.promiseID.id()))
    }

    // MARK: - Cuts

    /// Cuts the connection of a phone.
    func cut(_ phone: Int, backAfter: TimeSpan, noticedAfter: TimeSpan) {
        guard let connection = clients[phone].connection else { return }
        queue.add(.notice(connection), at: now + noticedAfter)
        lose(connection, of: phone, backAfter: backAfter)
    }

    private func lose(_ connection: ConnectionNumber, of phone: Int, backAfter: TimeSpan) {
        guard clients[phone].connection == connection else { return }
        journal.add(now, "cut \(connection)")
        network.cut(connection)
        clients[phone].disconnect()
        queue.add(.connect(phone: phone), at: now + backAfter)
    }

    /// Ends all failures once all acts and promises are over, so that everything can settle.
    private func calmDown() throws {
        let settled = checker.committed.promises.values.filter { !$0.isCancelled }.map { promise in
            promise.closesAt + .milliseconds((story.spans.settle + 60) * 1_000)
        }
        if let latest = settled.max(), latest > now { return queue.add(.calm, at: latest) }
        // A phone that never connects waits forever.
        let patientUntil = Story.beginning + .milliseconds((story.acts.last?.atMs ?? 0) + 600_000)
        if now < patientUntil, clients.contains(where: \.isCreating) {
            return queue.add(.calm, at: now + .seconds(60))
        }
        // A recording may continue beyond the last act.
        if app?.phone.isRecording == true { return queue.add(.calm, at: now + .seconds(60)) }
        try requireEnded()
        endsAt = now + .seconds(120)
        queue.add(.lookBack, at: now + .seconds(60))
        network.isCalm = true
        app?.isCalm = true
        process.disk.mend()
        process.shelf.mend()
        process.sky.calmDown()
        process.start()
        for phone in clients.indices {
            clients[phone].readsFrom = now
            cut(phone, backAfter: .seconds(2), noticedAfter: .milliseconds(10))
            queue.add(.connect(phone: phone), at: now + .seconds(2))
        }
    }
}
