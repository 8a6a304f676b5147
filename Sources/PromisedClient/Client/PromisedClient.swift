public import Logging
public import PromisedWire

/// A client of a promised server: calls with replies, events, and a connection that comes back by itself.
///
/// ```
///            run()                      link open                     signed in, if there is a session
///  offline ─────────▶ connecting ─────────────────▶ signing in ──────────────────────────────────────▶ online
///                         ▲ back-off                                                                     │
///                         └──────────────── lost, or closed 4000–4499 ───────────────────────────────────┘
///                                           closed 4500–4999, or close(): over
/// ```
/// Somebody must run ``run()`` for anything to happen. Calls made while offline wait for the connection, up to the
/// call's time. After each ``ClientNotice/connected`` subscriptions must be made again.
public actor PromisedClient {
    private enum Phase {
        case offline
        case signingIn
        case online
        case over
    }

    private struct Pending {
        let continuation: CheckedContinuation<Result<WireContent, ClientError>, Never>
        let deadline: ContinuousClock.Instant
    }

    /// How many notices may wait to be read. Who reads more slowly loses the connection for good, rather than an event.
    public static let noticeLimit = 8_192

    /// What the client tells, for one reader; ends when the client is over.
    public nonisolated let notices: AsyncStream<ClientNotice>

    private let settings: ClientSettings
    private let links: any LinkMaker
    private let log: Logger
    private let noticeContinuation: AsyncStream<ClientNotice>.Continuation
    private var generator: any RandomNumberGenerator & Sendable
    private var phase = Phase.offline
    private var link: (any ClientLink)?
    private var session: WireSession?
    private var lastID: UInt32 = 0
    private var pending: [UInt32: Pending] = [:]
    private var onlineWaiters: [UInt32: Pending] = [:]
    /// Whether the session's access token is known to be no good any more.
    private var mustRefresh = false
    private var isRunning = false
    /// How many waits there have been since the last success; none before the first connection.
    private var attempt = 0
    /// Ends what ``run()`` waits for before it has a link.
    private var interrupt: (@Sendable () -> Void)?

    /// A client that is not connected yet.
    public init(settings: ClientSettings, log: Logger) {
        self.init(
            settings: settings,
            links: WebSocketLinks(settings, log: log),
            generator: SystemRandomNumberGenerator(),
            log: log
        )
    }

    package init(
        settings: ClientSettings,
        links: any LinkMaker,
        generator: any RandomNumberGenerator & Sendable,
        log: Logger
    ) {
        self.settings = settings
        self.links = links
        self.generator = generator
        self.log = log
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.noticeLimit))
    }

    /// How often the client has been online so far; names the present connection.
    public private(set) var connectionCount = 0

    /// The session of the last sign-in or refresh, with its tokens.
    public var currentSession: WireSession? { session }

    // MARK: - Running

    /// Keeps the connection up until ``close()``, a close code that says not to come back, or cancellation.
    ///
    /// Called once; a further call returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await withTaskGroup { group in
            group.addTask { await self.expireCalls() }
            await withTaskCancellationHandler {
                while phase != .over, !Task.isCancelled { await connectOnce(links) }
            } onCancel: {
                // Ends by itself at once: it only tells the loop above that it is over.
                Task { await self.close() }
            }
            group.cancelAll()
        }
        phase = .over
        endAll(.closed)
        await links.shutDown()
        noticeContinuation.finish()
    }

    /// Ends the connection and the client; ``run()`` returns after that.
    public func close() {
        phase = .over
        link?.close(code: 1_000)
        interrupt?()
        endAll(.closed)
        if !isRunning { noticeContinuation.finish() }
    }

    private func connectOnce(_ links: some LinkMaker) async {
        if attempt > 0 { await wait(settings.backoff.wait(attempt: attempt - 1, using: &generator)) }
        guard phase != .over else { return }
        attempt += 1
        do {
            let link = try await open(links)
            guard phase != .over else { return link.close(code: 1_000) }
            await use(link)
        } catch {
            guard phase != .over else { return }
            tell(.attemptFailed("\(error)"))
        }
    }

    private func open<Links: LinkMaker>(_ links: Links) async throws -> Links.Link {
        // Ended by the link maker or by `close()`; awaited right here.
        let opening = Task { try await links.open() }
        interrupt = { opening.cancel() }
        defer { interrupt = nil }
        return try await opening.value
    }

    /// Serves one connection until it ends.
    private func use(_ link: some ClientLink) async {
        self.link = link
        phase = .signingIn
        await withTaskGroup { group in
            group.addTask { await self.resumeSession() }
            for await event in link.incoming {
                switch event {
                case .message(let bytes): receive(bytes)
                case .closed(let code): ended(code: code)
                }
            }
            group.cancelAll()
        }
        self.link = nil
        endPending(.disconnected)
    }

    private func ended(code: UInt16) {
        guard phase != .over else { return tell(.disconnected(code: code, willReconnect: false)) }
        // A token that expired may be refreshed once per connection that was good.
        let mayRefresh = code == CloseCode.tokenInvalid.rawValue && session != nil && phase == .online
        if mayRefresh { mustRefresh = true }
        let willReconnect = CloseCode.mayReconnect(after: code) || mayRefresh
        phase = willReconnect ? .offline : .over
        endPending(.disconnected)
        tell(.disconnected(code: code, willReconnect: willReconnect))
    }

    /// Signs in again, if there is a session, and lets the calls go.
    private func resumeSession() async {
        do throws(ClientError) {
            if let session { try await resume(session) }
            guard phase == .signingIn else { return }
            phase = .online
            connectionCount += 1
            // After a loss the client waits before it comes back, like everybody who lost the same server.
            attempt = 1
            tell(.connected)
            let waiting = onlineWaiters
            onlineWaiters = [:]
            for waiter in waiting.values { waiter.continuation.resume(returning: .success(.done(WireDone()))) }
        } catch .refused(let reply) where Retry(reply.retry) ?? .never == .never {
            log.error("The session could not be resumed", metadata: ["code": "\(reply.code)"])
            close()
        } catch {
            link?.close(code: 1_000)
        }
    }

    /// Says hello with the session's token, refreshed when it is no good any more.
    private func resume(_ session: WireSession) async throws(ClientError) {
        if !mustRefresh {
            do throws(ClientError) {
                return try await greet(token: session.accessToken)
            } catch  where error.code == .authTokenInvalid {
                mustRefresh = true
            }
        }
        let reply = try await exchange(.refresh(WireRefresh(token: session.refreshToken)))
        guard case .session(let renewed) = reply else { throw .unexpectedReply }
        try await greet(token: renewed.accessToken)
    }

    private func wait(_ duration: Duration) async {
        // Ended by `close()` or by the clock; awaited right here.
        let sleeper = Task {
            do {
                try await Task.sleep(for: duration, clock: .continuous)
            } catch {
                // Woken early: the client is over.
            }
        }
        interrupt = { sleeper.cancel() }
        defer { interrupt = nil }
        await sleeper.value
    }

    // MARK: - Calling

    /// Sends a request and waits for its reply.
    ///
    /// - Throws: ``ClientError``.
    public func call(_ request: WireRequest) async throws(ClientError) -> WireContent {
        // The connection may be lost again before this task goes on.
        repeat { try await waitUntilOnline() } while phase != .online
        return try await exchange(request)
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

    private func greet(token: String?) async throws(ClientError) {
        _ = try await exchange(.hello(hello(token: token)))
    }

    /// The `hello` that names this program and device.
    func hello(token: String?) -> WireHello {
        var hello = WireHello()
        hello.token = token ?? ""
        hello.client.name = settings.name
        hello.client.version = settings.version
        hello.client.platform = settings.platform
        if let deviceID = settings.deviceID { hello.deviceID = deviceID }
        if let bootID = settings.bootID { hello.bootID = bootID }
        return hello
    }

    private func exchange(_ request: WireRequest) async throws(ClientError) -> WireContent {
        guard let link else { throw phase == .over ? .closed : .disconnected }
        let reply = try await outcome { client, id, waiting in
            if client.send(request, id: id, on: link) {
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
        let deadline = ContinuousClock.now + settings.callTimeout
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

    private func receive(_ bytes: [UInt8]) {
        let frame: WireServerFrame
        do throws(WireError) {
            frame = try settings.codec.decodeServerFrame(bytes)
        } catch {
            log.error("The server sent a frame that does not decode", metadata: ["error": "\(error)"])
            link?.close(code: CloseCode.malformedFrame.rawValue)
            return
        }
        switch frame.content {
        case .event(let event): tell(.event(event))
        case .error(let error) where frame.id == 0: tell(.error(error))
        case let content: answer(frame.id, content)
        }
    }

    /// Ends the call with this id; without content when this version does not know the reply's kind.
    private func answer(_ id: UInt32, _ content: WireContent?) {
        guard let call = pending.removeValue(forKey: id) else { return }
        // Kept now: when the caller goes on, the connection may be lost and the next already be resuming.
        if case .session(let session) = content {
            self.session = session
            mustRefresh = false
        }
        call.continuation.resume(returning: content.map { .success($0) } ?? .failure(.unexpectedReply))
    }

    // MARK: - Ending calls

    private func finish(_ id: UInt32, _ result: Result<WireContent, ClientError>) {
        let waiting = pending.removeValue(forKey: id) ?? onlineWaiters.removeValue(forKey: id)
        waiting?.continuation.resume(returning: result)
    }

    private func endPending(_ error: ClientError) {
        let ended = pending
        pending = [:]
        for call in ended.values { call.continuation.resume(returning: .failure(error)) }
    }

    private func endAll(_ error: ClientError) {
        endPending(error)
        let ended = onlineWaiters
        onlineWaiters = [:]
        for waiter in ended.values { waiter.continuation.resume(returning: .failure(error)) }
    }

    /// Ends calls whose time is over, until the task is cancelled.
    private func expireCalls() async {
        do {
            while true {
                try await Task.sleep(until: nextExpiry(), tolerance: .milliseconds(10), clock: .continuous)
                let now = ContinuousClock.now
                let waiting = pending.merging(onlineWaiters) { call, _ in call }
                for (id, call) in waiting where call.deadline <= now { finish(id, .failure(.timedOut)) }
            }
        } catch {
            // Cancelled: the client is over.
        }
    }

    /// When to look again. All calls have the same time, so one made until then ends no earlier.
    private func nextExpiry() -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        let first = (pending.values.lazy.map(\.deadline) + onlineWaiters.values.lazy.map(\.deadline)).min()
        return max(first ?? now + settings.callTimeout, now + .milliseconds(10))
    }

    private func tell(_ notice: ClientNotice) {
        guard case .dropped = noticeContinuation.yield(notice) else { return }
        log.error("Notices are read too slowly, the client ends")
        close()
    }
}

extension WireRefresh {
    init(token: String) {
        self.init()
        refreshToken = token
    }
}
