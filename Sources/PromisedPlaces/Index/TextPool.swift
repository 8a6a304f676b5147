/// Distinct texts, numbered in the order in which they were added, each with its key.
///
/// Streets, regions and hours repeat: a million addresses have some ten thousand streets.
struct TextPool: Sendable {
    /// The bytes of all texts in UTF-8.
    private var bytes: [UInt8] = []
    /// Where each text begins in ``bytes``, and the end of the last one.
    private var offsets: [UInt32] = [0]
    /// The keys of all texts.
    private var keys = KeyBuffer()
    /// Where each key begins, and the end of the last one.
    private var keyOffsets: [UInt32] = [0]
    /// Open addressing: a number plus one in the lower half, a part of the hash in the upper one; or 0. A power of two, at
    /// most half full.
    private var slots = [UInt64](repeating: 0, count: 64)

    /// The number of texts.
    var count: Int { offsets.count - 1 }

    /// The size of the completed pool in bytes.
    var byteCount: Int { bytes.count + (offsets.count + keyOffsets.count) * 4 + keys.units.count * 2 }

    /// A text by its number.
    func text(_ number: Int) -> String {
        String(decoding: bytes[Int(offsets[number])..<Int(offsets[number + 1])], as: UTF8.self)
    }

    /// The key of a text by its number.
    func key(_ number: Int) -> ArraySlice<UInt16> {
        keys.units[Int(keyOffsets[number])..<Int(keyOffsets[number + 1])]
    }

    /// Calls `body` with all keys.
    func withColumn<Result>(_ body: (UnitColumn) -> Result) -> Result { keys.withColumn(keyOffsets, body) }

    /// Calls `body` with the units of all keys, and with the ranges of single ones in them.
    @inline(__always)
    func withKeys<Result>(_ body: (UnsafeBufferPointer<UInt16>, (Int) -> Range<Int>) -> Result) -> Result {
        keys.units.withUnsafeBufferPointer { units in
            body(units) { Int(keyOffsets[$0])..<Int(keyOffsets[$0 + 1]) }
        }
    }

    /// The number of a text; a new text gets a new number.
    mutating func number(of text: String) -> Int {
        var text = text
        return text.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
    }

    /// The number of a text by its bytes, which are those of a `String`.
    mutating func number(of text: UnsafeRawBufferPointer) -> Int {
        let hash = TextPool.hash(text)
        let tag = hash & 0xFFFF_FFFF_0000_0000
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] & 0xFFFF_FFFF_0000_0000 == tag, isEqual(number, text) { return number }
            slot = (slot + 1) & mask
        }
        slots[slot] = tag | UInt64(count + 1)
        append(text)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// Releases the memory reserved for new texts.
    mutating func complete() {
        slots = []
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        offsets.append(UInt32(bytes.count))
        keys.append(keyOf: text)
        keyOffsets.append(UInt32(keys.units.count))
    }

    private func isEqual(_ number: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let (start, end) = (Int(offsets[number]), Int(offsets[number + 1]))
        guard end - start == text.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            TextPool.isEqual(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), text)
        }
    }

    private mutating func grow() {
        slots = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        bytes.withUnsafeBytes { bytes in
            for number in 0..<count {
                let text = UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[number])..<Int(offsets[number + 1])])
                let hash = TextPool.hash(text)
                var slot = Int(truncatingIfNeeded: hash) & mask
                while slots[slot] != 0 { slot = (slot + 1) & mask }
                slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(number + 1)
            }
        }
    }

    // MARK: - Bytes

    /// Compares eight bytes at a time; both texts have the same length.
    private static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= left.count {
            let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += 8
        }
        while offset < left.count {
            guard left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Mixes in eight bytes at a time by a multiplication.
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= text.count {
            hash = mix(hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = rest << 8 | UInt64(text[offset])
            offset += 1
        }
        return mix(hash ^ rest)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}

extension TextPool {
    /// All texts by number.
    var texts: [String] { (0..<count).map(text) }
}
