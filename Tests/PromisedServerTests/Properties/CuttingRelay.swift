import Foundation
import Glibc
import PromisedConcurrency
import PromisedSimulation
import PromisedTestSupport

/// A relay between clients and a server that interrupts connections in the middle of a frame or handshake: each after
/// a number of bytes by a seed, orderly or by a reset.
///
/// Runs on a separate thread until ``stop()``.
final class CuttingRelay: Sendable {
    /// The system provided no socket.
    struct Failure: Error {}

    private struct State: Sendable {
        var generator: SeededGenerator
        var isCutting: Bool
        /// The server's port; nil while it is down.
        var target: UInt16?
        var isOver = false
        var cuts = 0
    }

    /// Its port on 127.0.0.1.
    let port: UInt16
    private let listener: Int32
    private let bell: LoopbackSocket.Pair
    private let state: Guarded<State>

    /// - Parameter cuts: `true` if it interrupts connections before ``heal()``.
    init(seed: UInt64, cuts: Bool = true) throws {
        guard let listener = LoopbackSocket.listening(), let bell = LoopbackSocket.pair() else { throw Failure() }
        self.listener = listener.descriptor
        port = listener.port
        self.bell = bell
        state = Guarded(State(generator: SeededGenerator(seed: seed), isCutting: cuts))
        Thread.detachNewThread { self.run() }
    }

    /// How many connections were cut.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Forwards new connections to a server.
    func lead(to target: UInt16) { state.withLock { $0.target = target } }

    /// Interrupts no connections opened later.
    func heal() { state.withLock { $0.isCutting = false } }

    /// Ends all connections and the thread.
    func stop() {
        state.withLock { $0.isOver = true }
        LoopbackSocket.send([1], to: bell.near)
    }

    // MARK: - The thread

    private func run() {
        var lanes: [RelayLane] = []
        while !state.withLock({ $0.isOver }) {
            let sockets = [listener, bell.far] + lanes.flatMap { [$0.client, $0.server] }
            let ready = LoopbackSocket.readable(sockets)
            for index in lanes.indices { lanes[index].forward(whatIs: ready) }
            let ended = lanes.filter(\.isOver)
            for lane in ended { lane.end() }
            state.withLock { $0.cuts += ended.count { $0.isCut } }
            lanes.removeAll { $0.isOver }
            if ready.contains(listener), let lane = accept() { lanes.append(lane) }
        }
        for lane in lanes { lane.end() }
        for socket in [listener, bell.near, bell.far] { close(socket) }
    }

    private func accept() -> RelayLane? {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        guard let target = state.withLock({ $0.target }), let server = LoopbackSocket.connected(to: target) else {
            close(client)
            return nil
        }
        return state.withLock { state in
            guard state.isCutting else { return RelayLane(client: client, server: server) }
            // Few bytes cut handshakes and single events, many cut the backlog of a client that was offline for long.
            let downward = Bool.random(using: &state.generator) ? 100...3_000 : 3_000...30_000
            return RelayLane(
                client: client,
                server: server,
                upward: Int.random(in: 100...3_000, using: &state.generator),
                downward: Int.random(in: downward, using: &state.generator),
                resets: Bool.random(using: &state.generator)
            )
        }
    }
}
