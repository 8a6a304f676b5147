/// The colour profile of a JPEG, which may be split over several segments (ICC.1:2022 section B.4).
struct JPEGProfile {
    private static let longestPiece = 65_533 - JPEGMarker.profile.count - 2

    private var pieces: [UInt8: ByteReader] = [:]
    private var total: UInt8?
    private var isBroken = false

    /// Adds a segment, read from after its signature.
    mutating func add(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        let (number, count) = (try segment.byte(), try segment.byte())
        if pieces.updateValue(segment, forKey: number) != nil || count != total ?? count { isBroken = true }
        total = count
    }

    /// Writes the segments of the profile, if it is consistent.
    func write(to output: ImageOutput) throws(ImageProblem) {
        let numbers = pieces.keys.sorted()
        guard !isBroken, numbers.first == 1, numbers.count == Int(total ?? 0), numbers.last == total else { return }
        let parts = numbers.compactMap { pieces[$0] }
        guard parts.reduce(0, { $0 + $1.count }) <= ICCProfile.longest else { return }
        var sent: [UInt8] = []
        for part in parts { sent += try part.bytes(most: ICCProfile.longest) ?? [] }
        guard let profile = ICCProfile(sent)?.bytes else { return }
        let count = (profile.count + Self.longestPiece - 1) / Self.longestPiece
        for number in 1...count {
            let piece = profile.dropFirst((number - 1) * Self.longestPiece).prefix(Self.longestPiece)
            var segment: [UInt8] = []
            segment.append(segment: 0xE2, JPEGMarker.profile + [UInt8(number), UInt8(count)] + piece)
            try output.append(segment)
        }
    }
}
