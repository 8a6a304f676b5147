/// The Unicode data behind the keys of texts, read once from the generated lists.
///
/// The lists do not contain Hangul syllables: these remain unchanged and are composed by the rule of ``Hangul``.
struct KeyTable: Sendable {
    /// The part of a code point in a key.
    enum Role: UInt16 {
        /// Ends a word and leaves the key: blanks, punctuation, symbols.
        case separator
        /// Leaves the key without ending a word: marks and format characters.
        case joined
        /// Stays in the key.
        case letter
        /// Leaves the key, but may compose with the letter before it or change the order of marks.
        case composingMark
        /// Stays in the key, but may compose with the letter before it: vowels and final consonants of Hangul.
        case composingLetter
    }

    /// One beyond the last code point in the table; Unicode has no letters there.
    static let end: UInt32 = 0x32000

    /// The table of this process.
    static let shared = KeyTable()

    /// For each code point its role, or ``firstMapping`` and more for one with a mapping.
    private let entries: [UInt16]
    /// The texts of all mappings, one after the other.
    private let texts: [UInt32]
    /// For each mapping the offset of its text in ``texts``; one more than there are mappings.
    private let offsets: [UInt32]
    /// Canonical combining classes other than 0.
    private let classes: [UInt32: UInt8]
    /// Composites by their parts, packed by ``pack(_:_:)``.
    private let composites: [UInt64: UInt32]
    /// The parts of composites.
    private let parts: [UInt32: (UInt32, UInt32)]

    private static let firstMapping: UInt16 = 8

    private init() {
        var entries = [UInt16](repeating: Role.separator.rawValue, count: Int(KeyTable.end))
        func set(_ role: Role, _ span: ClosedRange<UInt32>) {
            for point in span where point < KeyTable.end { entries[Int(point)] = role.rawValue }
        }
        for entry in KeyTableEntry.all(in: KeyTable.joined) { set(.joined, entry.span) }
        for entry in KeyTableEntry.all(in: KeyTable.letters) { set(.letter, entry.span) }

        var classes: [UInt32: UInt8] = [:]
        for entry in KeyTableEntry.all(in: KeyTable.classes) {
            for point in entry.span { classes[point] = UInt8(entry.values[0]) }
            set(.composingMark, entry.span)
        }
        var composites: [UInt64: UInt32] = [:]
        var parts: [UInt32: (UInt32, UInt32)] = [:]
        for entry in KeyTableEntry.all(in: KeyTable.pairs) {
            let (first, second, composite) = (entry.first, entry.last, entry.values[0])
            composites[KeyTable.pack(first, second)] = composite
            parts[composite] = (first, second)
            set(.composingMark, second...second)
        }
        set(.composingLetter, Hangul.vowels)
        set(.composingLetter, Hangul.finals)

        var texts: [UInt32] = []
        var offsets: [UInt32] = [0]
        for entry in KeyTableEntry.all(in: KeyTable.mappings) {
            for point in entry.span where point < KeyTable.end {
                entries[Int(point)] = KeyTable.firstMapping + UInt16(offsets.count - 1)
                // Only a mapping to one code point has a range.
                let shift = point - entry.span.lowerBound
                texts += entry.values.map { $0 + shift }
                offsets.append(UInt32(texts.count))
            }
        }
        (self.entries, self.texts, self.offsets) = (entries, texts, offsets)
        (self.classes, self.composites, self.parts) = (classes, composites, parts)
    }

    private static func pack(_ first: UInt32, _ second: UInt32) -> UInt64 { UInt64(first) << 32 | UInt64(second) }

    /// The role of a code point without a mapping; nil for one with a mapping.
    @inline(__always)
    func role(of point: UInt32) -> Role? {
        guard point < KeyTable.end else { return .separator }
        return Role(rawValue: entries[Int(point)])
    }

    /// The text that a code point is mapped to; only for those without a role.
    func mapping(of point: UInt32) -> ArraySlice<UInt32> {
        let mapping = Int(entries[Int(point)] - KeyTable.firstMapping)
        return texts[Int(offsets[mapping])..<Int(offsets[mapping + 1])]
    }

    /// The canonical combining class, which decides the order of marks.
    func combiningClass(of point: UInt32) -> UInt8 { classes[point] ?? 0 }

    /// The two parts of a composite; nil for any other code point.
    func parts(of point: UInt32) -> (UInt32, UInt32)? { parts[point] }

    /// The composite of two code points; nil if they do not compose.
    func composite(of first: UInt32, _ second: UInt32) -> UInt32? {
        Hangul.composite(of: first, second) ?? composites[KeyTable.pack(first, second)]
    }
}

/// One entry of a generated list: `41-5a=61`, `df=73+73`, `3b1+301=3ac`.
private struct KeyTableEntry {
    /// The number before `=`, or the first of two.
    var first: UInt32
    /// The second number before `=`; equal to ``first`` for a single number.
    var last: UInt32
    /// The numbers after `=`.
    var values: [UInt32]

    /// The code points of a range.
    var span: ClosedRange<UInt32> { first...last }

    static func all(in list: String) -> [KeyTableEntry] {
        list.utf8.split(separator: UInt8(ascii: " ")).map { entry in
            let sides = entry.split(separator: UInt8(ascii: "="))
            let points = numbers(in: sides[0])
            return KeyTableEntry(
                first: points[0],
                last: points[points.count - 1],
                values: sides.count > 1 ? numbers(in: sides[1]) : []
            )
        }
    }

    private static func numbers(in text: Substring.UTF8View) -> [UInt32] {
        var numbers: [UInt32] = [0]
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                numbers[numbers.count - 1] = numbers[numbers.count - 1] << 4 | UInt32(byte & 0x0F)
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                numbers[numbers.count - 1] = numbers[numbers.count - 1] << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            default: numbers.append(0)
            }
        }
        return numbers
    }
}
