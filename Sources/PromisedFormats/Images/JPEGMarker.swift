/// Markers of JPEG (ITU-T T.81, table B.1) and signatures of its application segments.
enum JPEGMarker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let quantization: UInt8 = 0xDB
    static let huffman: UInt8 = 0xC4
    static let restartInterval: UInt8 = 0xDD
    static let comment: UInt8 = 0xFE
    static let application: ClosedRange<UInt8> = 0xE0...0xEF
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    /// Frames of all kinds; three codes in the range are other markers.
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
    static let baseline: UInt8 = 0xC0
    static let extendedSequential: UInt8 = 0xC1
    static let progressive: UInt8 = 0xC2

    /// The first bytes of a file.
    static let signature: [UInt8] = [0xFF, startOfImage, 0xFF]
    /// The content of the retained or rewritten segments begins with these.
    static let jfif = Array("JFIF\0".utf8)
    static let exif = Array("Exif\0\0".utf8)
    static let profile = Array("ICC_PROFILE\0".utf8)
    static let adobe = Array("Adobe".utf8)
}

extension JPEGMarker {
    /// Reads up to the next marker, after any fill bytes (section B.1.1.2), and after bytes outside segments, which all
    /// decoders skip.
    static func next(_ reader: inout ByteReader) throws(ImageProblem) -> UInt8 {
        while true {
            while try reader.byte() != 0xFF {}
            var marker = try reader.byte()
            while marker == 0xFF {
                try reader.countFill()
                marker = try reader.byte()
            }
            if marker != 0 { return marker }
        }
    }
}

extension [UInt8] {
    /// Appends a segment of JPEG with its marker and length.
    mutating func append(segment marker: UInt8, _ content: [UInt8]) {
        self += [0xFF, marker]
        append(bigEndian: content.count + 2, length: 2)
        self += content
    }
}
