/// Pieces of pictures, built byte by byte and apart from the code under test.
enum PictureBytes {
    /// The position of the tests' pictures: the numbers of the GPS directory of Exif (37° 33′ 59.5241″).
    static let position = [37, 1, 33, 1, 595_241, 10_000].flatMap { bigEndian($0, 4) }
    /// The same as a text, for XMP, IPTC, comments and films.
    static let positionText = Array("+37.566535+126.977969/".utf8)

    static func bigEndian(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func littleEndian(_ number: Int, _ length: Int) -> [UInt8] { bigEndian(number, length).reversed() }

    /// A TIFF structure with an orientation, a text, a GPS directory and a complete JPEG as thumbnail.
    static func tiff(orientation: Int = 6, type: Int = 3, count: Int = 1, isBigEndian: Bool = true) -> [UInt8] {
        let number = isBigEndian ? bigEndian : littleEndian
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let gps = 8 + 2 + 3 * 12 + 4
        let start = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
        let first =
            number(3, 2) + entry(0x010F, 2, 4, Array("Cam\0".utf8))
            + entry(0x0112, type, count, number(orientation, 2) + [0, 0])
            + entry(0x8825, 4, 1, number(gps, 4)) + number(0, 4)
        let second = number(1, 2) + entry(0x0002, 5, 3, number(gps + 18, 4)) + number(0, 4) + position
        return start + first + second + positionText + JPEGSample().bytes
    }

    /// A grey colour profile as a finished picture has it: a curve, and the texts and the date that all have. Its length is
    /// at least 228 bytes and a multiple of four.
    static func profile(length: Int = 300) -> [UInt8] {
        precondition(length >= 228 && length % 4 == 0, "a profile has 228 bytes or more, by fours")
        let points = (length - 224) / 2
        let curve =
            Array("curv\0\0\0\0".utf8) + bigEndian(points, 4)
            + (0..<2 * points).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return profile([("desc", finishedText), ("cprt", finishedText), ("kTRC", curve)])
    }

    /// A version 4 text "Colours".
    private static let finishedText =
        Array("mluc\0\0\0\0".utf8) + bigEndian(1, 4) + bigEndian(12, 4) + Array("enUS".utf8)
        + bigEndian(14, 4) + bigEndian(28, 4) + Array("Colours".utf8).flatMap { [0, $0] }

    /// A grey profile of version 4 with some tags; equal values are stored once.
    ///
    /// - Parameters:
    ///   - header: replaces parts of the header, by their offsets.
    static func profile(_ tags: [(String, [UInt8])], header: [Int: [UInt8]] = [:]) -> [UInt8] {
        var start = [UInt8](repeating: 0, count: 128)
        let parts: [Int: [UInt8]] = [
            8: [4, 0x30], 12: Array("mntrGRAYXYZ ".utf8), 24: [0x07, 0xD0, 0, 1, 0, 1], 36: Array("acsp".utf8),
            68: bigEndian(0xF6D6, 4) + bigEndian(0x10000, 4) + bigEndian(0xD32D, 4),
        ]
        for (offset, bytes) in parts.merging(header, uniquingKeysWith: { $1 }) {
            start.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        var (table, data): ([UInt8], [UInt8]) = (bigEndian(tags.count, 4), [])
        var offsets: [[UInt8]: Int] = [:]
        for (name, value) in tags {
            if offsets[value] == nil {
                offsets[value] = 132 + 12 * tags.count + data.count
                data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            }
            table += Array(name.utf8) + bigEndian(offsets[value] ?? 0, 4) + bigEndian(value.count, 4)
        }
        let all = start + table + data
        return bigEndian(all.count, 4) + all[4...]
    }

    /// A profile with a position in its header, texts and private parts.
    static let tellingProfile: [UInt8] = {
        let text = Array("text\0\0\0\0".utf8) + positionText + [0]
        let curve = Array("curv\0\0\0\0".utf8) + bigEndian(38, 4) + (0..<76).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let tags = [("desc", text), ("cprt", text), ("kTRC", curve), ("dmnd", text), ("PRIV", text), ("wtpt", text)]
        // The model of the device, and what follows the profile's maker.
        return profile(tags, header: [24: [0x07, 0xEA, 0, 11], 48: Array(position.prefix(8)), 80: position])
    }()

    /// A zlib stream of one stored block of at most 65,535 bytes.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01, 1] + littleEndian(bytes.count, 2) + littleEndian(~bytes.count & 0xFFFF, 2) + bytes
            + bigEndian(high << 16 | low, 4)
    }

    /// The start of an MP4 film with its position.
    static let film = bigEndian(24, 4) + Array("ftypmp42\0\0\0\0isommp42".utf8) + Array("©xyz".utf8) + positionText

    /// The end record of a ZIP archive behind its central directory of one entry.
    static let archive: [UInt8] = {
        let directory = [0x50, 0x4B, 0x01, 0x02] + [UInt8](repeating: 0, count: 42)
        return directory + archiveEnd(directoryLength: directory.count)
    }()

    /// The end record of an archive of ZIP64 behind the record that leads to its directory.
    static let largeArchive: [UInt8] =
        [0x50, 0x4B, 0x06, 0x07] + [UInt8](repeating: 0, count: 16) + archiveEnd(directoryLength: 0xFFFF_FFFF)

    static func archiveEnd(directoryLength: Int) -> [UInt8] {
        let start: [UInt8] = [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0, 1, 0, 1, 0]
        return start + littleEndian(directoryLength, 4) + [0, 0, 0, 0, 0, 0]
    }
}

extension [UInt8] {
    /// `true` if the bytes occur anywhere.
    func holds(_ pattern: some Collection<UInt8>) -> Bool {
        guard let first = pattern.first else { return true }
        return indices.contains { self[$0] == first && self[$0...].starts(with: pattern) }
    }

    /// `true` if any part contains the position of the tests' pictures.
    var holdsPosition: Bool {
        // Finds each number of the position also alone, in either order of bytes.
        let seconds = PictureBytes.bigEndian(595_241, 4)
        return holds(PictureBytes.position) || holds(PictureBytes.positionText) || holds(seconds)
            || holds(seconds.reversed()) || holds("+37.56".utf8)
    }
}
