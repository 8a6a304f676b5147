internal import PromisedConcurrency

/// One attempt to connect: finished exactly once, by the service thread, its deadline or its cancellation.
final class ClientAttempt: Sendable {
    /// The connection made by an attempt.
    struct Opened {
        let id: ConnectionID
        /// The sub-protocol the server chose.
        let subprotocol: String?
    }

    typealias Outcome = Result<Opened, TransportError>

    private enum State {
        case initialised
        case pending(CheckedContinuation<Outcome, Never>)
        case finished(Outcome)
    }

    let request: ClientRequest
    /// The server's IP address.
    let address: String
    let handler: any ClientHandler
    /// `true` if received messages count until they are processed.
    let countsInbound: Bool
    private let state = Guarded(State.initialised)

    init(_ request: ClientRequest, address: String, handler: any ClientHandler, countsInbound: Bool) {
        self.request = request
        self.address = address
        self.handler = handler
        self.countsInbound = countsInbound
    }

    /// `true` once the attempt has ended.
    var isFinished: Bool {
        state.withLock { state in
            if case .finished = state { true } else { false }
        }
    }

    /// Ends the attempt; returns `false` and ignores the outcome if it had already ended.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        let before = state.withLock { state -> State in
            defer { if case .finished = state {} else { state = .finished(outcome) } }
            return state
        }
        switch before {
        case .initialised: return true
        case .pending(let continuation):
            continuation.resume(returning: outcome)
            return true
        case .finished: return false
        }
    }

    /// Waits for the outcome; call this once.
    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Outcome? in
                guard case .finished(let outcome) = state else {
                    state = .pending(continuation)
                    return nil
                }
                return outcome
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}

/// The client end's part of a connection. Confined to the actor of its thread.
final class ClientChannel {
    let attempt: ClientAttempt
    /// The sub-protocol the server chose.
    var subprotocol: String?
    /// `true` once the attempt's deadline has passed.
    var hasTimedOut = false

    init(_ attempt: ClientAttempt) { self.attempt = attempt }

    var handler: any ClientHandler { attempt.handler }
    var countsInbound: Bool { attempt.countsInbound }

    /// Reports the end of the connection to the attempt or the handler.
    func gone(_ id: ConnectionID, _ cause: CloseCause, isAnnounced: Bool) {
        attempt.finish(.failure(hasTimedOut ? .timedOut : .connectFailed("closed before it was open")))
        if isAnnounced { handler.closed(id, cause) }
    }
}
