/// The orientation of a picture in Exif (CIPA DC-008 section 4.6.4, tag 0x0112).
enum ExifOrientation {
    private static let tag = 0x0112
    private static let typeShort = 3

    /// The orientation, 2…8, in the first directory of a TIFF structure; nil if it is 1, absent or malformed.
    static func read(_ tiff: ByteReader) -> Int? {
        do throws(ImageProblem) {
            return try find(in: tiff)
        } catch {
            // Damaged metadata does not damage the picture: it is removed anyway.
            return nil
        }
    }

    private static func find(in tiff: ByteReader) throws(ImageProblem) -> Int? {
        var reader = tiff
        let isBigEndian: Bool
        switch try reader.take(2) {
        case Array("MM".utf8): isBigEndian = true
        case Array("II".utf8): isBigEndian = false
        default: return nil
        }
        func number(_ length: Int) throws(ImageProblem) -> Int {
            isBigEndian ? try reader.bigEndian(length) : try reader.littleEndian(length)
        }
        guard try number(2) == 42 else { return nil }
        let directory = try number(4)
        guard directory >= 8 else { return nil }
        _ = try reader.part(directory - 8)
        for _ in 0..<(try number(2)) {
            let (tag, type, count) = (try number(2), try number(2), try number(4))
            let value = try number(2)
            _ = try number(2)
            guard tag == Self.tag else { continue }
            return type == typeShort && count == 1 && (2...8).contains(value) ? value : nil
        }
        return nil
    }

    /// The content of an APP1 segment with only an orientation.
    static func segment(_ orientation: Int) -> [UInt8] {
        var bytes = JPEGMarker.exif + Array("MM".utf8)
        bytes.append(bigEndian: 42, length: 2)
        bytes.append(bigEndian: 8, length: 4)
        bytes.append(bigEndian: 1, length: 2)
        bytes.append(bigEndian: tag, length: 2)
        bytes.append(bigEndian: typeShort, length: 2)
        bytes.append(bigEndian: 1, length: 4)
        bytes.append(bigEndian: orientation, length: 2)
        // The unused half of the value, and no further directory.
        bytes.append(bigEndian: 0, length: 6)
        return bytes
    }
}
