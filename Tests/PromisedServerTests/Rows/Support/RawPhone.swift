import PromisedClient
import PromisedProtocol
import PromisedServer
import PromisedTestSupport
import PromisedTransport

/// A phone whose frames a test writes and reads one by one: it answers pings and reads only on request. Uses JSON.
struct RawPhone {
    let peer: RawPeer

    /// A connection after its handshake; a small `receiveBuffer` makes a slow reader.
    init(_ world: ServerWorld, receiveBuffer: Int32? = nil) async throws {
        peer = try RawPeer(world.listening, receiveBuffer: receiveBuffer)
        await peer.write(RawPeer.handshake(subprotocol: WireCodec.json.subprotocol))
        guard await peer.readHead().hasPrefix("HTTP/1.1 101") else { throw RawPeer.Failure() }
    }

    /// Sends a request without waiting for anything.
    func send(_ request: WireRequest, id: UInt32 = 1) async throws {
        await peer.write(RawPeer.frame(1, try WireCodec.json.encode(WireClientFrame(id: id, request: request))))
    }

    /// Sends a request and returns its reply; skips pings and events.
    func call(_ request: WireRequest) async throws -> WireContent {
        try await send(request)
        while let frame = await peer.readFrame() {
            guard frame.opcode == 1 else { continue }
            guard let content = try WireCodec.json.decodeServerFrame(frame.payload).content else { break }
            guard case .event = content else { return content }
        }
        throw RawPeer.Failure()
    }
}

extension ServerWorld {
    /// The server's address.
    var listening: ListeningAddress { ListeningAddress(host: address.host, port: address.port) }
}
