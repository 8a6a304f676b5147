/// A grey JPEG, decodable, with whatever segments a test adds.
struct JPEGSample {
    var width = 16
    var height = 8
    var frame: UInt8 = 0xC0
    /// The quantization table that the frame names; there is only table 0.
    var table: UInt8 = 0
    /// Segments behind the start of the image, in order.
    var applications: [[UInt8]] = []
    /// Header and data of the scans; nil for one with all of the picture.
    var scans: [[UInt8]]?
    /// Bytes between the marker of the image's end and the end of the file.
    var behind: [UInt8] = []

    static func segment(_ marker: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        [0xFF, marker] + PictureBytes.bigEndian(content.count + 2, 2) + content
    }

    static func segment(_ marker: UInt8, _ signature: String, _ content: [UInt8] = []) -> [UInt8] {
        segment(marker, Array(signature.utf8) + content)
    }

    static let jfif = segment(0xE0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 0, 0])
    static let adobe = segment(0xEE, "Adobe", [0, 100, 0, 0, 0, 0, 1])

    static func exif(orientation: Int = 6, isBigEndian: Bool = true) -> [UInt8] {
        segment(0xE1, "Exif\0\0", PictureBytes.tiff(orientation: orientation, isBigEndian: isBigEndian))
    }

    /// The segment of Exif that remains: only the orientation.
    static func exifLeft(_ orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
        return segment(0xE1, "Exif\0\0", tiff + [0, 0, 0, 0, 0, 0])
    }

    /// Tables that encode each block of the picture in two bits: no difference from the previous one, and the end.
    static let tables =
        segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        + segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16))
        + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 16))

    static func scan(first: UInt8 = 0, last: UInt8 = 63, data: [UInt8]) -> [UInt8] {
        segment(0xDA, [1, 1, 0, first, last, 0]) + data
    }

    var bytes: [UInt8] { start + body + [0xFF, 0xD9] + behind }

    /// The tables, the frame and the scans.
    var body: [UInt8] {
        let blocks = (width + 7) / 8 * ((height + 7) / 8)
        let size = PictureBytes.bigEndian(height, 2) + PictureBytes.bigEndian(width, 2)
        let all = Self.scan(data: [UInt8](repeating: 0, count: blocks / 4) + (blocks % 4 == 0 ? [] : [0x0F]))
        return Self.tables + Self.segment(frame, [8] + size + [1, 1, 0x11, table]) + (scans ?? [all]).flatMap { $0 }
    }

    private var start: [UInt8] { [0xFF, 0xD8] + applications.flatMap { $0 } }

    /// The file with only some application segments.
    func cleaned(keeping kept: [[UInt8]] = []) -> [UInt8] {
        [0xFF, 0xD8] + kept.flatMap { $0 } + body + [0xFF, 0xD9]
    }
}
