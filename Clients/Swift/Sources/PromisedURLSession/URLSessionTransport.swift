public import PromisedClient
internal import PromisedConcurrency
internal import PromisedProtocol

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Connections by the WebSocket of `URLSession`, for apps on Apple's systems.
///
/// It contains no rule of the protocol: the client pings a silent server and gives up its connection.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession

    /// Creates a transport with its own session.
    ///
    /// - Parameter configuration: for instance with a proxy.
    public init(configuration: URLSessionConfiguration = .default) {
        session = URLSession(configuration: configuration)
    }

    /// Connects, and waits for the first pong, the only sign of a `URLSession` task that it is open.
    ///
    /// - Throws: `URLError`.
    public func connect(_ request: LinkRequest) async throws -> URLSessionLink {
        guard let url = URL(string: request.address.description) else { throw URLError(.badURL) }
        let task = session.webSocketTask(with: url, protocols: [request.codec.subprotocol])
        task.maximumMessageSize = ProtocolVersion.maximumServerFrameBytes
        task.resume()
        try await withTaskCancellationHandler {
            try await Self.firstPong(of: task)
        } onCancel: {
            task.cancel()
        }
        return URLSessionLink(task, isText: request.codec.isText)
    }

    /// Ends the session with its connections.
    public func shutDown() async { session.invalidateAndCancel() }

    private static func firstPong(of task: URLSessionWebSocketTask) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A failing connection may call the handler more than once.
            let waiting = Guarded<CheckedContinuation<Void, any Error>?>(continuation)
            task.sendPing { error in
                let waiter = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                if let error { waiter?.resume(throwing: error) } else { waiter?.resume() }
            }
        }
    }
}

/// One connection of a ``URLSessionTransport``.
public final class URLSessionLink: ClientLink {
    /// How many messages may wait to be read; one more ends the connection.
    private static let limit = 4_096

    /// Incoming events.
    public let incoming: AsyncStream<LinkEvent>

    /// `false`: the client pings, because `URLSession` does not.
    public var watchesSilence: Bool { false }

    private let task: URLSessionWebSocketTask
    private let isText: Bool
    private let continuation: AsyncStream<LinkEvent>.Continuation

    init(_ task: URLSessionWebSocketTask, isText: Bool) {
        self.task = task
        self.isText = isText
        (incoming, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
        receiveNext()
    }

    deinit { task.cancel() }

    /// Queues a message.
    public func send(_ bytes: [UInt8]) {
        let message: URLSessionWebSocketTask.Message =
            isText ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
        // An error ends the connection, which the pending receive reports.
        task.send(message) { _ in }
    }

    /// Closes, without waiting for the server's close frame.
    public func close(code: UInt16) {
        task.cancel(with: URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure, reason: nil)
        end(code: code)
    }

    /// Sends a ping.
    public func ping() {
        task.sendPing { [continuation] error in
            if error == nil { continuation.yield(.pong) }
        }
    }

    private func receiveNext() {
        task.receive { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.string(let text)): take(Array(text.utf8))
            case .success(.data(let data)): take(Array(data))
            case .success: receiveNext()
            case .failure:
                let code = UInt16(exactly: task.closeCode.rawValue).flatMap { $0 == 0 ? nil : $0 } ?? 1_006
                end(code: code, reason: task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? "")
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        if case .dropped = continuation.yield(.message(bytes)) { return close(code: 1_008) }
        receiveNext()
    }

    private func end(code: UInt16, reason: String = "") {
        continuation.yield(.closed(code: code, reason: reason))
        continuation.finish()
    }
}
