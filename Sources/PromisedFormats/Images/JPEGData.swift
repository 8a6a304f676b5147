/// The data of a scan of a JPEG, read in pieces (ITU-T T.81 section B.1.1.5).
///
/// The loop is optimized for speed: it examines all bytes of a photo, eight at a time unless one of them is 0xFF.
struct JPEGData {
    /// `true` at a marker that is not a restart.
    private(set) var isOver = false
    private let hasRestarts: Bool
    private var restarts: UInt8 = 0

    /// The data after the header of a scan.
    init(hasRestarts: Bool) { self.hasRestarts = hasRestarts }

    /// Copies data without fill bytes, up to a marker, or to a last byte whose meaning depends on the next one.
    ///
    /// - Parameters:
    ///   - bytes: two or more bytes of the file, the next of the reader.
    /// - Returns: the number of bytes read, at least one unless the data have ended.
    mutating func copy(
        _ bytes: UnsafeRawBufferPointer,
        of reader: ByteReader,
        to output: ImageOutput
    ) throws(ImageProblem) -> Int {
        let start = reader.offset
        var (first, next) = (0, 0)
        while true {
            next = Self.mark(in: bytes, from: next)
            guard next + 1 < bytes.count else { break }
            let code = bytes[next + 1]
            if code == 0xFF {
                // The first of two bytes of 0xFF is a fill byte.
                try reader.countFill()
                try output.append(start + first..<start + next)
                first = next + 1
                next = first
                continue
            }
            // A zero is not a marker: it marks 0xFF as data.
            if code != 0, try !isRestart(code) {
                isOver = true
                break
            }
            next += 2
        }
        let end = min(next, bytes.count)
        try output.append(start + first..<start + end)
        return end
    }

    private mutating func isRestart(_ code: UInt8) throws(ImageProblem) -> Bool {
        guard JPEGMarker.restart.contains(code) else { return false }
        guard hasRestarts, code == JPEGMarker.restart.lowerBound + restarts else {
            throw .malformed(reason: "a restart marker is out of order")
        }
        restarts = (restarts + 1) % 8
        return true
    }

    /// The index of the next 0xFF; the number of bytes without one.
    private static func mark(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            // A byte of 0xFF becomes zero in the complement, and only such a byte borrows (exact for the lowest one).
            let rest = ~UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marks = (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] != 0xFF { index += 1 }
        return index
    }
}
