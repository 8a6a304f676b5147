internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedProtocol

/// The number of a connection; never used again.
typealias ConnectionNumber = UInt64

/// A client's frame, as the client made it and as bytes.
struct ClientMessage: Sendable {
    let connection: ConnectionNumber
    let frame: WireClientFrame
    let bytes: [UInt8]
}

/// A server's frame to one connection, as bytes and decoded.
struct ServerMessage: Sendable {
    let connection: ConnectionNumber
    let frame: WireServerFrame
    let bytes: [UInt8]
}

/// The server's ends of all connections: collects what its gateway does to them.
final class SimulatedConnections: Outlet {
    enum Output: Sendable {
        case sent([EncodedFrame], to: [SubscriberID])
        case closed(ConnectionNumber, CloseCode)
    }

    private struct State: Sendable {
        var users: [ConnectionNumber: UserID] = [:]
        var outputs: [Output] = []
        var isDead = false
    }

    private let state = Guarded(State())

    // MARK: - For the world

    /// Opens a connection of the device of a user, who has yet to sign in.
    func open(_ connection: ConnectionNumber, of userID: UserID) {
        state.withLock { $0.users[connection] = userID }
    }

    func end(_ connection: ConnectionNumber) { state.withLock { $0.users[connection] = nil } }

    /// The user of the device on a connection; nil if it has ended.
    func user(of connection: ConnectionNumber) -> UserID? { state.withLock { $0.users[connection] } }

    /// The outputs since the last call, in order.
    func takeOutputs() -> [Output] {
        state.withLock { state in
            guard !state.outputs.isEmpty else { return [] }
            defer { state.outputs = [] }
            return state.outputs
        }
    }

    /// Stops all output because the process dies.
    func die() {
        state.withLock { state in
            state.isDead = true
            state.outputs = []
        }
    }

    // MARK: - For the gateway

    func send(_ frames: [EncodedFrame], to connections: [SubscriberID]) { put(.sent(frames, to: connections)) }

    func close(_ connection: SubscriberID, _ code: CloseCode, text: String) { put(.closed(connection.rawValue, code)) }

    /// Does nothing: clients send as fast as they like.
    func processed(_ connection: SubscriberID, bytes: Int) {}

    /// Does nothing: a connection before its sign-in has no other limits.
    func admit(_ connection: SubscriberID) {}

    private func put(_ output: Output) {
        state.withLock { state in
            if !state.isDead { state.outputs.append(output) }
        }
    }
}
