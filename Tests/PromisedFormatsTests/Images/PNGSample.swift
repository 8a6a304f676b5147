/// A PNG of one grey pixel, decodable, with whatever chunks a test adds.
struct PNGSample {
    var width = 1
    var height = 1
    var depth: UInt8 = 8
    var colourType: UInt8 = 0
    var interlace: UInt8 = 0
    /// Chunks between header and data.
    var before: [[UInt8]] = []
    var data = [chunk("IDAT", pixel)]
    /// Chunks between data and end.
    var after: [[UInt8]] = []
    /// Bytes behind the end.
    var behind: [UInt8] = []

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// A row of one black pixel, compressed.
    static let pixel: [UInt8] = [0x78, 0x9C, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01]

    static func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return PictureBytes.bigEndian(content.count, 4) + checked + PictureBytes.bigEndian(checksum(checked), 4)
    }

    /// The remainder by the polynomial of ISO 3309, bit by bit.
    static func checksum(_ bytes: [UInt8]) -> Int {
        var rest = UInt32.max
        for byte in bytes {
            for bit in 0..<8 {
                let isOdd = (rest ^ UInt32(byte) >> UInt32(bit)) & 1 == 1
                rest = rest >> 1 ^ (isOdd ? 0xEDB8_8320 : 0)
            }
        }
        return Int(~rest)
    }

    var header: [UInt8] {
        let size = PictureBytes.bigEndian(width, 4) + PictureBytes.bigEndian(height, 4)
        return Self.chunk("IHDR", size + [depth, colourType, 0, 0, interlace])
    }

    var bytes: [UInt8] { picture(before, data, after) + behind }

    /// The file with only some chunks between header and data.
    func cleaned(keeping kept: [[UInt8]] = []) -> [UInt8] { picture(kept, data, []) }

    private func picture(_ before: [[UInt8]], _ data: [[UInt8]], _ after: [[UInt8]]) -> [UInt8] {
        Self.signature + header + (before + data + after).flatMap { $0 } + Self.chunk("IEND")
    }
}
