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
/// It holds no rule of the protocol: the client pings a silent server and gives it up.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession

    /// A transport with a session of its own.
    ///
    /// - Parameter configuration: for instance with a proxy.
    public init(configuration: URLSessionConfiguration = .default) {
        session = URLSession(configuration: configuration)
    }

    /// Connects, and waits for the first pong: a task of `URLSession` does not tell otherwise that it is open.
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
            // A connection that fails may call the handler more than once.
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
