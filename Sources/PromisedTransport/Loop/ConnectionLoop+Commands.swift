import CWebSockets
import CoreMetrics
internal import PromisedConcurrency

extension ConnectionLoop {
    /// How often work that came up while other work was done is done at once; then it is the sockets' turn.
    private static let rounds = 16
    /// How long the loop works before it turns to the sockets again. Without this limit, sixteen rounds of jobs of a few
    /// milliseconds delayed every other connection by 150 ms.
    private static let longestWork = Duration.milliseconds(2)

    /// Does what has gathered in the mailbox, and what follows from it.
    func doWork() {
        isWorking = true
        var work = workList
        workList = []
        let began = ContinuousClock.now
        for _ in 0..<Self.rounds {
            guard thread.takeWork(into: &work) else { break }
            for piece in work { perform(piece) }
            work.removeAll(keepingCapacity: true)
            if ContinuousClock.now - began > Self.longestWork { break }
        }
        workList = work
        isWorking = false
        thread.rest()
    }

    /// Puts payloads into the outboxes of these connections, from any thread: at once when it is this one and nothing
    /// waits that came before.
    nonisolated func send(_ parcels: [Parcel], to ids: [ConnectionID]) {
        if thread.isIsolatingCurrentContext() == true {
            let isDone = entered(with: (parcels, ids)) { $0.sendNow($1.0, to: $1.1) }
            if isDone { return }
        }
        thread.post(.send(parcels, to: ids, kind: .ofSubprotocol))
    }

    private func sendNow(_ parcels: [Parcel], to ids: [ConnectionID]) -> Bool {
        guard !isWorking, !isStopping, thread.isIdle else { return false }
        for id in ids { enqueue(parcels, for: id, kind: .ofSubprotocol) }
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
        case .send(let parcels, let ids, let kind):
            for id in ids { enqueue(parcels, for: id, kind: kind) }
        case .close(let id, let reason):
            if let channel = table[id], channel.state == .open { beginClose(channel, reason) }
        case .admit(let id): admit(id)
        case .cut(let id): cutStranger(id)
        case .processed(let id, let bytes): processed(bytes, by: id)
        case .present(let certificate): present(certificate)
        case .connect(let attempt): connect(attempt)
        case .abandon(let attempt): abandon(attempt)
        case .shutdown(let reason, let spread, let timeout): beginStop(reason, spread: spread, timeout: timeout)
        }
    }

    private func admit(_ id: ConnectionID) {
        guard let channel = table[id], channel.state == .open else { return }
        channel.deadlines.admitted()
        channel.messageLimit = limits.messageBytes
        if case .server(let server) = end { server.strangers.withLock { $0.leave(id) } }
    }

    /// An open one is told why, as far as the socket takes it; its descriptor is needed at once.
    private func cutStranger(_ id: ConnectionID) {
        guard let channel = table[id], let wsi = channel.wsi else { return }
        metrics.strangerCuts.increment()
        if channel.state == .open {
            let code = CloseReason.notAdmitted.code
            writeAtOnce([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)], to: wsi)
            channel.closing = .notAdmitted
            channel.state = .closing
        }
        giveUp(channel)
    }

    private func processed(_ bytes: Int, by id: ConnectionID) {
        guard let channel = table[id], channel.inbound.processed(bytes) == .resume, let wsi = channel.wsi else {
            return
        }
        lws_rx_flow_control(wsi, 1)
        channel.deadlines.setReadingPaused(false, at: clock.now)
        setTimer(of: channel)
    }

    // MARK: - Closing

    /// Begins to close a connection: what waits is sent first, then the close frame.
    /// - Parameter abandoningQueue: has what waits forgotten, because the peer does not read or has broken the rules.
    func beginClose(_ channel: Channel, _ reason: CloseReason, abandoningQueue: Bool = false) {
        guard channel.closing == nil, let wsi = channel.wsi else { return }
        channel.closing = reason
        channel.state = .closing
        if abandoningQueue { channel.outbox.removeAll() }
        if channel.inbound.isPaused { lws_rx_flow_control(wsi, 1) }
        channel.deadlines.beginClose(at: clock.now)
        setTimer(of: channel)
        askToWrite(to: channel, wsi)
    }

    /// Stops accepting, tells everyone, and ends the loop when all have gone or the time is up.
    private func beginStop(_ reason: CloseReason, spread: Duration, timeout: Duration) {
        guard stop == nil else { return }
        if let listener { cws_kill(listener) }
        listener = nil
        let open = table.elements.filter { $0.state == .open }.map(\.id)
        let now = ContinuousClock.now
        stop = Stop(
            reason: reason,
            waiting: open[...],
            began: now,
            spread: spread,
            total: open.count,
            deadline: now + spread + timeout
        )
        for channel in table.elements where channel.state == .connecting {
            channel.client?.attempt.finish(.failure(.notRunning))
            giveUp(channel)
        }
        advanceStop()
    }

    /// Tells those whose turn it is, and ends the loop when it is time.
    func advanceStop() {
        guard var stop else { return }
        let now = ContinuousClock.now
        if table.count == 0 || now >= stop.deadline { return stopServing() }
        let share = stop.spread > .zero ? min(1, (now - stop.began) / stop.spread) : 1
        let told = stop.total - stop.waiting.count
        let batch = stop.waiting.prefix(max(0, Int((Double(stop.total) * share).rounded(.up)) - told))
        stop.waiting = stop.waiting.dropFirst(batch.count)
        self.stop = stop
        for id in batch {
            if let channel = table[id], channel.state == .open { beginClose(channel, stop.reason) }
        }
    }
}
