import Crypto
import Foundation

/// The bytes of a photo with the structure of a JPEG (ITU-T T.81 annex B), created once for all users.
///
/// The server checks the structure and copies the data without decoding it. As in a camera's, about one byte in 256 is
/// 0xFF, followed by a zero.
struct LoadPhoto: Sendable {
    let bytes: Data
    /// In hexadecimal digits.
    let sha256: String

    /// A photo of this size, at least 1,000 bytes.
    init(count: Int) {
        var content = Self.head
        content.reserveCapacity(count)
        var number: UInt32 = 2_463_534_242
        while content.count < count - 2 {
            // Xorshift (Marsaglia 2003), which is fast and good enough.
            number ^= number << 13
            number ^= number >> 17
            number ^= number << 5
            let byte = UInt8(truncatingIfNeeded: number)
            content.append(byte == 0xFF && content.count == count - 3 ? 0 : byte)
            if content.last == 0xFF { content.append(0) }
        }
        content += [0xFF, 0xD9]
        bytes = Data(content)
        sha256 = SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Everything before the data of the only scan: a grey picture of 4,000 × 3,000 pixels.
    private static let head: [UInt8] =
        [0xFF, 0xD8]
        + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        + segment(0xC0, [8, 0x0B, 0xB8, 0x0F, 0xA0, 1, 1, 0x11, 0])
        + segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16))
        + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 16))
        + segment(0xDA, [1, 1, 0, 0, 63, 0])

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
}
