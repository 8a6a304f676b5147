import PromisedClient
import PromisedConcurrency
import PromisedProtocol

@testable import promisectl

/// A server with the test's answers that records its requests.
final class StubAdministration: Administration {
    typealias Request = WireAdminRequest.OneOf_Request
    typealias Reply = WireAdminReply.OneOf_Reply
    typealias Answer = @Sendable (Request) -> Result<Reply, Failure>

    let notices: AsyncStream<ClientNotice>
    let noticing: AsyncStream<ClientNotice>.Continuation
    private let clock: ClockReading
    private let answer: Answer
    private let asked = Guarded<[Request]>([])
    private let closed = Guarded(false)

    init(clock: ClockReading = ClockReading(serverMs: 0, ownMs: 0, tookMs: 1), _ answer: @escaping Answer) {
        self.clock = clock
        self.answer = answer
        (notices, noticing) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(100))
    }

    /// The requests so far, in order.
    var requests: [Request] { asked.withLock { $0 } }
    /// `true` after the connection was ended.
    var isClosed: Bool { closed.withLock { $0 } }

    func ask<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply {
        asked.withLock { $0.append(form.request) }
        var reply = WireAdminReply()
        reply.reply = try answer(form.request).get()
        guard let reply = form.reply(in: reply) else { throw .refused("the stub has no such reply") }
        return reply
    }

    func readClock() async throws(Failure) -> ClockReading { clock }

    func close() async { closed.withLock { $0 = true } }
}

/// Connects to a stub, or fails.
struct StubConnector: Connector {
    var administration: StubAdministration?
    var failure = Failure.unreachable("nobody is there")
    var isThere = true

    func connect(to target: Target) async throws(Failure) -> any Administration {
        guard let administration else { throw failure }
        return administration
    }

    func probe(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ReachabilityProbe.Finding {
        guard isThere else { throw .unreachable("nobody is there") }
        return ReachabilityProbe.Finding(handshake: .milliseconds(2), answer: .milliseconds(1))
    }
}
