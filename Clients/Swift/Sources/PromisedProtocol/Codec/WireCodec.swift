/// The two ways in which messages travel (docs/protocol.md#connecting). Both carry the same messages of the same
/// schema.
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

    /// Whether messages travel in text frames; in binary ones otherwise. A frame of the other kind is malformed.
    public var isText: Bool {
        switch self {
        case .json: true
        case .protobuf: false
        }
    }
}
