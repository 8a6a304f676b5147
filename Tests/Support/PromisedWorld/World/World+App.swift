internal import PromisedClient
internal import PromisedDomain
internal import PromisedProtocol

// The client library: its connections, and the events that it must know.
extension World {
    /// Starts the app's connection.
    func startApp() {
        guard let app = app?.app else { return }
        queue.add(.appLook, at: now + Self.lookInterval)
        Task { await app.run() }
    }

    /// Ends the app, and all its pending work.
    func endApp() {
        guard let app = app?.app else { return }
        Task { await app.close() }
    }

    /// The app follows a promise of its user.
    func followByApp(_ id: PromiseID, of userID: UserID) {
        guard let app = app?.app, app.userID == userID else { return }
        Task { await app.follow(id) }
    }

    /// Transports the app's output, and checks the notices of its feeds.
    func serveApp() throws {
        guard let app = app?.app else { return }
        for output in app.wire.takeOutputs() {
            switch output {
            case .opened(let link): openApp(link)
            case .sent(let link, let bytes):
                guard let connection = self.app?.connection(of: link) else { continue }
                guard let frame = try? app.codec.decodeClientFrame(bytes) else {
                    throw Violation(.readable, "\(bytes.count) bytes of the app are no frame")
                }
                let message = ClientMessage(connection: connection, frame: frame, bytes: bytes)
                carry(.up(message), isUp: true, on: connection)
            case .closed(let link):
                guard let connection = self.app?.connection(of: link) else { continue }
                self.app?.cut(connection)
                queue.add(.notice(connection), at: now)
            }
        }
        for heard in app.takeHeard() {
            journal.add(now, "app \(heard.promise) \(heard.notice.mark.seq)")
            try self.app?.note(heard)
        }
    }

    private func openApp(_ link: AppLink) {
        guard let server = process.server, let device = app?.app, let connection = app?.open(link, at: now) else {
            return link.receive(.closed(code: 1_006))
        }
        open(connection, of: device.userID, device.codec, at: server)
    }

    /// Sends a message, or cuts the connection.
    func carry(_ event: WorldEvent, isUp: Bool, on connection: ConnectionNumber) {
        guard let arrival = app?.arrival(on: connection, isUp: isUp, at: now) else {
            app?.lose(connection)
            let moment = app?.moment(upTo: 5_000) ?? .zero
            queue.add(.appCut(connection, code: 1_006), at: now + moment)
            return queue.add(.notice(connection), at: now + .seconds(45))
        }
        queue.add(event, at: arrival)
    }

    /// Cuts every connection of the app, which detects it after a while.
    func cutApp() {
        for connection in app?.connections ?? [] {
            app?.lose(connection)
            let moment = app?.moment(upTo: 2_000) ?? .zero
            queue.add(.appCut(connection, code: 1_006), at: now + moment)
            queue.add(.notice(connection), at: now + moment)
        }
    }

    // MARK: - Known events

    /// The time between two checks: an app that was connected throughout has requested missing events again.
    private static let lookInterval = TimeSpan.minutes(1)

    /// Checks that an app that has been connected for a while knows all events stored before.
    func lookAtApp() throws(Violation) {
        queue.add(.appLook, at: now + Self.lookInterval)
        let isDisturbed = process.server == nil || process.lastFailureAt.map { $0 > now - .minutes(3) } ?? false
        if isDisturbed { return app?.forgetLook() ?? () }
        let events = eventsOfApp()
        for (id, count) in (app?.look(at: events) ?? [:]).sorted(by: { $0.key < $1.key }) {
            try requireKnownToApp(id, count)
        }
    }

    /// The number of events of each promise that the app follows and whose user never left.
    private func eventsOfApp() -> [PromiseID: Int] {
        guard let app = app?.app, !checker.committed.deleted.contains(app.userID) else { return [:] }
        return checker.committed.promises.filter { id, _ in
            let isIn = checker.committed.parts[id]?[app.userID]?.membership == "accepted"
            return isIn && app.isFollowing(id) && !hasLeft(app.userID, id)
        }.mapValues(\.lastSeq)
    }

    private func hasLeft(_ userID: UserID, _ id: PromiseID) -> Bool {
        let ends: [PromiseEvent] = [.left(userID), .removed(userID), .declined(userID)]
        return (checker.committed.events[id] ?? []).contains { ends.contains($0.event) }
    }

    private func requireKnownToApp(_ id: PromiseID, _ lastSeq: Int) throws(Violation) {
        let known = Int(app?.marks[id.description]?.seq ?? 0)
        guard known < lastSeq else { return }
        throw Violation(.settled, "the app is at event \(known) of \(lastSeq)")
    }

    /// Checks at the end that the app is connected, and knows all events of the promises that it follows.
    func requireAppSettled() throws(Violation) {
        guard let app, !checker.committed.deleted.contains(app.app.userID) else { return }
        guard app.isConnected else { throw Violation(.settled, "the app is not connected") }
        for (id, lastSeq) in eventsOfApp().sorted(by: { $0.key < $1.key }) { try requireKnownToApp(id, lastSeq) }
        try requireDone(app)
    }
}
