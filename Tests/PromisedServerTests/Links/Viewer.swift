import Logging
import PromisedClient
import PromisedProtocol
import PromisedTestSupport
import PromisedWebSocketTransport

/// A viewer of a link, without an account.
final class Viewer: Sendable {
    let client: PromisedClient
    private let heard = Signals<ClientNotice>()

    init(_ world: ServerWorld) {
        var log = Logger(label: "server-tests")
        log.logLevel = .critical
        client = PromisedClient(
            settings: ClientSettings(address: world.address, codec: world.codec).strict,
            transport: WebSocketTransport(log: log),
            log: log
        )
    }

    func listen() async {
        for await notice in client.notices { heard.note(notice) }
    }

    /// The client's notices so far, in order.
    var notices: [ClientNotice] { heard.all }

    /// The events received so far, in order.
    var events: [WireEvent] { notices.compactMap(\.event) }

    /// The promise of the last event; nil before the first one.
    var latest: WireLinkView? {
        events.last { $0.what?.name == "linkViewChanged" }?.linkViewChanged.view
    }

    /// Waits until the client's notices satisfy a condition.
    func wait(until matches: @escaping @Sendable ([ClientNotice]) -> Bool) async { await heard.wait(until: matches) }

    /// Waits until an event satisfies a condition.
    func hear(_ matches: @escaping @Sendable (WireEvent) -> Bool) async {
        await wait { $0.contains { $0.event.map(matches) ?? false } }
    }

    /// Waits until the server has closed the connection, and returns the reason.
    func end() async -> (code: UInt16, reason: String)? {
        await wait { $0.contains { $0.end != nil } }
        guard let code = notices.compactMap(\.end).first else { return nil }
        let reason = events.last { $0.what?.name == "sessionRevoked" }?.sessionRevoked.reason
        return (code, reason ?? "")
    }

    /// The code of a request's refusal; nil if it is accepted.
    func refusal(_ request: WireRequest) async -> ErrorCode? {
        do {
            _ = try await client.call(request)
            return nil
        } catch {
            return error.code
        }
    }
}

extension ServerWorld {
    /// Runs `body` with connections without an account.
    func withViewers(_ count: Int = 1, body: @Sendable ([Viewer]) async throws -> Void) async throws {
        let viewers = (0..<count).map { _ in Viewer(self) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for viewer in viewers {
                group.addTask { await viewer.client.run() }
                group.addTask { await viewer.listen() }
            }
            try await body(viewers)
            for viewer in viewers { await viewer.client.close() }
            try await group.waitForAll()
        }
    }
}

extension ClientNotice {
    /// The event, if it is one.
    fileprivate var event: WireEvent? {
        if case .event(let event) = self { return event }
        return nil
    }

    /// The close code with which the server ended the connection permanently.
    fileprivate var end: UInt16? {
        if case .disconnected(let code, willReconnect: false) = self { return code }
        return nil
    }
}
