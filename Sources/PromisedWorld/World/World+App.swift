internal import PromisedApplication
internal import PromisedClient
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

// The client library: its frames are decoded, answered by the same acts as the light clients, and encoded.
extension World {
    /// The app begins to connect.
    func startApp() {
        guard let app = app?.app else { return }
        Task { await app.run() }
    }

    /// The app ends, and whatever waits in it.
    func endApp() {
        guard let app = app?.app else { return }
        Task { await app.close() }
    }

    /// The app follows a promise of its user.
    func followByApp(_ id: PromiseID, of userID: UserID) {
        guard let app = app?.app, app.userID == userID else { return }
        Task { await app.follow(id) }
    }

    /// Carries what the app has done, and checks what its feeds have told.
    func serveApp() throws {
        guard let app = app?.app else { return }
        for output in app.wire.takeOutputs() {
            switch output {
            case .opened(let link): openApp(link)
            case .sent(let link, let bytes):
                guard let connection = self.app?.connection(of: link) else { continue }
                carry(.appUp(connection, bytes), isUp: true, on: connection)
            case .closed(let link):
                guard let connection = self.app?.connection(of: link) else { continue }
                self.app?.cut(connection)
                agenda.add(.notice(connection), at: now)
            }
        }
        for heard in app.takeHeard() {
            journal.add(now, "app \(heard.promise) \(heard.notice.mark.seq)")
            try self.app?.note(heard)
        }
    }

    private func openApp(_ link: AppLink) {
        guard let server = process.server, let connection = app?.open(link, at: now), let userID = app?.app.userID
        else { return link.receive(.closed(code: 1_006)) }
        server.switchboard.connect(connection, of: userID)
    }

    /// Sends a message on its way, or cuts the connection.
    private func carry(_ happening: Happening, isUp: Bool, on connection: ConnectionNumber) {
        guard let arrival = app?.arrival(on: connection, isUp: isUp, at: now) else {
            app?.lose(connection)
            let moment = app?.moment(upTo: 5_000) ?? .zero
            agenda.add(.appCut(connection), at: now + moment)
            return agenda.add(.notice(connection), at: now + .seconds(45))
        }
        agenda.add(happening, at: arrival)
    }

    /// Every connection of the app is gone; the app learns of it after a while.
    func cutApp() {
        for connection in app?.connections ?? [] {
            app?.lose(connection)
            let moment = app?.moment(upTo: 2_000) ?? .zero
            agenda.add(.appCut(connection), at: now + moment)
            agenda.add(.notice(connection), at: now + moment)
        }
    }

    // MARK: - Requests

    /// A message of the app arrives at the server.
    func hearApp(_ bytes: [UInt8], on connection: ConnectionNumber) throws {
        guard let server = process.server, let userID = server.switchboard.user(of: connection) else { return }
        let frame = try FollowingApp.codec.decodeClientFrame(bytes)
        switch frame.request {
        case .hello:
            var welcome = WireWelcome()
            welcome.user.userID = userID.wireText
            tellApp(.welcome(welcome), id: frame.id, on: connection)
        case .subscribe(let wanted):
            let point = wanted.epoch.isEmpty ? nil : ResumePoint(epoch: wanted.epoch, lastSeq: Int(wanted.lastSeq))
            let id = try PromiseID(wire: wanted.promiseID, field: "promiseId")
            let request = Request(number: Int(frame.id), connection: connection, ask: .subscribe(id, since: point))
            journal.add(now, "<- \(connection) #\(request.number) subscribe")
            watch.noteArrival(request, of: userID)
            if server.take(request) { Task { await server.serve(connection) } }
        default: tellApp(.done(WireDone()), id: frame.id, on: connection)
        }
    }

    // MARK: - Answers and events

    /// The server answers a subscription of the app.
    func tellApp(_ answer: Answer, to request: Request) {
        let id = UInt32(request.number)
        switch answer {
        case .subscribed(_, let epoch, let lastSeq, let missed, _, let view):
            var reply = WireSubscribed()
            (reply.epoch, reply.seq) = (epoch, UInt32(lastSeq))
            if let missed {
                reply.missed = missed.map { WireEvent($0, in: view, card: UserCard.tombstone) }
            } else {
                reply.snapshot = WirePromise(view, detail: .live, card: UserCard.tombstone)
            }
            tellApp(.subscribed(reply), id: id, on: request.connection)
        case .refused(let why):
            let code: ErrorCode = why.contains("NotAccepted") ? .promiseNotAccepted : .promiseNotFound
            tellApp(.error(WireErrorReply(code)), id: id, on: request.connection)
        default: tellApp(.error(WireErrorReply(.serverUnavailable)), id: id, on: request.connection)
        }
    }

    /// An event leaves for the app.
    func tellApp(_ frame: Frame, in view: SessionView, on connection: ConnectionNumber) {
        guard case .event(_, let event) = frame else { return }
        tellApp(.event(WireEvent(event, in: view, card: UserCard.tombstone)), id: 0, on: connection)
    }

    private func tellApp(_ content: WireContent, id: UInt32, on connection: ConnectionNumber) {
        do throws(WireError) {
            let bytes = try FollowingApp.codec.encode(WireServerFrame(id: id, content: content))
            carry(.appDown(connection, bytes), isUp: false, on: connection)
        } catch {
            preconditionFailure("The server's frame cannot be encoded: \(error)")
        }
    }

    // MARK: - The end

    /// An app whose user never left has had all events.
    func requireKnownToApp(_ id: PromiseID, _ lastSeq: Int) throws(Breach) {
        guard let app, app.isConnected, let mark = app.marks[id.description] else { return }
        let userID = app.app.userID
        let events = watch.ledger.events[id] ?? []
        let hasLeft = events.contains { [.left(userID), .removed(userID), .declined(userID)].contains($0.event) }
        guard !hasLeft, !watch.ledger.deleted.contains(userID) else { return }
        guard mark.seq == lastSeq else {
            throw Breach(.settled, "the app is at event \(mark.seq), the last one is \(lastSeq)")
        }
    }
}
