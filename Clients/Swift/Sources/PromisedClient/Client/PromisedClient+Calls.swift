internal import Logging
public import PromisedProtocol

extension PromisedClient {
    /// Sends a request and waits for its reply.
    ///
    /// - Throws: ``ClientError``.
    public func call(_ request: WireRequest) async throws(ClientError) -> WireContent {
        // The connection may be lost again before this task goes on.
        repeat { try await waitUntilOnline() } while phase != .online
        return try await exchange(request)
    }

    /// Sends a request on one connection and waits for its reply.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection it may go out on.
    ///   - make: makes the request at the last moment before it is sent, so that a clock in it is right.
    /// - Throws: `disconnected` without sending when that connection is gone; else like ``call(_:)``.
    public func call(
        on connection: Int,
        _ make: @Sendable () -> WireRequest
    ) async throws(ClientError) -> WireContent {
        try await ask(on: connection, make)
    }

    /// Sends a request that wants no reply, if the client is connected.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection it may go out on; nil for any.
    ///   - make: makes the request at the last moment before it is sent, so that a clock in it is right.
    /// - Returns: whether it was sent.
    @discardableResult
    public func post(on connection: Int? = nil, _ make: @Sendable () -> WireRequest) -> Bool {
        guard phase == .online, let link, connection ?? connectionCount == connectionCount else { return false }
        return send(make(), id: 0, on: link)
    }

    /// Like ``call(on:_:)``; what answers a subscription is dealt with before anything that comes after it.
    func ask(
        on connection: Int,
        for subscription: Subscription? = nil,
        _ make: @Sendable () -> WireRequest
    ) async throws(ClientError) -> WireContent {
        guard phase == .online, connection == connectionCount else {
            throw phase == .over ? .closed : .disconnected
        }
        return try await exchange(make(), for: subscription)
    }

    /// Waits until the client is connected and signed in.
    ///
    /// - Throws: `timedOut`, `closed`, `cancelled`.
    public func waitUntilOnline() async throws(ClientError) {
        switch phase {
        case .online: return
        case .over: throw .closed
        case .offline, .signingIn: _ = try await outcome { client, id, waiting in client.onlineWaiters[id] = waiting }
        }
    }

    // MARK: - One exchange

    func exchange(
        _ request: WireRequest,
        for subscription: Subscription? = nil
    ) async throws(ClientError) -> WireContent {
        guard let link else { throw phase == .over ? .closed : .disconnected }
        let reply = try await outcome { client, id, waiting in
            if client.send(request, id: id, on: link) {
                var waiting = waiting
                waiting.subscription = subscription
                client.pending[id] = waiting
            } else {
                waiting.continuation.resume(returning: .failure(.unencodable))
            }
        }
        if case .error(let error) = reply { throw .refused(error) }
        return reply
    }

    /// Waits for what `register` starts; ends with the time of a call, the client or the calling task.
    ///
    /// `register` takes the client as an isolated parameter, so that the compiler sees where it is called: a closure
    /// below that does not name `self` runs outside the actor.
    private func outcome(
        _ register: (isolated PromisedClient, UInt32, Pending) -> Void
    ) async throws(ClientError) -> WireContent {
        lastID = lastID == .max ? 1 : lastID + 1
        let id = lastID
        let deadline = time.uptime + settings.callTimeout
        let result: Result<WireContent, ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    return continuation.resume(returning: Result.failure(ClientError.cancelled))
                }
                register(self, id, Pending(continuation: continuation, deadline: deadline))
            }
        } onCancel: {
            // Ends by itself at once: it only finds the call that was waiting.
            Task { await self.finish(id, .failure(.cancelled)) }
        }
        return try result.get()
    }

    private func send(_ request: WireRequest, id: UInt32, on link: some ClientLink) -> Bool {
        do throws(WireError) {
            link.send(try settings.codec.encode(WireClientFrame(id: id, request: request)))
            return true
        } catch {
            log.error("A request cannot be written", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Ends the call with this id; without content when this version does not know the reply's kind.
    func answer(_ id: UInt32, _ content: WireContent?) {
        guard let call = pending.removeValue(forKey: id) else { return }
        // Kept now: when the caller goes on, the connection may be lost and the next already be resuming.
        switch content {
        case .session(let session): keep(session)
        case .welcome(let welcome): take(welcome)
        case .subscribed(let reply): if let subscription = call.subscription { take(reply, for: subscription) }
        default: break
        }
        call.continuation.resume(returning: content.map { .success($0) } ?? .failure(.unexpectedReply))
    }

    // MARK: - Ending calls

    private func finish(_ id: UInt32, _ result: Result<WireContent, ClientError>) {
        let waiting = pending.removeValue(forKey: id) ?? onlineWaiters.removeValue(forKey: id)
        waiting?.continuation.resume(returning: result)
    }

    func endPending(_ error: ClientError) {
        let ended = pending
        pending = [:]
        for call in ended.values { call.continuation.resume(returning: .failure(error)) }
    }

    func endAll(_ error: ClientError) {
        endPending(error)
        let ended = onlineWaiters
        onlineWaiters = [:]
        for waiter in ended.values { waiter.continuation.resume(returning: .failure(error)) }
    }

    /// Ends calls whose time is over, until the task is cancelled.
    func expireCalls() async {
        do {
            while true {
                try await time.sleep(until: nextExpiry())
                let now = time.uptime
                let waiting = pending.merging(onlineWaiters) { call, _ in call }
                for (id, call) in waiting where call.deadline <= now { finish(id, .failure(.timedOut)) }
            }
        } catch {
            // Cancelled: the client is over.
        }
    }

    /// When to look again. All calls have the same time, so one made until then ends no earlier.
    private func nextExpiry() -> Duration {
        let now = time.uptime
        let first = (pending.values.lazy.map(\.deadline) + onlineWaiters.values.lazy.map(\.deadline)).min()
        return max(first ?? now + settings.callTimeout, now + .milliseconds(10))
    }
}
