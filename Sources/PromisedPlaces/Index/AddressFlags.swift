/// Flags of the parts of addresses: which of them contain a term, or an end of it.
///
/// Parts that first occur in the same rows have numbers close together, so 64 are evaluated at once as soon as one is
/// needed.
struct AddressFlags {
    /// A head, whose end may be the beginning of the term, or a tail, whose beginning may be the end of it.
    enum Side {
        case head
        case tail
    }

    /// Bits of ``flags``.
    enum Flag {
        static let hasTerm: UInt8 = 1
        static let hasEnd: UInt8 = 2
        static let isKnown: UInt8 = 4
    }

    private let side: Side
    private var flags: [UInt8]
    private static let chunk = 64

    init(_ side: Side, count: Int) {
        self.side = side
        flags = Array(repeating: 0, count: count)
    }

    /// The flags of at most 64 rows, a bit for each: parts that contain the term, and an end of it.
    @inline(__always)
    mutating func bits(
        of numbers: UnsafeBufferPointer<UInt32>,
        _ pattern: UnitPattern,
        _ column: UnitColumn
    ) -> (terms: UInt64, ends: UInt64) {
        for number in numbers where flags[Int(number)] == 0 {
            look(at: Int(number) & ~(AddressFlags.chunk - 1), pattern, column)
        }
        return flags.withUnsafeBufferPointer { flags in
            var (terms, ends) = (UInt64(0), UInt64(0))
            for (place, number) in numbers.enumerated() {
                let flags = UInt64(flags[Int(number)])
                terms |= (flags & 1) << UInt64(place)
                ends |= (flags >> 1 & 1) << UInt64(place)
            }
            return (terms, ends)
        }
    }

    private mutating func look(at start: Int, _ pattern: UnitPattern, _ column: UnitColumn) {
        let numbers = start..<min(start + AddressFlags.chunk, flags.count)
        let side = side
        flags.withUnsafeMutableBufferPointer { flags in
            for number in numbers { flags[number] = Flag.isKnown }
            var number = start
            let units = Int(column.offsets[numbers.lowerBound])..<Int(column.offsets[numbers.upperBound])
            pattern.forEachMatch(in: column, units) { offset in
                while column.offsets[number + 1] <= offset { number += 1 }
                let end = Int(column.offsets[number + 1])
                guard offset + pattern.count <= end else { return offset + 1 }
                flags[number] |= Flag.hasTerm
                return end
            }
            guard pattern.hasDigitInside else { return }
            for number in numbers where AddressFlags.hasEnd(side, column.range(of: number), pattern, column) {
                flags[number] |= Flag.hasEnd
            }
        }
    }

    /// `true` if a part contains an end of the term and leaves another end for the other part.
    @inline(__always)
    private static func hasEnd(
        _ side: Side,
        _ range: Range<Int>,
        _ pattern: UnitPattern,
        _ column: UnitColumn
    ) -> Bool {
        (1..<max(1, pattern.count)).contains { isEnd($0, side, range, pattern, column) }
    }

    /// `true` if a head ends with the first `length` positions, or a tail begins with the remaining ones.
    @inline(__always)
    private static func isEnd(
        _ length: Int,
        _ side: Side,
        _ range: Range<Int>,
        _ pattern: UnitPattern,
        _ column: UnitColumn
    ) -> Bool {
        switch side {
        case .head:
            range.count >= length && pattern.matches(0..<length, column, at: range.upperBound - length)
        case .tail:
            range.count >= pattern.count - length
                && pattern.matches(length..<pattern.count, column, at: range.lowerBound)
        }
    }

    /// `true` if a head ends with a beginning of the term and a tail continues with the rest.
    static func isAcross(_ head: Int, _ tail: Int, _ pattern: UnitPattern, _ columns: SearchColumns) -> Bool {
        (1..<max(1, pattern.count)).contains { length in
            isEnd(length, .head, columns.heads.range(of: head), pattern, columns.heads)
                && isEnd(length, .tail, columns.tails.range(of: tail), pattern, columns.tails)
        }
    }
}
