import Glibc

/// The head of a request, read before the library reads it: the library discards headers that it does not know, such as
/// `Forwarded` (RFC 7239).
package enum RequestHead {
    private static let longest = 4_096
    private static let header = Array("\nforwarded:".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    /// `true` if the request on a socket has a `Forwarded` header or has not arrived completely. A proxy sends the head
    /// of a request in one piece.
    static func mayBeForwarded(on socket: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            return count > 0 ? mayBeForwarded(UnsafeRawBufferPointer(rebasing: buffer[..<count])) : true
        }
    }

    /// The same for the bytes themselves.
    package static func mayBeForwarded(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isWhole = bytes.indices.contains { begins(end, in: bytes, at: $0) }
        return !isWhole || bytes.indices.contains { begins(header, in: bytes, at: $0) }
    }

    /// `true` if the lower-case `text` is at an index, ignoring case.
    private static func begins(_ text: [UInt8], in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard bytes[index] == text[0], index + text.count <= bytes.count else { return false }
        return text.indices.allSatisfy { offset in
            let byte = bytes[index + offset]
            let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            return (isLetter ? byte | 0x20 : byte) == text[offset]
        }
    }
}
