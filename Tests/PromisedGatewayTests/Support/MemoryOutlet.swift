import PromisedConcurrency
import PromisedEngine
import PromisedGateway
import PromisedProtocol
import PromisedTestSupport

/// Connections in memory: records the gateway's calls, and closes connections that do not read in time.
final class MemoryOutlet: Outlet {
    /// A call for a connection.
    enum Deed: Sendable {
        case sent(WireServerFrame)
        case processed(bytes: Int)
        case admitted
        case closed(CloseCode, text: String)
    }

    private struct Table: Sendable {
        var gateway: Gateway?
        var connections: [UInt64: MemoryConnection] = [:]
        var lastNumber: UInt64 = 0
    }

    private let table = Guarded(Table())

    /// Serves the connections by a gateway, which holds this outlet.
    func attach(_ gateway: Gateway?) { table.withLock { $0.gateway = gateway } }

    /// Opens a connection.
    ///
    /// - Parameter room: how many frames may wait for a paused reader; more close the connection.
    func open(
        _ codec: WireCodec = .json,
        address: String = "127.0.0.1",
        token: String? = nil,
        room: Int = 64
    ) -> MemoryConnection {
        let (connection, gateway) = table.withLock { table in
            table.lastNumber += 1
            let connection = MemoryConnection(table.lastNumber, codec, room: room, of: self)
            table.connections[table.lastNumber] = connection
            return (connection, table.gateway)
        }
        let authorization = token.map { "Bearer \($0)" }
        gateway?.opened(connection.number, Opening(codec: codec, address: address, authorization: authorization))
        return connection
    }

    func received(_ connection: MemoryConnection, _ bytes: [UInt8]) -> Bool? {
        table.withLock { $0.gateway }?.received(connection.number, bytes)
    }

    /// Ends a connection, by either end.
    func end(_ connection: MemoryConnection, code: UInt16) {
        let gateway = table.withLock { table in
            table.connections.removeValue(forKey: connection.number) == nil ? nil : table.gateway
        }
        gateway?.closed(connection.number, code: code)
    }

    // MARK: - Outlet

    func send(_ frames: [EncodedFrame], to connections: [SubscriberID]) {
        for connection in connections { self[connection]?.take(frames) }
    }

    func processed(_ connection: SubscriberID, bytes: Int) { self[connection]?.deeds.note(.processed(bytes: bytes)) }
    func admit(_ connection: SubscriberID) { self[connection]?.deeds.note(.admitted) }

    func close(_ connection: SubscriberID, _ code: CloseCode, text: String) {
        guard let connection = self[connection] else { return }
        connection.deeds.note(.closed(code, text: text))
        end(connection, code: code.rawValue)
    }

    private subscript(connection: SubscriberID) -> MemoryConnection? {
        table.withLock { $0.connections[connection.rawValue] }
    }
}

/// The client's end of a connection in memory.
final class MemoryConnection: Sendable {
    let number: UInt64
    let codec: WireCodec
    let deeds = Signals<MemoryOutlet.Deed>()
    private let outlet: MemoryOutlet
    private let room: Int
    private let reading = Guarded((isReading: true, waiting: 0, lastID: UInt32(0)))

    init(_ number: UInt64, _ codec: WireCodec, room: Int, of outlet: MemoryOutlet) {
        self.number = number
        self.codec = codec
        self.room = room
        self.outlet = outlet
    }

    /// Stops reading; frames wait.
    func stopReading() { reading.withLock { $0.isReading = false } }

    func take(_ frames: [EncodedFrame]) {
        for frame in frames {
            let isSlow = reading.withLock { reading in
                if !reading.isReading { reading.waiting += 1 }
                return reading.waiting > room
            }
            guard !isSlow else { return outlet.close(SubscriberID(rawValue: number), .slowReader, text: "") }
            guard let content = try? codec.decodeServerFrame(frame.bytes) else {
                preconditionFailure("The gateway sent a frame that its client cannot read.")
            }
            deeds.note(.sent(content))
        }
    }

    /// Ends the connection from the client's side.
    func end() { outlet.end(self, code: 1000) }

    // MARK: - The calls so far

    var frames: [WireServerFrame] {
        deeds.all.compactMap { if case .sent(let frame) = $0 { frame } else { nil } }
    }

    var events: [WireEvent.OneOf_What] { frames.compactMap { $0.event.what } }

    var closeCode: CloseCode? {
        deeds.all.lazy.compactMap { if case .closed(let code, _) = $0 { code } else { nil } }.first
    }

    var isAdmitted: Bool { deeds.all.contains { if case .admitted = $0 { true } else { false } } }

    /// Waits until the connection was closed.
    func closed() async throws -> CloseCode {
        try await deeds.first { if case .closed(let code, _) = $0 { code } else { nil } }
    }

    /// Waits for an event.
    func event<Value: Sendable>(
        _ find: @escaping @Sendable (WireEvent.OneOf_What) -> Value?
    ) async throws -> Value {
        try await deeds.first { deed in
            guard case .sent(let frame) = deed, let what = frame.event.what else { return nil }
            return find(what)
        }
    }

    // MARK: - Requests

    /// Sends a frame as it is. Returns `true` if it was processed at once; nil if there is no gateway.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool? { outlet.received(self, bytes) }

    /// Sends a request without waiting. Returns its id, and `true` if it was processed at once.
    @discardableResult
    func send(_ request: WireRequest) throws -> (id: UInt32, isProcessed: Bool?) {
        let id = reading.withLock { reading in
            reading.lastID += 1
            return reading.lastID
        }
        return (id, send(try codec.encode(WireClientFrame(id: id, request: request))))
    }

    /// Sends a request and waits for its reply.
    @discardableResult
    func call(_ request: WireRequest) async throws -> WireContent { try await reply(to: try send(request).id) }

    /// The reply to a request, after its arrival.
    func reply(to id: UInt32) async throws -> WireContent {
        try await deeds.first { deed in
            guard case .sent(let frame) = deed, frame.id == id else { return nil }
            return frame.content
        }
    }

    /// The code of a request's refusal; nil if it is accepted.
    func refusal(_ request: WireRequest) async throws -> String? {
        guard case .error(let error) = try await call(request) else { return nil }
        return error.code
    }
}
