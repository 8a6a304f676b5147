/// The chunks of a WebP (RFC 9649 §2).
enum WebPChunk {
    static let riff = Array("RIFF".utf8)
    static let webP = Array("WEBP".utf8)
    static let lossy = Array("VP8 ".utf8)
    static let lossless = Array("VP8L".utf8)
    static let extended = Array("VP8X".utf8)
    static let alpha = Array("ALPH".utf8)
    static let profile = Array("ICCP".utf8)
    static let animation = Array("ANIM".utf8)
    static let frame = Array("ANMF".utf8)

    /// The next chunk; consumes the byte that pads an odd one.
    static func next(_ reader: inout ByteReader) throws(ImageProblem) -> (type: [UInt8], content: ByteReader) {
        let type = Array(try reader.take(4))
        let length = try reader.littleEndian(4)
        let content = try reader.part(length)
        if length % 2 == 1 { _ = try reader.byte() }
        return (type, content)
    }
}

extension [UInt8] {
    /// Appends a chunk of RIFF, padded to an even length.
    mutating func append(chunk type: [UInt8], _ content: some Collection<UInt8>) {
        self += type
        append(littleEndian: content.count, length: 4)
        self += content
        if content.count % 2 == 1 { append(0) }
    }
}
