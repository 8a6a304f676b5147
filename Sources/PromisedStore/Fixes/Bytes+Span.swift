/// Reads the output of a ``ByteWriter`` in place; never reads past the end, whatever the input.
///
/// `position` is the index of the next byte.
extension Span<UInt8> {
    func readByte(at position: inout Int) throws(StoreError) -> UInt8 {
        guard position < count else { throw .damaged("Bytes that end prematurely") }
        defer { position += 1 }
        return self[position]
    }

    /// Eight bytes, least significant first.
    func readFixed(at position: inout Int) throws(StoreError) -> UInt64 {
        guard count - position >= 8 else { throw .damaged("Bytes that end prematurely") }
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(self[position + index]) << UInt64(8 * index) }
        position += 8
        return word
    }

    /// A number of 1 to 10 bytes.
    func readNumber(at position: inout Int) throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try readByte(at: &position)
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw .damaged("A number without an end")
    }

    /// The range of the next text or block, without its length.
    func readRange(at position: inout Int) throws(StoreError) -> Range<Int> {
        let length = try readNumber(at: &position)
        guard length <= UInt64(count - position) else { throw .damaged("Bytes that end prematurely") }
        defer { position += Int(length) }
        return position..<position + Int(length)
    }
}
