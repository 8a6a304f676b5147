public import SwiftProtobuf

/// The two encodings of messages (docs/protocol.md#connecting). Both carry the same messages of the same schema.
///
/// A codec is a plain value without state; all calls are synchronous and may be made from any thread.
public enum WireCodec: String, Hashable, Sendable, CaseIterable {
    /// Canonical proto3 JSON in text frames.
    case json
    /// Protocol Buffers in binary frames.
    case protobuf

    /// The codec of a WebSocket sub-protocol's exact name; nil for any other name.
    public init?(subprotocol: String) {
        guard let codec = WireCodec.allCases.first(where: { $0.subprotocol == subprotocol }) else { return nil }
        self = codec
    }

    /// The name of the WebSocket sub-protocol.
    public var subprotocol: String {
        switch self {
        case .json: "promised.v1.json"
        case .protobuf: "promised.v1.protobuf"
        }
    }

    /// `true` for text frames; `false` for binary ones. A frame of the other kind is malformed.
    public var isText: Bool {
        switch self {
        case .json: true
        case .protobuf: false
        }
    }
}

/// Any message of the protocol, a frame or a part of one.
public typealias WireMessage = Message

extension WireCodec {
    // MARK: - The server's side

    /// Decodes a client's frame.
    ///
    /// The frame's `request` is nil if this version does not know it: answer ``ErrorCode/requestUnknown`` with its
    /// `id`. An `id` of 0 requests no reply. Values are not checked beyond their types: numbers may be NaN or infinite,
    /// timestamps of ``protobuf`` out of range. Unknown fields are ignored, unknown enumeration values become
    /// unspecified or unrecognised.
    ///
    /// - Throws: ``WireError/malformed(_:)`` if the bytes do not decode as the schema or hold two requests.
    public func decodeClientFrame(_ bytes: [UInt8]) throws(WireError) -> WireClientFrame {
        if self == .protobuf, WireClientFrame.holdsSeveralRequests(bytes) { throw .malformed(.severalRequests) }
        return try decode(bytes)
    }

    /// Encodes a server's frame.
    ///
    /// - Throws: ``WireError/unencodable`` for a timestamp outside the years 1 to 9999 in JSON, or more than 2 GB.
    public func encode(_ frame: WireServerFrame) throws(WireError) -> [UInt8] { try encode(message: frame) }

    /// An upper bound of the bytes that a part adds to a list in a frame: its own, and those of the separator.
    ///
    /// - Throws: ``WireError/unencodable``, as for a frame.
    public func size(ofListed part: some WireMessage) throws(WireError) -> Int { try encode(message: part).count + 8 }

    // MARK: - The client's side

    /// Decodes a server's frame. Its `content` is nil if this version does not know it: ignore it then.
    ///
    /// - Throws: ``WireError/malformed(_:)`` if the bytes do not decode as the schema.
    public func decodeServerFrame(_ bytes: [UInt8]) throws(WireError) -> WireServerFrame { try decode(bytes) }

    /// Encodes a client's frame.
    ///
    /// - Throws: ``WireError/unencodable`` for a timestamp outside the years 1 to 9999 in JSON, or more than 2 GB.
    public func encode(_ frame: WireClientFrame) throws(WireError) -> [UInt8] { try encode(message: frame) }

    // MARK: - Any message

    /// Decodes one message. The schema nests nine deep at most; much more is an attack on the stack.
    private func decode<M: Message>(_ bytes: [UInt8]) throws(WireError) -> M {
        do {
            switch self {
            case .json: return try M(jsonUTF8Bytes: SurrogateEscapes.replaced(in: bytes), options: Self.jsonDecoding)
            case .protobuf: return try M(serializedBytes: bytes, options: Self.binaryDecoding)
            }
        } catch JSONDecodingError.conflictingOneOf {
            throw .malformed(.severalRequests)
        } catch JSONDecodingError.messageDepthLimit, BinaryDecodingError.messageDepthLimit {
            throw .malformed(.nesting)
        } catch {
            throw .malformed(.syntax)
        }
    }

    private func encode(message: some Message) throws(WireError) -> [UInt8] {
        do {
            switch self {
            case .json: return try message.jsonUTF8Bytes()
            case .protobuf: return try message.serializedBytes()
            }
        } catch {
            throw .unencodable
        }
    }

    private static let depthLimit = 16

    private static let jsonDecoding: JSONDecodingOptions = {
        var options = JSONDecodingOptions()
        options.messageDepthLimit = depthLimit
        options.ignoreUnknownFields = true
        return options
    }()

    private static let binaryDecoding: BinaryDecodingOptions = {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = depthLimit
        options.discardUnknownFields = true
        return options
    }()
}
