import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PromisedConcurrency
import PromisedOutside

/// An outside service on loopback with TLS and the test's answers.
final class FakeServer: Sendable {
    struct Request: Sendable {
        let uri: String
        let headers: HTTPHeaders
    }

    enum Reply: Sendable {
        case whole(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = [])
        /// No byte.
        case silent
        /// A head and the first bytes of a body, without the rest.
        case begun
        /// A body that never ends.
        case endless
        /// An empty reply once ``release()`` is called.
        case held
    }

    private struct State {
        var requests: [Request] = []
        var held: [any Channel] = []
        var running = 0
        var peak = 0
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let listener: any Channel
    private let state = Guarded(State())
    /// An element for each request.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let answer: @Sendable (Request) -> Reply

    /// Starts the service on a free port.
    static func start(
        _ certificate: ServerCertificate,
        answer: @escaping @Sendable (Request) -> Reply
    ) async throws -> FakeServer {
        try await FakeServer(certificate, answer)
    }

    private init(_ certificate: ServerCertificate, _ answer: @escaping @Sendable (Request) -> Reply) async throws {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate.certificate)
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem))
        )
        let context = try NIOSSLContext(configuration: configuration)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(10_000))
        self.answer = answer
        let handler = Guarded<(@Sendable (Request, any Channel) -> Void)?>(nil)
        listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(RequestHandler { handler.withLock { $0 }?($0, $1) })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        handler.withLock { $0 = { [weak self] in self?.receive($0, on: $1) } }
    }

    /// The service's port.
    var port: Int { listener.localAddress?.port ?? 0 }
    /// The requests so far.
    var requests: [Request] { state.withLock { $0.requests } }
    /// The most simultaneously held requests.
    var peak: Int { state.withLock { $0.peak } }

    /// Answers the held requests.
    func release() {
        let channels = state.withLock { state in
            defer { (state.held, state.running) = ([], 0) }
            return state.held
        }
        for channel in channels { send(200, [], [], on: channel) }
    }

    /// Ends the service.
    func stop() async throws {
        try await listener.close()
        try await group.shutdownGracefully()
    }

    // MARK: - Replies

    private func receive(_ request: Request, on channel: any Channel) {
        state.withLock { $0.requests.append(request) }
        switch answer(request) {
        case .whole(let status, let headers, let body): send(status, headers, body, on: channel)
        case .silent: break
        case .begun: begin(channel)
        case .endless:
            begin(channel)
            FakeServer.feed(channel)
        case .held:
            state.withLock { state in
                state.held.append(channel)
                state.running += 1
                state.peak = max(state.peak, state.running)
            }
        }
        arrival.yield()
    }

    private func send(_ status: Int, _ headers: [(String, String)], _ body: [UInt8], on channel: any Channel) {
        var fields = HTTPHeaders(headers)
        if !fields.contains(name: "Content-Length") { fields.add(name: "Content-Length", value: "\(body.count)") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    private func begin(_ channel: any Channel) {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Transfer-Encoding": "chunked"])
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "{\"hourly\""))), promise: nil)
    }

    private static func feed(_ channel: any Channel) {
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 16_384)))
        // Ends when the client closes the connection. A write that the kernel accepts at once succeeds within this
        // call, so the loop makes the next one: made here, each would add a stack frame.
        channel.writeAndFlush(part).whenSuccess {
            channel.eventLoop.execute { feed(channel) }
        }
    }
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let receive: (FakeServer.Request, any Channel) -> Void
    private var request: FakeServer.Request?

    init(_ receive: @escaping (FakeServer.Request, any Channel) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = FakeServer.Request(uri: head.uri, headers: head.headers)
        case .body: break
        case .end:
            guard let request else { return }
            receive(request, context.channel)
            self.request = nil
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Some tests are about handshakes that the client ends.
        context.close(promise: nil)
    }
}

extension OutsideClient {
    /// A client whose clock always shows the instant of the recorded replies.
    convenience init(_ manners: OutsideManners) { self.init(manners, now: { Replies.now }) }
}
