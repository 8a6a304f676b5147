/// Frames for one peer, one after the other as a server sends them (RFC 6455 §5.2: whole and unmasked), written in one
/// call, because a call and a packet cost far more than their bytes.
package struct FramePacket {
    /// The most bytes in a packet: as many as fit into one TLS record.
    package static let limit = 16_384

    /// The ping has a payload of one byte, because the library does not report the pong to an empty ping.
    private static let ping: [UInt8] = [0x89, 1, 0]

    /// The frames with their headers.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// `true` if it contains no frames.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Appends a frame; `false` if there is no room for it.
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

    /// Appends a ping, for which there is always room.
    package mutating func appendPing() { bytes += Self.ping }

    /// Empties the packet and keeps its memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Runs `body` with the bytes and their number.
    package mutating func withSendable<Result>(_ body: (UnsafeMutablePointer<UInt8>?, Int) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    }
}
