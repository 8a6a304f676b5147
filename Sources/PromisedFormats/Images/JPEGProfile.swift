/// The colour profile of a JPEG, which may be divided among several segments (ICC.1:2022 section B.4).
struct JPEGProfile {
    private static let longestPiece = 65_533 - JPEGMarker.profile.count - 2

    private var pieces: [UInt8: ByteReader] = [:]
    private var total: UInt8?
    private var isBroken = false

    /// Takes a segment from behind its signature.
    mutating func add(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        let (number, count) = (try segment.byte(), try segment.byte())
        if pieces.updateValue(segment, forKey: number) != nil || count != total ?? count { isBroken = true }
        total = count
    }

    /// Writes the segments of a whole profile, nothing for one that is not whole.
    func write(to output: ImageOutput) throws(ImageProblem) {
        let numbers = pieces.keys.sorted()
        guard !isBroken, numbers.first == 1, numbers.count == Int(total ?? 0), numbers.last == total else { return }
        let parts = numbers.compactMap { pieces[$0] }
        let sent = parts.reduce(0) { $0 + $1.count }
        guard let length = ICCProfile.length(try Self.start(of: parts), of: sent) else { return }
        var ranges = parts.map(\.range)[...]
        let count = (length + Self.longestPiece - 1) / Self.longestPiece
        for number in 1...count {
            let size = min(Self.longestPiece, length - (number - 1) * Self.longestPiece)
            var head: [UInt8] = [0xFF, 0xE2]
            head.append(bigEndian: 2 + JPEGMarker.profile.count + 2 + size, length: 2)
            try output.append(head + JPEGMarker.profile + [UInt8(number), UInt8(count)])
            for range in Self.cut(size, from: &ranges) { try output.append(range) }
        }
    }

    private static func start(of parts: [ByteReader]) throws(ImageProblem) -> [UInt8] {
        var start: [UInt8] = []
        for var part in parts where start.count < ICCProfile.startLength {
            start += try part.take(min(part.count, ICCProfile.startLength - start.count))
        }
        return start
    }

    /// Takes the first `count` bytes away from ranges.
    private static func cut(_ count: Int, from ranges: inout ArraySlice<Range<Int>>) -> [Range<Int>] {
        var taken: [Range<Int>] = []
        var missing = count
        while missing > 0, let first = ranges.popFirst() {
            let size = min(missing, first.count)
            taken.append(first.lowerBound..<first.lowerBound + size)
            if size < first.count { ranges = [first.lowerBound + size..<first.upperBound] + ranges }
            missing -= size
        }
        return taken
    }
}
