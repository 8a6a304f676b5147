/// A WebP of one pixel, decodable, with whatever chunks a test adds.
struct WebPSample {
    /// Chunks behind the words RIFF, size and WEBP.
    var chunks = [lossy]
    /// Bytes after the file's stated length.
    var behind: [UInt8] = []

    static let lossy = chunk(
        "VP8 ",
        [0x30, 0x01, 0x00, 0x9D, 0x01, 0x2A, 0x01, 0x00, 0x01, 0x00, 0x0E, 0xC0, 0xFE, 0x25, 0xA4, 0x00, 0x03, 0x70]
            + [0x00, 0x00, 0x00, 0x00]
    )
    static let lossless = chunk(
        "VP8L",
        [0x2F, 0x00, 0x00, 0x00, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07]
    )
    static let alpha = chunk("ALPH", [0, 0x7F])
    static let exif = chunk("EXIF", PictureBytes.tiff())
    static let xmp = chunk("XMP ", PictureBytes.positionText)
    static let profile = chunk("ICCP", PictureBytes.profile())
    static let animation = chunk("ANIM", [0, 0, 0, 0, 0, 0])

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
        return Array(type.utf8) + PictureBytes.littleEndian(content.count, 4) + content + padding
    }

    /// The header of an extended file: flags 0x20 profile, 0x10 alpha, 0x08 Exif, 0x04 XMP, 0x02 animation.
    static func extended(_ flags: UInt8, width: Int = 1, height: Int = 1) -> [UInt8] {
        let size = PictureBytes.littleEndian(width - 1, 3) + PictureBytes.littleEndian(height - 1, 3)
        return chunk("VP8X", [flags, 0, 0, 0] + size)
    }

    /// A frame of an animation with its upper left corner at twice (x, y).
    static func frame(_ chunks: [[UInt8]] = [lossy], x: Int = 0, y: Int = 0, width: Int = 1) -> [UInt8] {
        let place = [x, y, width - 1, 0, 100].flatMap { PictureBytes.littleEndian($0, 3) }
        return chunk("ANMF", place + [0] + chunks.flatMap { $0 })
    }

    var bytes: [UInt8] {
        let content = Array("WEBP".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + PictureBytes.littleEndian(content.count, 4) + content + behind
    }
}
