import Logging
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTransport

/// A bare connection that exposes each sent and received frame and the close code.
final class Device: Sendable {
    private let connection: ClientConnection
    let codec: WireCodec
    private let seen = Guarded<[WireEvent]>([])

    /// A connection without a sign-in.
    ///
    /// - Parameters:
    ///   - upgradeToken: an access token in the upgrade; nil for none.
    ///   - forwardedFor: the client's address given by a proxy; nil for no proxy.
    init(
        _ world: ServerWorld,
        _ sockets: WebSocketClient,
        upgradeToken: String? = nil,
        forwardedFor: String? = nil
    ) async throws {
        let headers = [
            upgradeToken.map { HTTPHeader("Authorization", "Bearer \($0)") },
            forwardedFor.map { HTTPHeader("X-Forwarded-For", $0) },
        ].compactMap(\.self)
        connection = try await world.rawConnection(sockets, headers: headers)
        codec = world.codec
    }

    /// The events received so far.
    var events: [WireEvent] { seen.withLock { $0 } }

    /// Sends a request without waiting for anything.
    func send(_ request: WireRequest, id: UInt32 = 1) throws {
        connection.send(try codec.encode(WireClientFrame(id: id, request: request)), isText: codec == .json)
    }

    /// Sends a request and returns its reply; stores events received meanwhile.
    func call(_ request: WireRequest) async throws -> WireContent {
        try send(request)
        guard let content = try codec.decodeServerFrame(try await nextReply()).content else { throw NoReply() }
        if case .error(let error) = content { DocumentedRefusals.expect(error.code, of: request) }
        return content
    }

    /// A frame of the server in the connection's encoding.
    func frame(_ bytes: [UInt8]) throws -> WireServerFrame { try codec.decodeServerFrame(bytes) }

    /// Sends a frame unchanged and returns the bytes of the reply; stores events received meanwhile.
    func exchange(_ frame: [UInt8]) async throws -> [UInt8] {
        send(frame)
        return try await nextReply()
    }

    /// The bytes of the reply to a request; the same reply to two requests has the same bytes.
    func answer(to request: WireRequest) async throws -> [UInt8] {
        try await exchange(try codec.encode(WireClientFrame(id: 77, request: request)))
    }

    /// Sends a frame as it is without waiting for anything.
    func send(_ frame: [UInt8]) { connection.send(frame, isText: codec == .json) }

    /// The bytes of the next frame except events; stores events received meanwhile.
    func nextReply() async throws -> [UInt8] {
        for await incoming in connection.incoming {
            guard case .message(let bytes, _) = incoming else { break }
            guard case .event(let event) = try codec.decodeServerFrame(bytes).content else { return bytes }
            seen.withLock { $0.append(event) }
        }
        throw NoReply()
    }

    /// The code of a request's refusal; nil if it is accepted.
    func refusal(_ request: WireRequest) async throws -> ErrorCode? {
        guard case .error(let error) = try await call(request) else { return nil }
        return ErrorCode(rawValue: error.code)
    }

    /// The first past or future event that satisfies a condition.
    func event(_ matches: (WireEvent.OneOf_What) -> Bool) async throws -> WireEvent {
        if let known = events.first(where: { $0.what.map(matches) ?? false }) { return known }
        for await incoming in connection.incoming {
            guard case .message(let bytes, _) = incoming else { break }
            guard case .event(let event) = try codec.decodeServerFrame(bytes).content else { continue }
            seen.withLock { $0.append(event) }
            if event.what.map(matches) ?? false { return event }
        }
        throw NoReply()
    }

    /// Waits until the server has closed the connection.
    ///
    /// - Returns: the close code.
    func closed() async throws -> UInt16? { try await closeCause()?.code }

    /// Waits until the server has closed the connection.
    func closeCause() async throws -> CloseCause? {
        for await incoming in connection.incoming {
            switch incoming {
            case .closed(let cause): return cause
            case .message(let bytes, _):
                if case .event(let event) = try codec.decodeServerFrame(bytes).content {
                    seen.withLock { $0.append(event) }
                }
            }
        }
        return nil
    }

    /// The server's reasons for revoking the session; empty without one.
    var revocations: [String] {
        events.compactMap { event in
            if case .sessionRevoked(let revoked) = event.what { revoked.reason } else { nil }
        }
    }

    /// The connection ended instead.
    struct NoReply: Error {}
}

/// Makes bare connections to a server.
struct DeviceMaker: Sendable {
    let world: ServerWorld
    let sockets: WebSocketClient

    /// A new connection, with an access token in its upgrade if given.
    func callAsFunction(upgradeToken: String? = nil, forwardedFor: String? = nil) async throws -> Device {
        try await Device(world, sockets, upgradeToken: upgradeToken, forwardedFor: forwardedFor)
    }
}

extension ServerWorld {
    /// Runs `body` with a way to make bare connections.
    func devices(_ body: @Sendable (DeviceMaker) async throws -> Void) async throws {
        let sockets = WebSocketClient(logger: Logger(label: "devices"))
        do {
            try await body(DeviceMaker(world: self, sockets: sockets))
        } catch {
            await sockets.shutdown()
            throw error
        }
        await sockets.shutdown()
    }
}

extension Person {
    var email: String { "\(name)@example.org" }
    var password: String { "correct horse \(name)" }

    /// Signs in on another connection, as a separate session.
    ///
    /// - Returns: the session.
    @discardableResult
    func signIn(on device: Device) async throws -> WireSession {
        guard case .session(let session) = try await device.call(.signIn(.sample(email, password))) else {
            throw Device.NoReply()
        }
        return session
    }

    /// The user's account from the server.
    func me() async throws -> WireMe {
        guard case .me(let me) = try await client.call(.getMe(WireGetMe())) else { throw Device.NoReply() }
        return me
    }

    /// Waits for an event that satisfies a condition; `true` if one was received.
    func hears(_ matches: @escaping @Sendable (WireEvent.OneOf_What) -> Bool) async {
        await wait { $0.contains { $0.what.map(matches) ?? false } }
    }
}
