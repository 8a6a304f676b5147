import CoreMetrics
internal import PromisedConcurrency

extension ConnectionLoop {
    /// Does the work in the mailbox, including work that it causes.
    func doWork() {
        var work = turn.begin(at: .now)
        repeat {
            guard thread.takeWork(into: &work) else { break }
            for piece in work { perform(piece) }
            work.removeAll(keepingCapacity: true)
        } while turn.mayGoOn(at: .now)
        turn.end(work)
        thread.rest()
    }

    /// Adds payloads to the outboxes of these connections, from any thread: at once if called on this thread and no
    /// earlier work waits.
    nonisolated func send(_ payloads: [OutgoingPayload], to ids: [ConnectionID]) {
        if thread.isIsolatingCurrentContext() == true {
            let isDone = entered(with: (payloads, ids)) { $0.sendNow($1.0, to: $1.1) }
            if isDone { return }
        }
        thread.post(.send(payloads, to: ids, kind: .ofSubprotocol))
    }

    private func sendNow(_ payloads: [OutgoingPayload], to ids: [ConnectionID]) -> Bool {
        guard !turn.isUnderWay, !stop.hasEnded, thread.isIdle else { return false }
        for id in ids { enqueue(payloads, for: id, kind: .ofSubprotocol) }
        return true
    }

    private func perform(_ work: ServiceThread.Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: unownedExecutor)
        case .command(let command): perform(command)
        }
    }

    private func perform(_ command: LoopCommand) {
        switch command {
        case .send(let payloads, let ids, let kind):
            for id in ids { enqueue(payloads, for: id, kind: kind) }
        case .close(let id, let reason):
            if let channel = channels[id], channel.state == .open { beginClose(channel, reason) }
        case .admit(let id): admit(id)
        case .cut(let id): cutUnauthenticated(id)
        case .processed(let id, let bytes): processed(bytes, by: id)
        case .answer(let id, let bytes): answerLater(id, bytes)
        case .present(let certificate): library.present(certificate)
        case .connect(let attempt): connect(attempt)
        case .abandon(let attempt): abandon(attempt)
        case .shutdown(let reason, let spread, let timeout): beginStop(reason, spread: spread, timeout: timeout)
        }
    }

    private func admit(_ id: ConnectionID) {
        guard let channel = channels[id], channel.state == .open else { return }
        channels.admit(channel)
        if case .server(let server) = end { server.signedIn(id) }
    }

    /// Sends an open connection the reason, as far as the socket accepts it: its descriptor is needed at once.
    private func cutUnauthenticated(_ id: ConnectionID) {
        guard let channel = channels[id], let socket = channel.socket else { return }
        metrics.strangerCuts.increment()
        if channel.state == .open {
            let code = CloseReason.notAdmitted.code
            socket.send([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
            channel.ending = .here(.notAdmitted)
            channel.state = .closing
        }
        giveUp(channel)
    }

    private func processed(_ bytes: Int, by id: ConnectionID) {
        guard let channel = channels[id], channel.input.processed(bytes), let socket = channel.socket else { return }
        socket.setReading(true)
        channel.deadlines.setReadingPaused(false, at: timers.now)
        timers.set(for: channel)
    }

    // MARK: - Closing

    /// Begins to close a connection: sends the queued frames, then the close frame.
    /// - Parameter abandoningQueue: `true` to discard the queued frames, because the peer does not read or has broken
    ///   the rules.
    func beginClose(_ channel: Channel, _ reason: CloseReason, abandoningQueue: Bool = false) {
        guard channel.ending.isUnknown, let socket = channel.socket else { return }
        channel.ending = .here(reason)
        channel.state = .closing
        if abandoningQueue { channel.output.outbox.removeAll() }
        if channel.input.isPaused { socket.setReading(true) }
        channel.deadlines.beginClose(at: timers.now)
        timers.set(for: channel)
        writer.askToWrite(to: channel, socket)
    }

    /// Stops accepting, sends every connection the reason, and ends the loop when all have ended or at the timeout.
    private func beginStop(_ reason: CloseReason, spread: Duration, timeout: Duration) {
        let open = channels.all.filter { $0.state == .open }.map(\.id)
        guard stop.begin(closing: open, reason, spread: spread, timeout: timeout, at: .now) else { return }
        acceptor.close()
        for channel in channels.all where channel.state == .connecting {
            channel.client?.attempt.finish(.failure(.notRunning))
            giveUp(channel)
        }
        advanceStop()
    }

    /// Closes the connections that are due, and ends the loop when it is time.
    func advanceStop() {
        switch stop.advance(to: .now, connections: channels.count) {
        case .end: stopServing()
        case .close(let ids, let reason):
            for id in ids {
                if let channel = channels[id], channel.state == .open { beginClose(channel, reason) }
            }
        case nil: break
        }
    }
}
