/// The tables of a JPEG that its structure depends on (ITU-T T.81 section B.2.4).
struct JPEGTables {
    /// Bit n is set if there is a quantization table n.
    private(set) var quantization: UInt8 = 0
    /// `true` if restart markers separate the scans' data.
    private(set) var hasRestarts = false

    /// Checks the segment of a table.
    mutating func read(_ marker: UInt8, _ segment: ByteReader) throws(ImageProblem) {
        switch marker {
        case JPEGMarker.quantization: try readQuantization(segment)
        case JPEGMarker.huffman: try checkHuffman(segment)
        case JPEGMarker.restartInterval:
            var segment = segment
            hasRestarts = try segment.bigEndian(2) > 0
            guard segment.count == 0 else { throw .malformed(reason: "the restart interval has a wrong length") }
        default: throw .malformed(reason: "there is an unexpected marker")
        }
    }

    private mutating func readQuantization(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        while segment.count > 0 {
            let kind = try segment.byte()
            guard kind >> 4 < 2, kind & 15 < 4 else { throw .malformed(reason: "a quantization table is invalid") }
            _ = try segment.part(kind >> 4 == 0 ? 64 : 128)
            quantization |= 1 << (kind & 15)
        }
    }

    private func checkHuffman(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        while segment.count > 0 {
            let kind = try segment.byte()
            let count = try segment.take(16).reduce(0) { $0 + Int($1) }
            guard kind >> 4 < 2, kind & 15 < 4, count <= 256 else {
                throw .malformed(reason: "a Huffman table is invalid")
            }
            _ = try segment.part(count)
        }
    }
}
