/// The colour profile of a JPEG, which may be divided among several segments (ICC.1:2022 section B.4).
struct JPEGProfile {
    private static let longestPiece = 65_533 - JPEGMarker.profile.count - 2

    private var pieces: [UInt8: ArraySlice<UInt8>] = [:]
    private var total: UInt8?
    private var isBroken = false

    /// Takes a segment from behind its signature.
    mutating func add(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        let (number, count) = (try segment.byte(), try segment.byte())
        if pieces.updateValue(segment.rest, forKey: number) != nil || count != total ?? count { isBroken = true }
        total = count
    }

    /// The segments of a whole profile, empty for one that is not whole.
    var segments: [UInt8] {
        let numbers = pieces.keys.sorted()
        guard !isBroken, numbers.first == 1, numbers.count == Int(total ?? 0), numbers.last == total,
            var rest = ICCProfile.cleaned(numbers.flatMap { pieces[$0] ?? [] })
        else { return [] }
        var written: [UInt8] = []
        let count = (rest.count + Self.longestPiece - 1) / Self.longestPiece
        for number in 1...count {
            let place = [UInt8(number), UInt8(count)]
            written.append(segment: 0xE2, JPEGMarker.profile + place + rest.prefix(Self.longestPiece))
            rest = rest.dropFirst(Self.longestPiece)
        }
        return written
    }
}
