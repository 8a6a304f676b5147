import PromisedClient
import PromisedProtocol
import SwiftProtobuf

/// One connection in memory. The client's end is a `ClientLink`; the other functions are the server's end.
final class MemoryLink: ClientLink {
    let incoming: AsyncStream<LinkEvent>
    private let toClient: AsyncStream<LinkEvent>.Continuation
    private let fromClient = Mailbox<[UInt8]>()
    private let closes = Mailbox<UInt16>()

    init() {
        (incoming, toClient) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    // MARK: - The client's end

    func send(_ bytes: [UInt8]) { fromClient.put(bytes) }

    func close(code: UInt16) {
        closes.put(code)
        end(code: code)
    }

    // MARK: - The server's end

    func receive() async throws -> WireClientFrame { try WireCodec.json.decodeClientFrame(try await fromClient.next()) }

    /// The client's close code.
    func closedByClient() async throws -> UInt16 { try await closes.next() }

    /// Ends the connection with a code, and may report a second end after it.
    func end(code: UInt16, reason: String = "", then other: UInt16? = nil) {
        toClient.yield(.closed(code: code, reason: reason))
        if let other { toClient.yield(.closed(code: other)) }
        toClient.finish()
    }

    /// Sends arbitrary bytes.
    func send(raw bytes: [UInt8]) { toClient.yield(.message(bytes)) }

    func send(_ frame: WireServerFrame) throws { send(raw: try WireCodec.json.encode(frame)) }

    func reply(to frame: WireClientFrame, _ content: WireContent) throws {
        try send(WireServerFrame(id: frame.id, content: content))
    }

    func refuse(_ frame: WireClientFrame, _ error: WireErrorReply) throws {
        try send(WireServerFrame(id: frame.id, error: error))
    }

    /// Sends an event outside any promise, identified by `promiseID`.
    func event(_ promiseID: String) throws {
        let event = WireEvent.with { $0.promiseID = promiseID }
        try send(WireServerFrame(event: event))
    }

    /// Receives a `hello` and replies with a welcome.
    @discardableResult
    func welcome() async throws -> WireHello {
        let frame = try await receive()
        guard case .hello(let hello)? = frame.request else { throw Unexpected(frame: frame) }
        try reply(to: frame, .welcome(WireWelcome()))
        return hello
    }

    /// Receives a sign-in and answers it with a session.
    func signIn(_ session: WireSession) async throws {
        let frame = try await receive()
        guard case .signIn? = frame.request else { throw Unexpected(frame: frame) }
        try reply(to: frame, .session(session))
    }

    /// The client sent an unexpected frame.
    struct Unexpected: Error {
        let frame: WireClientFrame
    }
}
