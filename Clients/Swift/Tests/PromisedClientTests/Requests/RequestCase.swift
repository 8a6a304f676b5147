import PromisedClient
import PromisedProtocol
import Testing

/// One call, its expected request, and the reply.
struct RequestCase: Sendable, CustomTestStringConvertible {
    /// The request in the protocol's JSON.
    let json: String
    let reply: WireContent
    let call: @Sendable (PromisedClient) async throws -> Void

    var testDescription: String { json }

    /// The request, for a frame with this id.
    func frame(id: UInt32) throws -> WireClientFrame {
        var frame = try WireCodec.json.decodeClientFrame(Array(json.utf8))
        frame.id = id
        return frame
    }

    init(_ json: String, _ reply: WireContent, call: @escaping @Sendable (PromisedClient) async throws -> Void) {
        self.json = json
        self.reply = reply
        self.call = call
    }
}
