import Logging
import PromisedClient
import PromisedConcurrency
import PromisedProtocol
import SwiftProtobuf
import Testing

/// The return to an actor after a wait, in release and without the compiler flag of HowFramesLeave.md.
@Suite(.timeLimit(.minutes(1))) struct ActorReturnTests {
    /// At each call the transport checks that it runs on the client's actor.
    @Test func `the client calls its transport on its own actor, over losses and renewals`() async throws {
        let transport = WatchfulTransport()
        var settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 443))
        settings.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(1))
        let client = PromisedClient(settings: settings, transport: transport, log: Logger(label: "app"))
        transport.watch(client)
        async let running: Void = client.run()
        var notices = client.notices.makeAsyncIterator()
        for round in 1...50 {
            while let notice = await notices.next(isolation: #isolation), notice != .connected {}
            _ = try await client.signIn(email: "ann@meet.example", password: "correct horse")
            for _ in 1...5 { _ = try await client.syncClock() }
            var feed = await client.follow("p\(round)").makeAsyncIterator()
            _ = try await feed.next(isolation: #isolation)
            await client.unfollow("p\(round)")
            transport.cut()
        }
        await client.close()
        await running
        #expect(transport.checks > 400)
    }

    /// The faulty optimizer broke this case: a function without an actor ends in another actor. Compiled like the
    /// client, it leaves its caller's actor, so the caller always returns.
    @Test func `a caller of a helper that ends in another actor is back on its own actor`() async throws {
        let caller = Caller()
        try await caller.callAll()
        #expect(await caller.returns == 4)
    }
}

private actor Other {
    private(set) var calls = 0

    func call() { calls += 1 }

    func fail() throws {
        calls += 1
        throw CancellationError()
    }
}

private struct Helper: Sendable {
    let other = Other()

    @inline(never)
    func ends() async { await other.call() }

    @inline(never)
    func endsByThrowing() async throws { try await other.fail() }

    @inline(never)
    func endsByCatching() async {
        do { try await other.fail() } catch { return }
    }
}

private actor Caller {
    private let helper = Helper()
    private(set) var returns = 0

    func callAll() async throws {
        await helper.ends()
        noteReturn()
        await helper.endsByCatching()
        noteReturn()
        do {
            try await helper.endsByThrowing()
        } catch {
            noteReturn()
        }
        await helper.ends()
        noteReturn()
    }

    /// Stops the process where it is called beside the actor.
    @inline(never)
    private func noteReturn() {
        preconditionIsolated()
        returns += 1
    }
}

/// Answers every request, and checks the calling actor.
private final class WatchfulTransport: ClientTransport {
    private struct State: Sendable {
        var client: PromisedClient?
        var link: WatchfulLink?
        var checks = 0
    }

    private let state = Guarded(State())

    var checks: Int { state.withLock { $0.checks } }

    func watch(_ client: PromisedClient) { state.withLock { $0.client = client } }

    func connect(_ request: LinkRequest) async throws -> WatchfulLink {
        let link = WatchfulLink(codec: request.codec) { [self] in check() }
        state.withLock { $0.link = link }
        return link
    }

    func cut() { state.withLock { $0.link }?.end(code: 1_006) }

    func shutDown() async {}

    private func check() {
        let client = state.withLock { state in
            state.checks += 1
            return state.client
        }
        client?.preconditionIsolated()
    }
}

private final class WatchfulLink: ClientLink {
    let incoming: AsyncStream<LinkEvent>
    private let toClient: AsyncStream<LinkEvent>.Continuation
    private let codec: WireCodec
    private let check: @Sendable () -> Void

    init(codec: WireCodec, check: @escaping @Sendable () -> Void) {
        self.codec = codec
        self.check = check
        (incoming, toClient) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func send(_ bytes: [UInt8]) {
        check()
        guard let frame = try? codec.decodeClientFrame(bytes), frame.wantsReply, let request = frame.request else {
            return
        }
        let content: WireContent =
            switch request {
            case .hello: .welcome(WireWelcome())
            case .signIn: .session(.with { $0.accessToken = "a" })
            case .syncClock: .clock(WireClock())
            case .subscribe(let request):
                .subscribed(
                    .with { reply in
                        reply.epoch = "e"
                        reply.snapshot.promiseID = request.promiseID
                    }
                )
            default: .done(WireDone())
            }
        guard let bytes = try? codec.encode(WireServerFrame(id: frame.id, content: content)) else { return }
        toClient.yield(.message(bytes))
    }

    func close(code: UInt16) {
        check()
        end(code: code)
    }

    func end(code: UInt16) {
        toClient.yield(.closed(code: code))
        toClient.finish()
    }
}
