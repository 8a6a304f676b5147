/// The secure hash algorithm with 256 bits (FIPS 180-4, section 6.2): identifies the bytes of a file.
///
/// Implemented here because the package depends on no cryptographic library; it hashes no secrets.
struct SHA256: Sendable {
    private static let blockLength = 64
    /// FIPS 180-4, section 4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// FIPS 180-4, section 5.3.3.
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)
    /// The bytes after the last whole block.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    init() {}

    /// The digest of some bytes in 64 hexadecimal digits, lower case.
    static func hex(of bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hex()
    }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        rest.append(contentsOf: bytes)
        var start = 0
        while rest.count - start >= Self.blockLength {
            compress(at: start)
            start += Self.blockLength
        }
        byteCount += UInt64(start)
        rest.removeFirst(start)
    }

    /// The digest of all bytes so far in 64 hexadecimal digits, lower case.
    func hex() -> String {
        var last = self
        let bitCount = (byteCount + UInt64(rest.count)) * 8
        let zeros = (2 * Self.blockLength - 9 - rest.count) % Self.blockLength
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
        last.update([0x80] + [UInt8](repeating: 0, count: zeros) + length)
        return last.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func compress(at start: Int) {
        expand(at: start)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ Self.sum(e, 6, 11, 25) &+ choice &+ Self.constants[round] &+ schedule[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = Self.sum(a, 2, 13, 22) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private mutating func expand(at start: Int) {
        for index in 0..<16 {
            schedule[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(rest[start + 4 * index + $1]) }
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ (early >> 3)
            let second = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
    }

    private static func sum(_ word: UInt32, _ a: UInt32, _ b: UInt32, _ c: UInt32) -> UInt32 {
        rotated(word, a) ^ rotated(word, b) ^ rotated(word, c)
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
