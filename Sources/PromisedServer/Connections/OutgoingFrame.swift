internal import PromisedProtocol
internal import PromisedWire

/// A frame before it is encoded.
enum OutgoingFrame: Sendable {
    /// A reply or an event.
    case message(WireServerFrame)
    /// Live positions, of which most of what goes out consists.
    case positions(PositionsFrame)

    /// Its bytes.
    ///
    /// - Throws: ``WireError/unencodable`` for a timestamp outside the years 1 to 9999 in JSON, or more than 2 GB.
    func encoded(by codec: WireCodec) throws(WireError) -> [UInt8] {
        switch self {
        case .message(let frame): try codec.encode(frame)
        case .positions(let frame): codec.encode(frame)
        }
    }
}
