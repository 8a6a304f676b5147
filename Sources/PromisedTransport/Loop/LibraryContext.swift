import CWebSockets
import Glibc
import Logging
internal import PromisedConcurrency

/// A context of the WebSocket library with its one virtual host and its ticker. Belongs to one service thread.
struct LibraryContext: ~Copyable {
    struct Settings {
        /// The names of the sub-protocols; at least one.
        var protocols: [String]
        /// How many bytes of a message the library hands out at once; it keeps that much per connection.
        var receiveBytes: Int
        /// Whether it serves connections given to it, else it only connects.
        var isServer: Bool
        /// Whether it serves them over TLS; the callback about OpenSSL's context must give it a certificate.
        var usesTLS: Bool
        /// How often the ticker fires.
        var tick: Duration
        /// The longest the library itself waits for a handshake to go on; the loop's own deadline should be earlier.
        var timeout: Duration
        var callbacks: Callbacks
    }

    /// Where the library calls back.
    struct Callbacks {
        var event:
            @convention(c) (
                OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
            ) -> Int32
        var ticked: @convention(c) (UnsafeMutableRawPointer?) -> Void
        /// Passed back with each call.
        var user: UnsafeMutableRawPointer
    }

    let raw: OpaquePointer
    /// Its virtual host.
    let vhost: OpaquePointer
    /// The library's own pings and idle deadlines, all off. Clients must name it: else each connection has a timer of five
    /// minutes in the context's one sorted list, where connecting takes time in proportion to how many there are.
    var policy: UnsafePointer<lws_retry_bo_t> { UnsafePointer(memory.policy) }
    private let memory: Memory
    private let ticker: UnsafeMutablePointer<cws_ticker>

    /// How many contexts there are. Making and destroying one touches globals of the library and of OpenSSL, so threads
    /// take turns; the lock is held over a call-out because no callback of a context ever makes or destroys another.
    private static let living = Guarded(0)

    /// Makes a context on the calling thread, on which callbacks then run; nil if the library can't.
    /// - Parameter eventLoop: the libev loop it is to run on; nil for the library's poll loop.
    static func make(_ settings: Settings, eventLoop: OpaquePointer?) -> LibraryContext? {
        LibraryLog.redirect()
        let memory = Memory(settings)
        let made = living.withLock { living -> Handles? in
            let made = makeRaw(settings, memory: memory, eventLoop: eventLoop)
            if made != nil { living += 1 }
            return made.map(Handles.init)
        }
        guard let made, let raw = made.raw, let vhost = made.vhost else {
            memory.free()
            return nil
        }
        return LibraryContext(raw: raw, vhost: vhost, memory: memory, settings: settings)
    }

    private init(raw: OpaquePointer, vhost: OpaquePointer, memory: Memory, settings: Settings) {
        self.raw = raw
        self.vhost = vhost
        self.memory = memory
        ticker = .allocate(capacity: 1)
        ticker.initialize(to: cws_ticker())
        ticker.pointee.context = raw
        ticker.pointee.interval = settings.tick.wholeMilliseconds * 1000
        ticker.pointee.tick = settings.callbacks.ticked
        ticker.pointee.user = settings.callbacks.user
        cws_ticker_start(ticker)
    }

    /// Ends all connections, with their last callbacks, and frees everything. On the context's own thread.
    deinit {
        cws_ticker_stop(ticker)
        let handles = Handles((raw, vhost))
        Self.living.withLock { living in
            lws_context_destroy(handles.raw)
            living -= 1
        }
        ticker.deallocate()
        memory.free()
    }

    /// Prepares TLS for connections of this context as a client; false when it can't.
    /// - Parameter authorities: a file of trusted authorities in PEM; nil for the system's.
    func prepareTLS(authorities: String?) -> Bool {
        var info = lws_context_creation_info()
        info.options = cws_option_tls() | (authorities == nil ? 0 : cws_option_no_system_roots())
        guard let authorities else { return lws_init_vhost_client_ssl(&info, vhost) == 0 }
        return authorities.withCString { file in
            info.client_ssl_ca_filepath = file
            return lws_init_vhost_client_ssl(&info, vhost) == 0
        }
    }

    /// Destroys the context now.
    consuming func destroy() {}

    // MARK: - Making

