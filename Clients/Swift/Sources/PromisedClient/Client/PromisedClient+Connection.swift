internal import Logging
internal import PromisedProtocol

extension PromisedClient {
    /// Keeps the connection up until ``close()``, a close code that says not to come back, or cancellation.
    ///
    /// Called once; a further call returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await withTaskGroup { group in
            group.addTask { await self.expireCalls() }
            await withTaskCancellationHandler {
                while phase != .over, !Task.isCancelled { await connectOnce(transport) }
            } onCancel: {
                // Ends by itself at once: it only tells the loop above that it is over.
                Task { await self.close() }
            }
            group.cancelAll()
        }
        phase = .over
        endAll(.closed)
        await transport.shutDown()
        finishStreams()
    }

    private func connectOnce(_ transport: some ClientTransport) async {
        await waitBeforeAttempt()
        guard phase != .over else { return }
        attempt += 1
        do {
            let link = try await open(transport)
            guard phase != .over else { return link.close(code: 1_000) }
            await use(link)
        } catch {
            guard phase != .over else { return }
            tell(.attemptFailed("\(error)"))
        }
    }

    /// Waits as the back-off says, and at least as long as the server asked for.
    private func waitBeforeAttempt() async {
        let backoff = attempt > 0 ? settings.backoff.wait(attempt: attempt - 1, using: &generator) : .zero
        let now = time.uptime
        let end = max(now + backoff, notBefore)
        guard end > now, phase != .over else { return }
        await ending.wait(until: end, on: time)
    }

    private func open<Transport: ClientTransport>(_ transport: Transport) async throws -> Transport.Link {
        let request = LinkRequest(address: settings.address, codec: settings.codec, silence: settings.silence)
        // Ended by the transport or by `close()`; awaited right here.
        let opening = Task { try await transport.connect(request) }
        abandon = { opening.cancel() }
        defer { abandon = nil }
        return try await opening.value
    }

    /// Serves one connection until it ends.
    private func use(_ link: some ClientLink) async {
        self.link = link
        phase = .signingIn
        heardAt = time.uptime
        await withTaskGroup { group in
            group.addTask { await self.watchSilence(of: link) }
            group.addTask { await self.resumeSession() }
            group.addTask { await self.keepSessionFresh() }
            group.addTask { await self.keepFeedsSubscribed() }
            for await event in link.incoming {
                heardAt = time.uptime
                switch event {
                case .message(let bytes): receive(bytes)
                case .pong: break
                case .closed(let code): ended(code: code)
                }
            }
            group.cancelAll()
        }
        self.link = nil
        endPending(.disconnected)
    }

    private func ended(code: UInt16) {
        let wasOnline = phase == .online
        leaveConnection(wasOnline: wasOnline)
        guard phase != .over else { return tell(.disconnected(code: code, willReconnect: false)) }
        // A token that expired may be refreshed once per connection that was good.
        let mayRefresh = code == CloseCode.tokenInvalid.rawValue && currentSession != nil && wasOnline
        if mayRefresh { mustRefresh = true }
        let willReconnect = CloseCode.mayReconnect(after: code) || mayRefresh
        phase = willReconnect ? .offline : .over
        endPending(.disconnected)
        tell(.disconnected(code: code, willReconnect: willReconnect))
    }

    /// Forgets what was true of the connection, and takes note whether it was a good one.
    private func leaveConnection(wasOnline: Bool) {
        // After a loss the client waits before it comes back, like everybody who lost the same server; longer and
        // longer while connections end as soon as they are made.
        if wasOnline, time.uptime - onlineSince >= settings.steadyAfter { attempt = 1 }
        isSignedIn = false
        hasGreeted = false
        for id in feeds.keys { feeds[id]?.machine.connectionLost() }
        for desk in desks { desk.lost() }
    }

    /// The connection may carry everything now.
    func becomeOnline() {
        phase = .online
        connectionCount += 1
        onlineSince = time.uptime
        tell(.connected)
        let waiting = onlineWaiters
        onlineWaiters = [:]
        for waiter in waiting.values { waiter.continuation.resume(returning: .success(.done(WireDone()))) }
        becomeReady()
    }

    /// What needs a user begins as soon as the connection is online and signed in, whichever comes later.
    func becomeReady() {
        guard phase == .online, isSignedIn else { return }
        renewal.ring()
        wakeFeeds()
        for desk in desks { tellReady(desk) }
    }

    func receive(_ bytes: [UInt8]) {
        let frame: WireServerFrame
        do throws(WireError) {
            frame = try settings.codec.decodeServerFrame(bytes)
        } catch {
            log.error("The server sent a frame that does not decode", metadata: ["error": "\(error)"])
            link?.close(code: CloseCode.malformedFrame.rawValue)
            return
        }
        switch frame.content {
        case .event(let event): hear(event)
        case .error(let error) where frame.id == 0: tell(.error(error))
        case let content: answer(frame.id, content)
        }
    }
}
