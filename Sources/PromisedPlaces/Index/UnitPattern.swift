/// A pattern prepared for scanning millions of units.
///
/// Sixteen units are compared at a time with the first two positions; the others only where both match.
struct UnitPattern {
    /// The number of positions.
    let count: Int

    private let positions: [TextPattern.Position]
    /// The first two positions; the second is like the first if there is only one.
    private let first: TextPattern.Position
    private let second: TextPattern.Position
    /// `true` if a position behind the first one is a digit, so that the pattern may begin in a street and end in a number.
    let hasDigitInside: Bool
    /// `true` if the first two positions are single units: half as much to compare.
    private let hasSingles: Bool
    /// How far the second position is from the first: 1, or 0 if there is only one.
    private let step: Int

    init(_ pattern: TextPattern) {
        positions = pattern.positions
        count = positions.count
        step = min(1, count - 1)
        hasDigitInside = positions.dropFirst().contains { (UInt16(0x30)...0x39).contains($0.lowest) }
        (first, second) = (positions[0], positions[step])
        hasSingles = first.isSingle && second.isSingle
    }

    /// Calls `body` with the offsets at which the pattern lies entirely in a range, ascending. `body` returns the
    /// offset to continue from.
    @inline(__always)
    func forEachMatch(in units: UnitColumn, _ range: Range<Int>, _ body: (Int) -> Int) {
        let last = range.upperBound - count
        let (first, second) = (Lanes(first), Lanes(second))
        var offset = range.lowerBound
        while offset <= last {
            if offset + 16 + step <= units.count {
                guard let lane = firstCandidate(first, second, in: units, at: offset) else {
                    offset += 16
                    continue
                }
                offset += lane
                guard offset <= last else { return }
            }
            offset = matches(units, at: offset) ? body(offset) : offset + 1
        }
    }

    /// `true` if the pattern matches at an offset with enough units after it.
    @inline(__always)
    func matches(_ units: UnitColumn, at offset: Int) -> Bool {
        for place in 0..<count where !positions[place].matches(units.units[offset + place]) { return false }
        return true
    }

    /// `true` if the positions `range` match the units from an offset on.
    func matches(_ range: Range<Int>, _ units: UnitColumn, at offset: Int) -> Bool {
        range.allSatisfy { positions[$0].matches(units.units[offset + $0 - range.lowerBound]) }
    }

    /// A position, to compare with sixteen units at a time.
    private struct Lanes {
        var lowest: SIMD16<UInt16>
        var span: SIMD16<UInt16>
        var also: SIMD16<UInt16>

        @inline(__always)
        init(_ position: TextPattern.Position) {
            lowest = SIMD16(repeating: position.lowest)
            span = SIMD16(repeating: position.span)
            also = SIMD16(repeating: position.also)
        }
    }

    /// The first of sixteen offsets at which the first two positions match.
    @inline(__always)
    private func firstCandidate(_ first: Lanes, _ second: Lanes, in units: UnitColumn, at offset: Int) -> Int? {
        let raw = UnsafeRawPointer(units.units + offset)
        let one = raw.loadUnaligned(as: SIMD16<UInt16>.self)
        let other = raw.loadUnaligned(fromByteOffset: step * 2, as: SIMD16<UInt16>.self)
        let matches =
            hasSingles
            ? (one .== first.lowest) .& (other .== second.lowest)
            : ((one &- first.lowest .<= first.span) .| (one .== first.also))
            .& ((other &- second.lowest .<= second.span) .| (other .== second.also))
        let words = unsafeBitCast(matches, to: SIMD4<UInt64>.self)
        let halves = words.lowHalf | words.highHalf
        guard halves[0] | halves[1] != 0 else { return nil }
        for word in 0..<4 where words[word] != 0 { return word * 4 + words[word].trailingZeroBitCount / 16 }
        return nil
    }
}
