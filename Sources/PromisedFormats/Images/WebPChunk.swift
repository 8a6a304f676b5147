/// The chunks of a WebP (RFC 9649 §2).
enum WebPChunk {
    static let riff = Array("RIFF".utf8)
    static let webP = Array("WEBP".utf8)

    static let lossy = code("VP8 ")
    static let lossless = code("VP8L")
    static let extended = code("VP8X")
    static let alpha = code("ALPH")
    static let profile = code("ICCP")
    static let animation = code("ANIM")
    static let frame = code("ANMF")

    /// Four letters as a number, the first least significant.
    private static func code(_ letters: String) -> Int { letters.utf8.reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// The next chunk; consumes the byte that pads an odd one.
    static func next(_ reader: inout ByteReader) throws(ImageProblem) -> (type: Int, content: ByteReader) {
        let type = try reader.littleEndian(4)
        let length = try reader.littleEndian(4)
        let content = try reader.part(length)
        if length % 2 == 1 { _ = try reader.byte() }
        return (type, content)
    }
}

extension ImageOutput {
    /// Appends the type and the length of a chunk of RIFF.
    func append(chunk type: Int, _ length: Int) throws(ImageProblem) {
        var head: [UInt8] = []
        head.append(littleEndian: type, length: 4)
        head.append(littleEndian: length, length: 4)
        try append(head)
    }

    /// Appends a chunk of the file with the type and the length in front of it, padded to an even length.
    func append(chunk content: ByteReader) throws(ImageProblem) {
        try append(content.range.lowerBound - 8..<content.range.upperBound)
        if content.count % 2 == 1 { try append([0]) }
    }
}
