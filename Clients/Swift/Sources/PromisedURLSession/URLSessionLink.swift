internal import Foundation
public import PromisedClient

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One connection of a ``URLSessionTransport``.
public final class URLSessionLink: ClientLink {
    /// How many messages may wait to be read; one more ends the connection.
    private static let limit = 4_096

    /// What comes in.
    public let incoming: AsyncStream<LinkEvent>

    /// The client pings: `URLSession` does not by itself.
    public var watchesSilence: Bool { false }

    private let task: URLSessionWebSocketTask
    private let isText: Bool
    private let continuation: AsyncStream<LinkEvent>.Continuation

    /// Takes a task whose connection is open.
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
        // An error ends the connection, which the pending receipt tells.
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
            case .failure: end(code: UInt16(exactly: task.closeCode.rawValue).flatMap { $0 == 0 ? nil : $0 } ?? 1_006)
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        if case .dropped = continuation.yield(.message(bytes)) { return close(code: 1_008) }
        receiveNext()
    }

    private func end(code: UInt16) {
        continuation.yield(.closed(code: code))
        continuation.finish()
    }
}
