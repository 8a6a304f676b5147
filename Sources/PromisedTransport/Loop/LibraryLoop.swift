import CWebSockets
import Glibc
import Logging

/// The library's context, the loop it runs on and the certificate it shows. Belongs to one service thread.
///
/// A class: the library calls back into it while its functions run.
final class LibraryLoop {
    private let end: LoopEnd
    private let timing: ConnectionTiming
    private let logger: Logger
    private var context: LibraryContext?
    /// The libev loop; nil for the library's poll loop.
    private var eventLoop: OpaquePointer?
    private var gathering: EventGathering
    private var certificate = ShownCertificate()
    private var isTLSReady = false

    init(_ end: LoopEnd, timing: ConnectionTiming, logger: Logger) {
        self.end = end
        self.timing = timing
        self.logger = logger
        gathering = end.gathering
    }

    // MARK: - Life

    /// Makes the context, on a libev loop or else on the library's poll loop; false when the library can't. From now on
    /// the library calls back.
    func open(_ callbacks: LibraryContext.Callbacks) -> Bool {
        let settings = LibraryContext.Settings(
            protocols: end.protocolNames,
            receiveBytes: end.isServer ? 256 : 4096,
            isServer: end.isServer,
            usesTLS: end.usesTLS,
            tick: timing.resolution,
            timeout: timing.handshake + .seconds(5),
            callbacks: callbacks
        )
        if !end.usesPoll, let library = EventLibrary.installed, let loop = library.makeLoop() {
            context = LibraryContext.make(settings, eventLoop: loop)
            eventLoop = loop
            if context != nil { return true }
            library.destroy(loop)
            eventLoop = nil
        }
        if !end.usesPoll {
            logger.warning("The libev loop is unavailable; using poll, which suits only few connections.")
        }
        if case .server(let server) = end { server.restrictForPoll() }
        context = LibraryContext.make(settings, eventLoop: nil)
        return context != nil
    }

    /// The library's context, for a thread to wake; nil before and after.
    var raw: OpaquePointer? { context?.raw }

    /// Serves until ``stop()``, or on the poll loop until `isDone`.
    func serve(until isDone: () -> Bool) {
        if let eventLoop, let library = EventLibrary.installed {
            library.run(eventLoop)
        } else if let raw {
            while !isDone(), lws_service(raw, 0) >= 0 {}
        }
    }

    /// Makes ``serve(until:)`` return. Only from within the loop.
    func stop() {
        if let eventLoop { EventLibrary.installed?.stop(eventLoop) }
    }

    /// Ends all connections, with their last callbacks, and frees everything: the certificate after the context that reads
    /// it.
    func close() {
        if let context = context.take() { context.destroy() }
        certificate = ShownCertificate()
        if let eventLoop { EventLibrary.installed?.destroy(eventLoop) }
        eventLoop = nil
    }

    // MARK: - Connections

    /// Takes over a listening socket, and reports when connections wait; nil if it can't.
    func watch(_ descriptor: Int32) -> LibrarySocket? {
        guard let vhost = context?.vhost else { return nil }
        return cws_watch_file(vhost, descriptor).map { LibrarySocket($0) }
    }

    /// Takes over the socket of a connection in `slot`; nil when it can't, and then the socket is closed.
    func adopt(_ descriptor: Int32, slot: Int) -> LibrarySocket? {
        guard let vhost = context?.vhost else {
            Glibc.close(descriptor)
            return nil
        }
        return cws_adopt_socket(vhost, descriptor, LibrarySocket.tag(of: slot)).map { LibrarySocket($0) }
    }

    /// Begins to connect; nil when it can't.
    func connect(_ attempt: ClientAttempt, slot: Int) -> LibrarySocket? {
        context?.connect(attempt, tag: LibrarySocket.tag(of: slot)).map { LibrarySocket($0) }
    }

    // MARK: - TLS

    /// The library has made OpenSSL's context for the server's connections: sets the server's certificate on it. If the
    /// result is not 0, ``open(_:)`` fails.
    func setUpTLS(_ tls: UnsafeMutableRawPointer?) -> Int32 {
        guard case .server(let server) = end, let shown = server.configuration.certificate, let tls else { return -1 }
        if certificate.setUp(tls, showing: shown) { return 0 }
        let complaint = cws_tls_complaint().map { String(cString: $0) } ?? "none"
        logger.error("Cannot set up TLS.", metadata: ["complaint": "\(complaint)"])
        return -1
    }

    /// Shows another certificate in new handshakes; existing connections keep the old one.
    func present(_ other: TLSCertificate) {
        guard !certificate.replace(by: other) else { return }
        logger.error("The new certificate cannot be used; the old one stays in use.")
    }

    /// Prepares TLS for connections as a client, once; false when it can't.
    func prepareTLS(authorities: String?) -> Bool {
        if !isTLSReady { isTLSReady = context?.prepareTLS(authorities: authorities) ?? false }
        return isTLSReady
    }

    // MARK: - Gathering of events

    /// The ticker fired, with this number of connections.
    func adjustGathering(connections: Int) { apply(gathering.tick(connections: connections)) }
    func longMessageComes() { apply(gathering.longMessageComes()) }

    /// Without libev each event is handled when it arrives.
    private func apply(_ span: Duration?) {
        guard let span, let eventLoop else { return }
        EventLibrary.installed?.gather(span, on: eventLoop)
    }
}
