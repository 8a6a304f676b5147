/// The checksum of ZIP entries (CRC-32 of ISO 3309, reflected polynomial EDB88320).
struct CRC32 {
    private var register: UInt32 = .max

    /// The checksum of all bytes so far.
    var value: UInt32 { ~register }

    /// Adds the next bytes, eight at a time ("slicing by eight", Kounavis and Berry 2005).
    mutating func update(_ bytes: [UInt8]) {
        let (tables, span) = (Self.tables, bytes.span.bytes)
        var index = 0
        while index + 8 <= bytes.count {
            let loaded = UInt64(littleEndian: span.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let word = loaded ^ UInt64(register)
            var next: UInt32 = 0
            for lane in 0..<8 { next ^= tables[(7 - lane) * 256 + Int(word >> (8 * lane) & 0xFF)] }
            register = next
            index += 8
        }
        for byte in bytes[index...] { register = register >> 8 ^ tables[Int((register ^ UInt32(byte)) & 0xFF)] }
    }

    /// Eight tables of 256 words; table n continues table n − 1 by a byte of 0.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { index -> UInt32 in
            (0..<8).reduce(UInt32(index)) { word, _ in word >> 1 ^ (word & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        for index in 256..<2_048 { tables.append(tables[index - 256] >> 8 ^ tables[Int(tables[index - 256] & 0xFF)]) }
        return tables
    }()
}
