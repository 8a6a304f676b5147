/// Pieces of pictures, built byte by byte and apart from the code under test.
enum PictureBytes {
    /// Where the pictures of the tests were taken: the numbers of the GPS directory of Exif (37° 33′ 59.5241″).
    static let position = [37, 1, 33, 1, 595_241, 10_000].flatMap { bigEndian($0, 4) }
    /// The same as a text, for XMP, IPTC, comments and films.
    static let positionText = Array("+37.566535+126.977969/".utf8)

    static func bigEndian(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func littleEndian(_ number: Int, _ length: Int) -> [UInt8] { bigEndian(number, length).reversed() }

    /// A TIFF structure with an orientation, a text, a GPS directory and a thumbnail that is a whole JPEG.
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

    /// A colour profile of some length, at least 128 bytes.
    static func profile(length: Int = 300) -> [UInt8] {
        var profile = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        profile.replaceSubrange(0..<4, with: bigEndian(length, 4))
        profile.replaceSubrange(36..<40, with: "acsp".utf8)
        return profile
    }

    /// The start of an MP4 film that tells where it was taken.
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

    /// `true` if anything tells where the pictures of the tests were taken.
    var holdsPosition: Bool {
        // Each number of the position is recognised alone as well, in either order of bytes.
        let seconds = PictureBytes.bigEndian(595_241, 4)
        return holds(PictureBytes.position) || holds(PictureBytes.positionText) || holds(seconds)
            || holds(seconds.reversed()) || holds("+37.56".utf8)
    }
}
