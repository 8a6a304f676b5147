public import PromisedProtocol

extension WireCodec {
    /// Reads a client's frame that is quite simply a report, fast.
    ///
    /// - Returns: what ``decodeClientFrame(_:)`` would give; nil says nothing about the frame: decode it then.
    public func decodeReport(_ bytes: [UInt8]) -> ReportFrame? {
        switch self {
        case .json: ReportFrame(json: bytes)
        case .protobuf: ReportFrame(protobuf: bytes)
        }
    }

    /// Encodes live positions, fast: the bytes are those of the same frame as messages of the schema.
    public func encode(_ frame: PositionsFrame) -> [UInt8] {
        switch self {
        case .json: frame.json
        case .protobuf: frame.protobuf
        }
    }
}
