import CWebSockets
import CoreMetrics
import Logging
internal import PromisedConcurrency

/// The connections of one service thread, at either end: an actor whose executor is that thread.
///
/// The entry point of the library's callbacks and of work posted by other threads. Its parts decide, each with its own
/// state; the extensions carry out the decisions: `+Life`, `+Commands`, `+Reading`, `+Writing`, `+Timers`, and for the
/// two ends `+Accept`, `+Handshake`, `+HTTP` and `+Client`.
actor ConnectionLoop {
    nonisolated let thread: ServiceThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    /// Signalled when the thread has ended and makes no further calls.
    nonisolated let ended = OneShotEvent()

    let library: LibraryLoop
    var channels: ChannelTable
    var timers: LoopTimers
    var acceptor = Acceptor<LibrarySocket>()
    var writer = PacketWriter()
    var stop = StopSequence()
    private var meter: LoopMeter
    private var turn = WorkTurn<ServiceThread.Work>()

    /// A loop for one end; it runs after `start`.
    init(
        index: Int,
        thread: ServiceThread = ServiceThread(),
        role: EndpointRole,
        limits: ConnectionLimits,
        timing: ConnectionTiming,
        logger: Logger,
        metrics factory: any MetricsFactory = MetricsSystem.factory
    ) {
        let now = ContinuousClock.now
        self.thread = thread
        library = LibraryLoop(role, timing: timing, logger: logger)
        channels = ChannelTable(thread: index, limits: limits, timing: timing)
        timers = LoopTimers(timing, startingAt: now)
        let metrics = TransportMetrics(end: role.label, thread: index, factory: factory)
        meter = LoopMeter(metrics, resolution: timing.resolution, at: now)
    }

    var role: EndpointRole { library.role }
    var logger: Logger { library.logger }
    var metrics: TransportMetrics { meter.metrics }

    /// `true` if a callback must enter the actor.
    nonisolated static func concerns(_ reason: lws_callback_reasons) -> Bool {
        switch reason {
        case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_RECEIVE,
            LWS_CALLBACK_CLIENT_WRITEABLE, LWS_CALLBACK_EVENT_WAIT_CANCELLED, LWS_CALLBACK_RAW_RX_FILE,
            LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION,
            LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_CLIENT_ESTABLISHED, LWS_CALLBACK_RECEIVE_PONG,
            LWS_CALLBACK_CLIENT_RECEIVE_PONG, LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, LWS_CALLBACK_CLOSED,
            LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_HTTP_BODY,
            LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER, LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH,
            LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS, LWS_CALLBACK_CLIENT_CONNECTION_ERROR,
            LWS_CALLBACK_CLIENT_HTTP_REDIRECT, LWS_CALLBACK_WSI_DESTROY:
            true
        default: false
        }
    }

    /// Handles one callback. If it returns anything but 0, the library closes the connection.
    func handle(_ event: LibraryEvent) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            doWork()
            return 0
        case LWS_CALLBACK_RAW_RX_FILE: return acceptConnections(event)
        case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: return library.setUpTLS(event.user)
        default: break
        }
        guard let slot = event.socket.slot, let channel = channels[slot: slot] else {
            // The library's own connections have no slot; any other connection without a slot must be closed.
            return event.reason == LWS_CALLBACK_WSI_DESTROY ? 0 : -1
        }
        channel.socket = event.socket
        return handle(event, of: channel)
    }

    private func handle(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: received(event, by: channel)
        case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: write(to: channel, event.socket)
        case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG: heard(channel)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: peerCloses(event, channel)
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED: noteLibraryCode(event, of: channel)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: confirmUpgrade(event, of: channel)
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: acceptor.hasConfirmed(channel.id) ? 0 : -1
        case LWS_CALLBACK_ESTABLISHED: openedAsServer(channel)
        case LWS_CALLBACK_HTTP: answer(event, of: channel)
        case LWS_CALLBACK_HTTP_WRITEABLE: writeResponse(of: channel, event.socket)
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: appendHeaders(event, of: channel)
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: noteSubprotocol(event, of: channel)
        case LWS_CALLBACK_CLIENT_ESTABLISHED: openedAsClient(channel)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: connectFailed(event, of: channel)
        case LWS_CALLBACK_WSI_DESTROY: gone(channel)
        // Request bodies, redirections and tunnels (`CONNECT`) are unsupported.
        default: -1
        }
    }

    // MARK: - Work and time

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

    /// Handles the ticker: advances the clock and the wheel, and enforces passed deadlines.
    func tick() {
        let instant = ContinuousClock.now
        let due = meter.tick(at: instant)
        for channel in timers.tick(at: instant, in: channels) { look(at: channel) }
        acceptor.resume()
        library.adjustCoalescing(connections: channels.count)
        if due.traffic { meter.report(writer.takeTraffic(), connections: channels.count) }
        if due.survey { meter.report(channels.survey()) }
        advanceStop()
    }

    func countReceived(bytes: Int) { meter.received(bytes: bytes) }

    /// Reports the last traffic, when no connection is left.
    func reportRest() { meter.report(writer.takeTraffic(), connections: 0) }
}
