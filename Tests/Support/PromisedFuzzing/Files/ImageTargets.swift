import PromisedFormats

extension FuzzTarget {
    static let jpeg = image("jpeg")
    /// The checksums of an input's chunks are corrected first, because a fuzzer cannot guess them.
    static let png = image("png", prepared: withChecksums)
    static let webP = image("webp")

    private static func image(
        _ name: String,
        prepared: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
    ) -> FuzzTarget {
        FuzzTarget(
            name,
            "A picture is refused, or holds no metadata and is cleaned again to the same bytes.",
            longest: 8_192
        ) { bytes throws(Violation) in
            let bytes = prepared(bytes)
            guard let image = try? CleanedImage(cleaning: bytes) else { return }
            let again: CleanedImage
            do {
                again = try CleanedImage(cleaning: image.bytes)
            } catch {
                throw Violation("the cleaned picture is refused: \(error)")
            }
            try require(again == image, "cleaned again it has \(again.bytes.count) bytes, not \(image.bytes.count)")
            // The orientation of a JPEG and colour profiles are rewritten; that of a PNG is not recompressed.
            let growth = 512 + (image.format == .png ? 131_072 : 0)
            try require(image.bytes.count <= bytes.count + growth, "it has grown")
            let strange = PictureParts.names(of: image.bytes, image.format).subtracting(PictureParts.kept)
            try require(strange.isEmpty, "it keeps \(strange.sorted())")
        }
    }
}

/// A PNG with the correct checksum of each complete chunk (ISO 3309, least significant bit first).
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var offset = 8
    while offset + 12 <= bytes.count {
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        let end = offset + 8 + length
        guard end + 4 <= bytes.count else { break }
        var sum = UInt32.max
        for byte in bytes[offset + 4..<end] {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: ~sum >> UInt32(24 - 8 * index)) }
        offset = end + 4
    }
    return bytes
}

/// The parts of a cleaned picture, found by an independent walk.
private enum PictureParts {
    /// The parts that show the picture; of PNG those of the specification that change how it looks.
    static let kept: Set<String> = [
        "APP0", "APP1 34", "APP2", "APP14", "DQT", "DHT", "DRI", "SOF", "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA",
        "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP",
    ]

    static func names(of bytes: [UInt8], _ format: ImageFormat) -> Set<String> {
        switch format {
        case .jpeg: jpeg(bytes)
        case .png: chunks(bytes, from: 8, typeAt: 4, isBigEndian: true)
        case .webP: chunks(bytes, from: 12, typeAt: 0, isBigEndian: false)
        }
    }

    /// The segments before the first scan.
    private static func jpeg(_ bytes: [UInt8]) -> Set<String> {
        var names: Set<String> = []
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset + 1] != 0xDA {
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            switch bytes[offset + 1] {
            case 0xE1: names.insert("APP1 \(length)")
            case let marker where (0xE0...0xEF).contains(marker): names.insert("APP\(marker & 15)")
            case 0xDB: names.insert("DQT")
            case 0xC4: names.insert("DHT")
            case 0xDD: names.insert("DRI")
            case let marker where (0xC0...0xCF).contains(marker): names.insert("SOF")
            case let marker: names.insert("\(marker)")
            }
            offset += 2 + length
        }
        return names
    }

    private static func chunks(_ bytes: [UInt8], from: Int, typeAt: Int, isBigEndian: Bool) -> Set<String> {
        var names: Set<String> = []
        var offset = from
        while offset + 8 <= bytes.count {
            names.insert(String(decoding: bytes[offset + typeAt..<offset + typeAt + 4], as: UTF8.self))
            let size = bytes[offset + 4 - typeAt..<offset + 8 - typeAt]
            let length = (isBigEndian ? Array(size) : size.reversed()).reduce(0) { $0 << 8 | Int($1) }
            offset += isBigEndian ? 12 + length : 8 + length + length % 2
        }
        return names
    }
}
