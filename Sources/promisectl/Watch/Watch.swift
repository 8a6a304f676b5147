import PromisedClient
import PromisedProtocol

/// Follows one promise until it is over, or until interrupted.
struct Watch: Sendable {
    let promiseID: String
    let administration: any Administration
    private(set) var board: WatchBoard
    private var screen: any WatchScreen
    private let inputs: AsyncStream<WatchInput>

    /// Begins to follow and shows the snapshot.
    init(
        _ promiseID: String,
        from administration: any Administration,
        on screen: any WatchScreen,
        console: any Console
    ) async throws(Failure) {
        let reply = try await administration.ask(.watchPromise(promiseID))
        self.promiseID = promiseID
        self.administration = administration
        self.screen = screen
        board = WatchBoard(reply)
        // Signals are caught from now on, because the screen may hide the cursor.
        inputs = await Self.inputs(administration, console)
        try await takeResult()
        try self.screen.began(reply, board)
    }

    /// Follows the events until the end. Returns `done` when the promise is over, or the status of the interruption.
    mutating func run() async throws(Failure) -> ExitStatus {
        let outcome: Result<ExitStatus, Failure>
        do throws(Failure) {
            outcome = .success(board.isOver ? .done : try await follow())
        } catch {
            outcome = .failure(error)
        }
        try screen.ended(board)
        return try outcome.get()
    }

    // MARK: - Following

    private mutating func follow() async throws(Failure) -> ExitStatus {
        for await input in inputs {
            if let status = try await take(input) { return status }
        }
        throw .unreachable("the watch could not keep up with the events")
    }

    /// Handles one input; returns the exit status if it is the last.
    private mutating func take(_ input: WatchInput) async throws(Failure) -> ExitStatus? {
        switch input {
        case .interrupted(let status): return status
        case .ended: throw .unreachable("the client stopped reconnecting")
        case .resized: screen.resized(board)
        case .notice(.event(let event)) where event.promiseID == promiseID:
            if board.take(event) { try screen.heard(event, board) }
        case .notice(.connected): try await resume()
        case .notice(.disconnected(let code, let willReconnect)):
            guard willReconnect else { throw Self.failure(closedWith: code) }
            screen.note("the connection was lost (\(code)); reconnecting", board)
        case .notice(.event), .notice(.attemptFailed), .notice(.error): break
        }
        return board.isOver ? .done : nil
    }

    /// Subscribes again on a new connection; if that is lost, the next one does so.
    private mutating func resume() async throws(Failure) {
        do throws(Failure) {
            let reply = try await administration.ask(.watchPromise(promiseID))
            board.take(reply)
            try await takeResult()
            try screen.began(reply, board)
        } catch {
            guard case .unreachable = error else { throw error }
        }
    }

    /// Requests a result that was final before the watch began: it causes no event.
    private mutating func takeResult() async throws(Failure) {
        guard board.promise.status == .final, board.result == nil else { return }
        board.take(try await administration.ask(.getResult(of: promiseID)))
    }

    private static func failure(closedWith code: UInt16) -> Failure {
        switch CloseCode(rawValue: code) {
        case .tokenInvalid, .sessionRevoked: .notPermitted("the token is no longer valid (\(code))")
        default: .unreachable("the server closed the connection (\(code))")
        }
    }

    // MARK: - Inputs

    /// All inputs of a watch, in order; ends if more are queued than a client would buffer.
    private static func inputs(
        _ administration: any Administration,
        _ console: any Console
    ) async -> AsyncStream<WatchInput> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WatchInput.self,
            bufferingPolicy: .bufferingOldest(PromisedClient.noticeLimit)
        )
        let (interruptions, resizes) = (await console.interruptions(), await console.resizes())
        // Ended when the stream's reader ends.
        let feeding = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await notice in administration.notices { continuation.put(.notice(notice)) }
                    continuation.put(.ended)
                }
                group.addTask { for await status in interruptions { continuation.put(.interrupted(status)) } }
                group.addTask { for await _ in resizes { continuation.put(.resized) } }
            }
        }
        continuation.onTermination = { _ in feeding.cancel() }
        return stream
    }
}

extension AsyncStream<WatchInput>.Continuation {
    /// Adds an input; ends the stream if it would have to drop one.
    fileprivate func put(_ input: WatchInput) {
        if case .dropped = yield(input) { finish() }
    }
}

enum WatchInput: Sendable {
    case notice(ClientNotice)
    case ended
    /// A signal requested the program to end.
    case interrupted(ExitStatus)
    /// The terminal's size has changed.
    case resized
}
