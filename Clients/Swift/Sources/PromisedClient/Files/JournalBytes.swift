internal import PromisedProtocol

extension WireRequest {
    /// The request as a frame of Protocol Buffers; nil if it cannot be encoded.
    var journalBytes: [UInt8]? {
        do throws(WireError) {
            return try WireCodec.protobuf.encode(WireClientFrame(id: 0, request: self))
        } catch {
            return nil
        }
    }

    /// Decodes ``journalBytes``; nil if the bytes have another form.
    init?(journalBytes bytes: ArraySlice<UInt8>) {
        guard let request = try? WireCodec.protobuf.decodeClientFrame(Array(bytes)).request else {
            // Not a frame, so not written by this client.
            return nil
        }
        self = request
    }
}

extension [UInt32] {
    /// Four bytes for each number.
    var journalBytes: [UInt8] { flatMap(\.littleEndianBytes) }

    /// Decodes ``journalBytes``; nil if the bytes have another form.
    init?(journalBytes bytes: ArraySlice<UInt8>) {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        self = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { UInt32(littleEndianBytes: bytes[$0...]) }
    }
}

extension UInt32 {
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }

    /// The number in the first four bytes, low byte first.
    init(littleEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The cyclic redundancy check of Ethernet and zip (CRC-32/ISO-HDLC): detects torn writes, not deliberate changes.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
    }
}
