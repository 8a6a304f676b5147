import Logging
import PromisedClient
import PromisedConcurrency
import PromisedTransport

/// Simulated phones on real connections: feeds their events to ``SwarmState`` and carries out its actions.
///
/// Connections have no tasks: the transport's thread calls handlers, and one task sends due reports.
final class Swarm: Sendable {
    /// The longest sleep of the driver, and so the largest delay of work scheduled meanwhile by others.
    private static let longestNap = Duration.milliseconds(2)

    private let state: Guarded<SwarmState>
    private let client: WebSocketClient
    private let address: ServerAddress
    private let codec: PeerCodec
    private let paths: [String]
    private let connectsAtOnce: Int
    private let wanted: AsyncStream<Int>
    private let wantedContinuation: AsyncStream<Int>.Continuation

    /// Phones that connect to the peer at `address`. `authority` is a PEM file of trusted authorities; nil for the
    /// system's.
    init(_ initial: SwarmState, address: ServerAddress, authority: String?, log: Logger) {
        self.address = address
        codec = initial.codec
        connectsAtOnce = initial.plan.connectsAtOnce
        paths =
            initial.plan.peer == .relay
            ? initial.clients.map { "/g/\($0.seat.promiseID)" } : initial.clients.map { _ in address.path }
        state = Guarded(initial)
        var configuration = ClientConfiguration()
        configuration.authoritiesFile = authority
        // Pings of ten thousand phones would add to the measured traffic. The server pings a silent phone and closes
        // one that does not answer, which counts as an error.
        configuration.timing.silence = nil
        configuration.timing.handshake = .seconds(30)
        client = WebSocketClient(configuration: configuration, logger: log)
        // Bounded by the number of seats: each is queued once until it has been tried.
        (wanted, wantedContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Connects all phones and runs until the task is cancelled.
    func run() async {
        for seat in paths.indices { wantedContinuation.yield(seat) }
        await withTaskGroup { group in
            group.addTask { await self.wanted.forEach(atOnce: self.connectsAtOnce) { await self.connect($0) } }
            group.addTask { await self.drive() }
        }
    }

    /// Reads or changes the state.
    func with<Value: Sendable>(_ body: (inout sending SwarmState) -> Value) -> Value { state.withLock { body(&$0) } }

    /// Closes all connections and waits for their end.
    func end() async {
        with { $0.leaveAll() }
        await client.shutdown()
    }

    // MARK: - What the transport tells

    fileprivate func opened(_ seat: Int, _ id: ConnectionID) { perform { $0.opened(seat, id, at: .now) } }
    fileprivate func received(_ seat: Int, _ bytes: [UInt8]) { perform { $0.received(seat, bytes, at: .now) } }
    fileprivate func closed(_ seat: Int, _ cause: CloseCause) { state.withLock { $0.closed(seat, cause, at: .now) } }

    // MARK: - Internals

    private func perform(_ body: (inout sending SwarmState) -> [LoadAction]) {
        for action in state.withLock({ body(&$0) }) {
            switch action {
            case .send(let id, let bytes): client.send(bytes, isText: codec.isText, on: id)
            case .close(let id): client.close(id, LoadAction.leaving)
            case .connect(let seat): wantedContinuation.yield(seat)
            }
        }
    }

    /// Sends due reports, cuts and reconnects.
    private func drive() async {
        while !Task.isCancelled {
            perform { $0.step(at: .now) }
            let nap = with { state in state.nextDue.map { $0 - .now } ?? Self.longestNap }
            do {
                try await Task.sleep(for: min(max(nap, .zero), Self.longestNap), tolerance: .zero)
            } catch {
                return
            }
        }
        wantedContinuation.finish()
    }

    private func connect(_ seat: Int) async {
        guard with({ $0.connecting(seat, at: .now) }) else { return }
        let request = ClientRequest(
            host: address.host,
            port: address.port,
            path: paths[seat],
            usesTLS: address.usesTLS,
            subprotocols: codec.subprotocols
        )
        do throws(TransportError) {
            try await client.connect(request, handler: SeatHandler(seat: seat, swarm: self))
        } catch {
            with { $0.failedToConnect(seat, at: .now) }
        }
    }
}

/// Forwards the events of one seat's connection.
private struct SeatHandler: ClientHandler {
    let seat: Int
    let swarm: Swarm

    func opened(_ id: ConnectionID, subprotocol: String?) { swarm.opened(seat, id) }
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) { swarm.received(seat, bytes) }
    func closed(_ id: ConnectionID, _ cause: CloseCause) { swarm.closed(seat, cause) }
}