    private static func makeRaw(
        _ settings: Settings,
        memory: Memory,
        eventLoop: OpaquePointer?
    ) -> (OpaquePointer, OpaquePointer)? {
        guard let context = makeContext(settings, memory: memory, eventLoop: eventLoop) else { return nil }
        var info = lws_context_creation_info()
        info.port = settings.isServer ? cws_port_adopt_only() : cws_port_client_only()
        info.protocols = UnsafePointer(memory.protocols)
        info.retry_and_idle_policy = UnsafePointer(memory.policy)
        info.options = cws_option_validate_utf8() | (settings.usesTLS ? cws_option_tls_server() : 0)
        let vhost = "http/1.1".withCString { alpn in
            info.alpn = alpn
            return lws_create_vhost(context, &info)
        }
        guard let vhost else {
            lws_context_destroy(context)
            return nil
        }
        return (context, vhost)
    }

    private static func makeContext(_ settings: Settings, memory: Memory, eventLoop: OpaquePointer?) -> OpaquePointer? {
        var info = lws_context_creation_info()
        info.user = settings.callbacks.user
        info.options = cws_option_explicit_vhosts() | cws_option_validate_utf8()
        if !settings.isServer { info.options |= cws_option_raw_origin() }
        if !settings.isServer || settings.usesTLS { info.options |= cws_option_tls() }
        info.retry_and_idle_policy = UnsafePointer(memory.policy)
        info.max_http_header_data = 8192
        info.timeout_secs = UInt32(clamping: max(1, settings.timeout.components.seconds))
        // fd_limit_per_thread stays 0: any other value makes the library search its connections one by one.
        guard let eventLoop else { return lws_create_context(&info) }
        info.options |= cws_option_libev()
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 1) { loops in
            loops.initialize(repeating: UnsafeMutableRawPointer(eventLoop))
            info.foreign_loops = loops.baseAddress
            return lws_create_context(&info)
        }
    }

    /// Pointers that pass through the lock of the thread that owns them.
    private struct Handles: @unchecked Sendable {
        // Safe to share: made and used by one thread, which merely takes its turn in between.
        let raw: OpaquePointer?
        let vhost: OpaquePointer?

        init(_ pair: (OpaquePointer, OpaquePointer)) { (raw, vhost) = pair }
    }

    /// Memory that the library points to for as long as the context lives.
    private struct Memory: @unchecked Sendable {
        // Safe to share: written before the context is made, freed after it is destroyed, only read in between.
        let protocols: UnsafeMutablePointer<lws_protocols>
        let policy: UnsafeMutablePointer<lws_retry_bo_t>
        private let names: [UnsafeMutablePointer<CChar>?]

        init(_ settings: Settings) {
            names = settings.protocols.map { strdup($0) }
            protocols = .allocate(capacity: names.count + 1)
            protocols.initialize(repeating: lws_protocols(), count: names.count + 1)
            for (index, name) in names.enumerated() {
                protocols[index].name = UnsafePointer(name)
                protocols[index].callback = settings.callbacks.event
                protocols[index].rx_buffer_size = settings.receiveBytes
                // Frames go out in one write: with a smaller limit the library copies the rest.
                protocols[index].tx_packet_size = 1 << 20
            }
            // All zero: the library's own pings and idle deadlines are off.
            policy = .allocate(capacity: 1)
            policy.initialize(to: lws_retry_bo_t())
        }

        func free() {
            protocols.deallocate()
            policy.deallocate()
            for name in names { Glibc.free(name) }
        }
    }
}

/// Sends the WebSocket library's messages to our log, at debug: peers can provoke most of them.
enum LibraryLog {
    private static let logger = Logger(label: "promised.transport.library")

    private static let isRedirected: Bool = {
        let errors: Int32 = 1
        let warnings: Int32 = 2
        lws_set_log_level(errors | warnings, libraryLogged)
        return true
    }()

    /// Takes the library's messages off standard error; idempotent.
    static func redirect() { _ = isRedirected }

    fileprivate static func log(_ line: String) {
        logger.debug("Message of the WebSocket library.", metadata: ["line": .string(line)])
    }
}

private func libraryLogged(_ level: Int32, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    var text = String(cString: line)
    while text.last?.isNewline == true { text.removeLast() }
    LibraryLog.log(text)
}
