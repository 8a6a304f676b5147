/// The text of a term as searches compare it with keys: in each position a unit, or one of a range of units.
///
/// A range matches an unfinished Hangul syllable: `광자` finds 광장, `ㄱㅈㅅㅈ` finds 광장시장.
package struct TextPattern: Hashable, Sendable {
    /// A position: the units `lowest` to `lowest + span`, and `also`.
    struct Position: Hashable, Sendable {
        var lowest: UInt16
        var span: UInt16
        var also: UInt16

        init(_ unit: UInt16) {
            (lowest, span, also) = (unit, 0, unit)
        }

        /// The syllables of a range, and a consonant alone.
        init(_ syllables: ClosedRange<UInt32>, also unit: UInt16) {
            lowest = UInt16(syllables.lowerBound)
            span = UInt16(syllables.upperBound - syllables.lowerBound)
            also = unit
        }

        /// `true` for a single unit.
        var isSingle: Bool { span == 0 && also == lowest }

        /// `true` if the position matches a unit.
        @inline(__always)
        func matches(_ unit: UInt16) -> Bool { unit &- lowest <= span || unit == also }
    }

    /// The positions, at least one.
    let positions: [Position]
    /// `true` if the pattern consists of initials of syllables; these are searched in names only.
    package let isInitials: Bool

    /// The pattern of a term.
    ///
    /// - Parameter isLast: `true` for the last term of a query, whose last syllable may be unfinished.
    /// - Precondition: the key is not empty.
    init(_ key: TextKey, isLast: Bool) {
        precondition(!key.isEmpty, "A pattern has at least one position")
        if let initials = TextPattern.initials(of: key) {
            (positions, isInitials) = (initials.map(TextPattern.position(ofInitial:)), true)
            return
        }
        isInitials = false
        var positions = key.units.map(Position.init)
        if isLast, let last = key.units.last { positions[positions.count - 1] = TextPattern.unfinished(last) }
        self.positions = positions
    }

    /// Joins patterns into one.
    init(joining patterns: [TextPattern]) {
        positions = patterns.flatMap(\.positions)
        isInitials = patterns.contains(where: \.isInitials)
    }

    /// The key that the pattern was made from; nil for initials.
    var key: [UInt16]? { isInitials ? nil : positions.map(\.also) }

    /// `true` if the pattern was made from this key.
    package func isExactly(_ units: some Collection<UInt16>) -> Bool {
        key.map { units.elementsEqual($0) } ?? false
    }

    /// `true` if a key begins with the pattern.
    package func begins(_ units: some Collection<UInt16>) -> Bool {
        units.count >= positions.count && zip(positions, units).allSatisfy { $0.matches($1) }
    }

    // MARK: - Hangul

    /// The consonants of a key that consists of two or more of them.
    private static func initials(of key: TextKey) -> [UInt32]? {
        let units = key.units.flatMap { unit -> [UInt32] in
            if let (first, second) = Hangul.consonants(of: UInt32(unit)) { return [first, second] }
            return [UInt32(unit)]
        }
        return units.count > 1 && units.allSatisfy(Hangul.initials.contains) ? units : nil
    }

    private static func position(ofInitial initial: UInt32) -> Position {
        let first = Hangul.firstSyllable(ofInitial: initial)
        return Position(first...first + Hangul.syllablesOfInitial - 1, also: UInt16(initial))
    }

    private static func unfinished(_ unit: UInt16) -> Position {
        let point = UInt32(unit)
        if Hangul.initials.contains(point) { return position(ofInitial: point) }
        guard Hangul.syllables.contains(point) else { return Position(unit) }
        return Position(point...Hangul.lastCompletion(of: point), also: unit)
    }
}
