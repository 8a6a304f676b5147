import CWebSockets
import Glibc
import Logging

/// The library's context, its loop and its certificate. Belongs to one service thread.
///
/// A class, because the library calls back into it while its functions run.
final class LibraryLoop {
    let role: EndpointRole
    let logger: Logger
    private let timing: ConnectionTiming
    private var context: LibraryContext?
    /// nil for the library's poll loop.
    private var eventLoop: OpaquePointer?
    private var coalescing: EventCoalescing
    private var certificate = ShownCertificate()
    private var isTLSReady = false

    init(_ role: EndpointRole, timing: ConnectionTiming, logger: Logger) {
        self.role = role
        self.timing = timing
        self.logger = logger
        coalescing = role.coalescing
    }

    // MARK: - Life

    /// Creates the context, on a libev loop or else on the library's poll loop; `false` if the library can't. From now
    /// on the library makes callbacks.
    func open(_ callbacks: LibraryContext.Callbacks) -> Bool {
        let settings = LibraryContext.Settings(
            protocols: role.protocolNames,
            receiveBytes: role.isServer ? 256 : 4096,
            isServer: role.isServer,
            usesTLS: role.usesTLS,
            tick: timing.resolution,
            timeout: timing.handshake + .seconds(5),
            callbacks: callbacks
        )
        if !role.usesPoll, let library = EventLibrary.installed, let loop = library.makeLoop() {
            context = LibraryContext.make(settings, eventLoop: loop)
            eventLoop = loop
            if context != nil { return true }
            library.destroy(loop)
            eventLoop = nil
        }
        if !role.usesPoll {
            logger.warning("The libev loop is unavailable; using poll, which suits only few connections.")
        }
        if case .server(let server) = role { server.restrictForPoll() }
        context = LibraryContext.make(settings, eventLoop: nil)
        return context != nil
    }

    /// The library's context, used to wake it; nil before and after its life.
    var raw: OpaquePointer? { context?.raw }

    /// Serves until ``stop()``, or on the poll loop until `isDone`.
    func serve(until isDone: () -> Bool) {
        if let eventLoop, let library = EventLibrary.installed {
            library.run(eventLoop)
        } else if let raw {
            while !isDone(), lws_service(raw, 0) >= 0 {}
        }
    }

    /// Makes ``serve(until:)`` return. Call this only from within the loop.
    func stop() {
        if let eventLoop { EventLibrary.installed?.stop(eventLoop) }
    }

    /// Ends all connections, with their last callbacks, and frees everything: the certificate after the context that
    /// uses it.
    func close() {
        if let context = context.take() { context.destroy() }
        certificate = ShownCertificate()
        if let eventLoop { EventLibrary.installed?.destroy(eventLoop) }
        eventLoop = nil
    }

    // MARK: - Connections

    /// Takes ownership of a listening socket, and reports when connections wait; nil if that fails.
    func watch(_ descriptor: Int32) -> LibrarySocket? {
        guard let vhost = context?.vhost else { return nil }
        return cws_watch_file(vhost, descriptor).map { LibrarySocket($0) }
    }

    /// Takes ownership of the socket of a connection in `slot`; nil, with the socket closed, if that fails.
    func adopt(_ descriptor: Int32, slot: Int) -> LibrarySocket? {
        guard let vhost = context?.vhost else {
            Glibc.close(descriptor)
            return nil
        }
        return cws_adopt_socket(vhost, descriptor, LibrarySocket.tag(of: slot)).map { LibrarySocket($0) }
    }

    /// Begins to connect; nil if that fails.
    func connect(_ attempt: ClientAttempt, slot: Int) -> LibrarySocket? {
        context?.connect(attempt, tag: LibrarySocket.tag(of: slot)).map { LibrarySocket($0) }
    }

    // MARK: - TLS

    /// Sets the server's certificate on OpenSSL's context, which the library has just created for the server's
    /// connections. A result other than 0 makes ``open(_:)`` fail.
    func setUpTLS(_ tls: UnsafeMutableRawPointer?) -> Int32 {
        guard case .server(let server) = role, let shown = server.configuration.certificate, let tls else { return -1 }
        if certificate.setUp(tls, showing: shown) { return 0 }
        let complaint = cws_tls_complaint().map { String(cString: $0) } ?? "none"
        logger.error("Cannot set up TLS.", metadata: ["complaint": "\(complaint)"])
        return -1
    }

    /// Uses another certificate for new handshakes; existing connections keep the old one.
    func present(_ other: TLSCertificate) {
        guard !certificate.replace(by: other) else { return }
        logger.error("The new certificate cannot be used; the old one stays in use.")
    }

    /// Prepares TLS for client connections, once; `false` if that fails.
    func prepareTLS(authorities: String?) -> Bool {
        if !isTLSReady { isTLSReady = context?.prepareTLS(authorities: authorities) ?? false }
        return isTLSReady
    }

    // MARK: - Gathering of events

    /// Handles a tick, with the current number of connections.
    func adjustCoalescing(connections: Int) { apply(coalescing.tick(connections: connections)) }
    func longMessageComes() { apply(coalescing.longMessageComes()) }

    /// Without libev, each event is handled when it arrives.
    private func apply(_ span: Duration?) {
        guard let span, let eventLoop else { return }
        EventLibrary.installed?.gather(span, on: eventLoop)
    }
}
