import CWebSockets
import Glibc
import Logging
internal import PromisedConcurrency

/// A context of the WebSocket library, with one virtual host and a ticker. Belongs to one service thread.
struct LibraryContext: ~Copyable {
    struct Settings {
        /// The names of the sub-protocols; at least one.
        var protocols: [String]
        /// The size of the pieces in which the library passes on a message; it allocates that much per connection.
        var receiveBytes: Int
        /// `true` to serve connections given to it; `false` to only connect.
        var isServer: Bool
        /// `true` to serve over TLS; the callback for OpenSSL's context must then set a certificate.
        var usesTLS: Bool
        /// The interval of the ticker.
        var tick: Duration
        /// The library's own limit for a handshake to make progress; the loop's deadline should be earlier.
        var timeout: Duration
        var callbacks: Callbacks
    }

    /// The functions that the library calls.
    struct Callbacks {
        var event:
            @convention(c) (
                OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
            ) -> Int32
        var ticked: @convention(c) (UnsafeMutableRawPointer?) -> Void
        /// Passed back in each call.
        var user: UnsafeMutableRawPointer
    }

    let raw: OpaquePointer
    let vhost: OpaquePointer
    /// The library's own pings and idle deadlines, all off. Clients must pass it: otherwise each connection has a timer
    /// of five minutes in the context's single sorted list, where connecting takes time proportional to their number.
    var policy: UnsafePointer<lws_retry_bo_t> { UnsafePointer(memory.policy) }
    private let memory: Memory
    private let ticker: UnsafeMutablePointer<cws_ticker>

    /// How many contexts exist. Creating and destroying one changes globals of the library and of OpenSSL, so threads
    /// take turns; the lock is held over a call-out because no callback of a context creates or destroys another.
    private static let living = Guarded(0)

    /// Creates a context on the calling thread, on which its callbacks run; nil if the library can't.
    /// - Parameter eventLoop: the libev loop to run on; nil for the library's poll loop.
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

    /// Ends all connections, with their last callbacks, and frees everything. Runs on the context's own thread.
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

    /// Prepares TLS for client connections of this context; `false` if that fails.
    /// - Parameter authorities: a PEM file of trusted authorities; nil for the system's.
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

    /// Pointers passed through the lock of the thread that owns them.
    private struct Handles: @unchecked Sendable {
        // Safe to share: created and used by one thread.
        let raw: OpaquePointer?
        let vhost: OpaquePointer?

        init(_ pair: (OpaquePointer, OpaquePointer)) { (raw, vhost) = pair }
    }

    /// Memory that the library uses as long as the context exists.
    private struct Memory: @unchecked Sendable {
        // Safe to share: written before the context is created, freed after it is destroyed, only read in between.
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
                // Frames are sent in one write: with a smaller limit the library copies the rest.
                protocols[index].tx_packet_size = 1 << 20
            }
            // All zero: turns off the library's own pings and idle deadlines.
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

/// Sends the WebSocket library's messages to our log, at debug, because peers can provoke most of them.
enum LibraryLog {
    private static let logger = Logger(label: "promised.transport.library")

    private static let isRedirected: Bool = {
        let errors: Int32 = 1
        let warnings: Int32 = 2
        lws_set_log_level(errors | warnings, libraryLogged)
        return true
    }()

    /// Stops the library from writing to standard error; idempotent.
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
