/// Frames for one peer, one after the other as a server sends them (RFC 6455 §5.2: whole and unmasked), to be written
/// in one call: a call and a packet cost far more than the bytes in them.
package struct FramePacket {
    /// How many bytes a packet has at most: as much as one TLS record carries.
    package static let limit = 16_384

    /// It carries a byte: of the answer to an empty one the library tells nothing.
    private static let ping: [UInt8] = [0x89, 1, 0]

    /// The frames with their headers.
    package private(set) var bytes: [UInt8] = []

    /// An empty packet.
    package init() {}

    /// Whether nothing is in it.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Puts a frame at the end; false when there is no room for it.
    package mutating func append(_ frame: Outbox.Frame) -> Bool {
        let payload = frame.payload
        guard bytes.count + 4 + payload.count + Self.ping.count <= Self.limit else { return false }
        bytes.append(0x80 | (frame.isText ? 0x1 : 0x2))
        if payload.count < 126 {
            bytes.append(UInt8(payload.count))
        } else {
            bytes.append(126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: payload.count))
        }
        payload.withBytes { bytes.append(contentsOf: $0) }
        return true
    }

    /// Puts a ping at the end, for which there is room beside any frames.
    package mutating func appendPing() { bytes += Self.ping }

    /// Empties it; its memory stays.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Runs `body` with the bytes and how many there are.
    package mutating func withSendable<Result>(_ body: (UnsafeMutablePointer<UInt8>?, Int) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    }
}
