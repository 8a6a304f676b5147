public import Logging
public import PromisedProtocol

/// A client of a promised server: calls with replies, events, and automatic reconnection.
///
/// ```
///            run()                      link open                     signed in, if there is a session
///  offline ─────────▶ connecting ─────────────────▶ signing in ──────────────────────────────────────▶ online
///                         ▲ back-off                                                                     │
///                         └──────────────── lost, or closed 4000–4499, or 4502 once ─────────────────────┘
///                                           otherwise closed 4500–4999, or close(): over
/// ```
/// Nothing happens unless you run ``run()``. Calls made while offline wait for the connection, up to the call's
/// timeout. The client renews subscriptions of ``follow(_:from:)`` after each loss; make a bare
/// ``subscribe(promiseID:)`` again after each ``ClientNotice/connected``.
///
/// The session of a sign-in is renewed before it ends, and the connection stays (see ``sessions``).
public actor PromisedClient {
    /// How many notices may wait to be read. If the reader is slower, the client closes the connection permanently
    /// rather than lose an event.
    public static let noticeLimit = 8_192

    let settings: ClientSettings
    let time: any ClientTime
    private let transport: any ClientTransport
    private let log: Logger
    private let streams = ClientStreams(limit: noticeLimit)
    private var reconnection: Reconnection
    private var uplink: Uplink
    private(set) var silence: SilenceWatch
    private var calls: CallTable
    private var session = SessionKeeper()
    private var feeds = FeedTable()
    private var reporters = ReporterTable()

    /// Creates a client that is not connected yet.
    ///
    /// - Parameter transport: makes the connections; the client shuts it down when it ends.
    public init(settings: ClientSettings, transport: any ClientTransport, log: Logger) {
        self.init(settings: settings, transport: transport, generator: SystemRandomNumberGenerator(), log: log)
    }

    init(
        settings: ClientSettings,
        transport: any ClientTransport,
        generator: any RandomNumberGenerator & Sendable,
        time: any ClientTime = SystemTime(),
        log: Logger
    ) {
        self.settings = settings
        self.transport = transport
        self.time = time
        self.log = log
        reconnection = Reconnection(settings, generator: generator)
        uplink = Uplink(codec: settings.codec, log: log)
        silence = SilenceWatch(silence: settings.silence)
        calls = CallTable(patience: settings.callTimeout)
    }

    /// The client's notices, for one reader; ends with the client. Events of followed promises arrive through their
    /// ``PromiseFeed`` only.
    public nonisolated var notices: AsyncStream<ClientNotice> { streams.notices }

    /// Each new session, for one reader, which stores it for ``restore(_:)``; only the latest waits to be read.
    ///
    /// A refresh token is valid once, so a replaced session is invalid. Ends with the client.
    public nonisolated var sessions: AsyncStream<WireSession> { streams.sessions }

    /// The notifications that the server announces, for one reader; the newest 200 wait to be read, and all are in
    /// ``listNotifications(cursor:limit:)``. They are among the ``notices`` as well. Ends with the client.
    public nonisolated var notifications: AsyncStream<WireNotification> { streams.notifications }

    /// The session of the last sign-in or refresh, with its tokens.
    public var currentSession: WireSession? { session.current }

    /// How often the client has been online; identifies the current connection.
    public var connectionCount: Int { reconnection.count }
    var isOnline: Bool { reconnection.phase == .online }
    var isOver: Bool { reconnection.phase == .over }

    /// `true` if the connection can carry requests that need a user.
    private var isReady: Bool { isOnline && session.isSignedIn }

    // MARK: - The end

    /// Ends the connection and the client; ``run()`` returns after that.
    public func close() {
        reconnection.close()
        uplink.end()
        calls.endAll(.closed)
        if !reconnection.isRunning { finishStreams() }
    }

    private func tell(_ notice: ClientNotice) {
        guard !streams.tell(notice) else { return }
        log.error("The app reads notices too slowly; the client stops")
        close()
    }

    /// Ends the streams of all readers.
    private func finishStreams() {
        streams.finish()
        feeds.endAll()
        reporters.end()
    }

    // MARK: - The connection

    /// Keeps the connection up until ``close()``, a close code that forbids reconnecting, or cancellation.
    ///
    /// Called once; a further call returns at once.
    public func run() async {
        guard reconnection.run() else { return }
        await withTaskGroup { group in
            group.addTask { await self.expireCalls() }
            await withTaskCancellationHandler {
                while !isOver, !Task.isCancelled { await connectOnce(transport) }
            } onCancel: {
                // Ends by itself at once: it only signals the loop above to stop.
                Task { await self.close() }
            }
            group.cancelAll()
        }
        reconnection.close()
        calls.endAll(.closed)
        await transport.shutDown()
        finishStreams()
    }

    private func connectOnce(_ transport: some ClientTransport) async {
        let now = time.uptime
        let start = reconnection.nextAttempt(at: now)
        if start > now { await uplink.ending.wait(until: start, on: time) }
        guard !isOver else { return }
        reconnection.attempts()
        do {
            let link = try await open(transport)
            guard !isOver else { return link.close(code: 1_000) }
            await use(link)
        } catch {
            guard !isOver else { return }
            tell(.attemptFailed("\(error)"))
        }
    }

    private func open<Transport: ClientTransport>(_ transport: Transport) async throws -> Transport.Link {
        let request = LinkRequest(address: settings.address, codec: settings.codec, silence: settings.silence)
        // Ended by the transport or by `close()`; awaited right here.
        let opening = Task { try await transport.connect(request) }
        uplink.attempt { opening.cancel() }
        defer { uplink.attempted() }
        return try await opening.value
    }

    /// Serves one connection until it ends.
    private func use(_ link: some ClientLink) async {
        uplink.opened(link)
        reconnection.connected()
        silence.begin(at: time.uptime)
        await withTaskGroup { group in
            group.addTask { await self.watchSilence(of: link) }
            group.addTask { await self.resumeSession() }
            group.addTask { await self.keepSessionFresh() }
            group.addTask { await self.keepFeedsSubscribed() }
            events: for await event in link.incoming {
                silence.heard(at: time.uptime)
                switch event {
                case .message(let bytes): receive(bytes)
                case .pong: break
                case .closed(let code, let reason):
                    lost(code: code, reason: reason)
                    // A link that is closed from both ends at once may report both.
                    break events
                }
            }
            group.cancelAll()
        }
        uplink.closed()
        calls.endSent(.disconnected)
    }

    /// Pings a server that has sent nothing for half of the settings' silence, and closes the connection if the other
    /// half passes without an answer; until the task is cancelled. Returns at once if the transport does both.
    private func watchSilence(of link: some ClientLink) async {
        guard !link.watchesSilence else { return }
        do {
            while true {
                switch silence.next(at: time.uptime) {
                case .wait(let end): try await time.sleep(until: end)
                case .ping: link.ping()
                case .giveUp: return link.close(code: CloseCode.silent.rawValue)
                }
            }
        } catch {
            // Cancelled: the connection has ended.
        }
    }

    private func lost(code: UInt16, reason: String) {
        let wasOver = isOver
        let loss = reconnection.lost(code: code, hasSession: session.current != nil, at: time.uptime)
        session.connectionLost()
        feeds.connectionLost()
        reporters.lost()
        if loss.mustRefresh { session.accessRefused() }
        if !wasOver {
            if code == CloseCode.malformedFrame.rawValue, !reason.isEmpty {
                calls.endSent(malformed: WireErrorReply(malformedFrame: reason))
            } else {
                calls.endSent(.disconnected)
            }
        }
        tell(.disconnected(code: code, willReconnect: loss.willReconnect))
    }

    private func becomeOnline() {
        reconnection.becameOnline(at: time.uptime)
        tell(.connected)
        calls.connected()
        becomeReady()
    }

    /// Starts the work that needs a user, once the connection is online and signed in, in either order.
    private func becomeReady() {
        guard isReady else { return }
        session.wakeSignal.signal()
        feeds.connectionReady()
        reporters.ready(connection: connectionCount, userID: session.userID)
    }

    private func receive(_ bytes: [UInt8]) {
        guard let frame = uplink.read(bytes) else { return reconnection.giveUp() }
        switch frame.content {
        case .event(let event): hear(event)
        case .error(let error) where frame.id == 0: tell(.error(error))
        case let content: answer(frame.id, content)
        }
    }

    // MARK: - Calls

    /// Waits until the client is connected and signed in.
    ///
    /// - Throws: `timedOut`, `closed`, `cancelled`.
    public func waitUntilOnline() async throws(ClientError) {
        switch reconnection.phase {
        case .online: return
        case .over: throw .closed
        case .offline, .signingIn:
            _ = try await outcome { client, id, end in
                client.calls.awaitConnection(id, at: client.time.uptime, end: end)
            }
        }
    }

    /// Sends a request over the current link and waits for its reply.
    func exchange(
        _ request: WireRequest,
        for subscription: Subscription? = nil
    ) async throws(ClientError) -> WireContent {
        guard uplink.isOpen else { throw isOver ? .closed : .disconnected }
        let reply = try await outcome { client, id, end in
            if client.send(request, id: id) {
                client.calls.awaitReply(id, at: client.time.uptime, for: subscription, end: end)
            } else {
                end(.failure(.unencodable))
            }
        }
        if case .error(let error) = reply { throw .refused(error) }
        return reply
    }

    /// Waits for the call that `register` starts; ends with the timeout of the call, the client or the calling task.
    ///
    /// `register` takes the client as an isolated parameter, which fixes its isolation for the compiler: a closure
    /// below that does not name `self` runs outside the actor.
    private func outcome(
        _ register: (isolated PromisedClient, UInt32, @escaping @Sendable (CallTable.Outcome) -> Void) -> Void
    ) async throws(ClientError) -> WireContent {
        let id = calls.nextID()
        let result: CallTable.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    return continuation.resume(returning: CallTable.Outcome.failure(.cancelled))
                }
                register(self, id) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            // Ends by itself at once: it only finds the pending call.
            Task { await self.cancel(id) }
        }
        return try result.get()
    }

    private func cancel(_ id: UInt32) { calls.end(id, .cancelled) }

    /// - Returns: `false` if there is no link, or the request cannot be written.
    func send(_ request: WireRequest, id: UInt32) -> Bool { uplink.send(request, id: id) }

    /// Ends the call with this id; without content if this version does not know the reply's kind.
    private func answer(_ id: UInt32, _ content: WireContent?) {
        guard let call = calls.takeAnswered(id) else { return }
        // Stored now: when the caller resumes, the connection may be lost and the next one may already be resuming.
        switch content {
        case .session(let session): keep(session)
        case .welcome(let welcome): take(welcome)
        case .subscribed(let reply): if let subscription = call.subscription { take(reply, for: subscription) }
        default: break
        }
        call.end(content.map { .success($0) } ?? .failure(.unexpectedReply))
    }

    /// Ends calls whose timeout has passed, until the task is cancelled.
    private func expireCalls() async {
        do {
            while true {
                try await time.sleep(until: calls.nextExpiry(at: time.uptime))
                calls.expire(at: time.uptime)
            }
        } catch {
            // Cancelled: the client has ended.
        }
    }

    // MARK: - The session

    /// Continues a session stored from ``sessions``: the next connection resumes it. Call it before ``run()``.
    public func restore(_ session: WireSession) { self.session.restore(session, at: time) }

    /// Stores a session from any reply: it signs in the current connection, and the next ones.
    private func keep(_ session: WireSession) {
        self.session.keep(session, at: time)
        streams.tell(session)
        becomeReady()
    }

    /// Applies the reply to a `hello`.
    private func take(_ welcome: WireWelcome) {
        session.take(welcome)
        reporters.take(welcome)
        becomeReady()
    }

    func forgetSession() { session.forget() }

    /// Sends program and device on a connection that signed in without them.
    func introduce(on connection: Int) async throws(ClientError) {
        guard !session.hasGreeted else { return }
        let hello = WireHello(settings, token: nil)
        guard case .welcome = try await ask(on: connection, { .hello(hello) }) else { throw .unexpectedReply }
    }

    /// Signs in again, if there is a session, and resumes the waiting calls.
    private func resumeSession() async {
        do throws(ClientError) {
            if let session = session.current { try await resume(session) }
            guard reconnection.phase == .signingIn else { return }
            becomeOnline()
        } catch .refused(let reply) where Retry(reply.retry) ?? .never == .never {
            // If the connection has ended since, its close code decides.
            guard reconnection.phase == .signingIn else { return }
            log.error("The session could not be resumed", metadata: ["code": "\(reply.code)"])
            close()
        } catch {
            if case .refused(let reply) = error {
                reconnection.postpone(by: .milliseconds(Int64(reply.retryAfterMs)), at: time.uptime)
            }
            uplink.close(code: 1_000)
        }
    }

    /// Says hello with the session's token, refreshed if it is no longer valid.
    private func resume(_ session: WireSession) async throws(ClientError) {
        if !self.session.mustRefresh {
            do throws(ClientError) {
                return try await greet(token: session.accessToken)
            } catch  where error.code == .authTokenInvalid {
                self.session.accessRefused()
            }
        }
        try await refreshAndGreet(session)
    }

    private func greet(token: String) async throws(ClientError) {
        _ = try await exchange(.hello(WireHello(settings, token: token)))
    }

    private func refreshAndGreet(_ session: WireSession) async throws(ClientError) {
        let reply = try await exchange(.refresh(WireRefresh(token: session.refreshToken)))
        guard case .session(let renewed) = reply else { throw .unexpectedReply }
        try await greet(token: renewed.accessToken)
    }

    /// Renews the session on the live connection, each time before it expires; until the task is cancelled.
    private func keepSessionFresh() async {
        while !Task.isCancelled {
            let due = isReady ? session.renewsAt : nil
            if let due, due <= time.uptime {
                await renewSession()
            } else {
                await session.wakeSignal.wait(until: due, on: time)
            }
        }
    }

    private func renewSession() async {
        guard let current = session.current else { return }
        session.renewalBegins()
        do throws(ClientError) {
            try await refreshAndGreet(current)
        } catch .refused(let reply) where Retry(reply.retry) == .later {
            session.renewalPostponed(by: .milliseconds(Int64(reply.retryAfterMs)), at: time.uptime)
        } catch .refused(let reply) {
            guard isOnline else { return }
            log.error("The session could not be renewed", metadata: ["code": "\(reply.code)"])
            close()
        } catch {
            uplink.close(code: 1_000)
        }
    }

    // MARK: - Feeds

    /// Follows a promise from now on, over all connections: its feed begins with a snapshot, or continues from `mark`.
    ///
    /// While offline, or not signed in, the feed waits. A promise has one feed: following it again ends the previous
    /// one.
    ///
    /// - Parameter mark: the last one that the app processed, from ``FeedNotice/mark``; nil: begin with a snapshot.
    public func follow(_ promiseID: String, from mark: FeedMark? = nil) -> PromiseFeed {
        let feed = feeds.follow(promiseID, from: mark) { [weak self] number in
            guard let self else { return }
            // Ends by itself at once: it only removes a feed without a reader.
            Task { await self.unfollow(promiseID, number: number) }
        }
        if isOver { _ = feeds.unfollow(promiseID) }
        return feed
    }

    /// Stops following a promise, and discards its mark; the feed ends.
    public func unfollow(_ promiseID: String) { unfollow(promiseID, number: nil) }

    private func unfollow(_ promiseID: String, number: Int?) {
        if feeds.unfollow(promiseID, number: number), session.isSignedIn { endSubscription(promiseID) }
    }

    /// Delivers an event to the feed of its promise, or else to the notices; and to the reporters.
    private func hear(_ event: WireEvent) {
        let now = time.uptime
        reporters.heard(event, at: now)
        if case .notification(let arisen) = event.what { streams.tell(arisen.notification) }
        switch feeds.heard(event, at: now) {
        case .notFollowed: tell(.event(event))
        case .delivered: break
        case .overflowed: endSubscription(event.promiseID)
        }
    }

    /// Subscribes on the current connection to all followed promises, repeatedly if needed; until the task is
    /// cancelled.
    private func keepFeedsSubscribed() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                if isReady {
                    for subscription in feeds.dueSubscriptions(at: time.uptime, on: connectionCount) {
                        group.addTask { await self.make(subscription) }
                    }
                }
                await feeds.wakeSignal.wait(until: isReady ? feeds.nextSubscription : nil, on: time)
            }
        }
    }

    private func make(_ subscription: Subscription) async {
        do throws(ClientError) {
            let request = subscription.request
            let reply = try await ask(on: subscription.connection, for: subscription) { .subscribe(request) }
            guard case .subscribed = reply else { throw .unexpectedReply }
        } catch {
            // A late outcome does not concern a restarted feed, or a later connection.
            guard feeds.isCurrent(subscription), subscription.connection == connectionCount, isOnline else { return }
            feeds.failed(subscription, error, at: time.uptime)
        }
        feeds.wakeSignal.signal()
    }

    /// Applies the reply before any later frame, so that notices keep their order.
    private func take(_ reply: WireSubscribed, for subscription: Subscription) {
        guard feeds.isCurrent(subscription) else { return }
        subscribed(subscription.promiseID, nextReportMs: reply.nextReportMs)
        let delivery = feeds.answered(reply, for: subscription, at: time.uptime)
        if delivery == .overflowed { endSubscription(subscription.promiseID) }
    }

    // MARK: - Reporters

    /// Passes the server's instructions to a reporter from now on.
    func attach(_ instructions: ReportingInstructions) {
        guard !isOver else { return instructions.end() }
        reporters.attach(instructions, connection: isReady ? connectionCount : nil, userID: session.userID)
    }

    /// Stops passing the server's instructions to a reporter.
    func detach(_ instructions: ReportingInstructions) { reporters.detach(instructions) }

    /// Passes the server's reply to a subscription to the reporters.
    func subscribed(_ promiseID: String, nextReportMs: UInt32) {
        reporters.subscribed(promiseID, nextReportMs: nextReportMs, at: time.uptime)
    }

    /// Notifies the reporters that the user shows or hides their position.
    func sharing(_ promiseID: String, on: Bool) { reporters.sharing(promiseID, on: on, at: time.uptime) }
}
