/// Keys of texts, one after the other in UTF-16, with the units at which words begin.
struct KeyBuffer: Sendable {
    /// The units of all keys.
    private(set) var units: [UInt16] = []
    /// A bit for each unit, set where a word begins.
    private(set) var wordStarts: [UInt64] = []

    private let table = KeyTable.shared
    /// `true` if the next letter begins a word.
    private var isBetweenWords = true

    /// Empty, with memory reserved.
    init(expectedUnits: Int = 0) {
        units.reserveCapacity(expectedUnits)
        wordStarts.reserveCapacity(expectedUnits / 64 + 1)
    }

    /// Appends the key of a text.
    mutating func append(keyOf text: String) {
        var text = text
        text.withUTF8 { append(keyOf: UnsafeRawBufferPointer($0)) }
    }

    /// Appends the key of a text by its bytes in UTF-8.
    ///
    /// - Precondition: the bytes are those of a `String`; they are not checked.
    mutating func append(keyOf bytes: UnsafeRawBufferPointer) {
        let start = units.count
        isBetweenWords = true
        var offset = 0
        while offset < bytes.count {
            guard append(KeyBuffer.point(in: bytes, at: &offset)) else {
                // Rare: the text has marks or parts of syllables. Its key is built again with the order and composition
                // of NFC.
                removeUnits(from: start)
                appendComposed(String(decoding: bytes, as: UTF8.self))
                return
            }
        }
    }

    /// The code point at an offset; advances the offset past it.
    @inline(__always)
    private static func point(in bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt32 {
        func byte(_ place: Int) -> UInt32 { UInt32(bytes[offset + place]) & 0x3F }
        let first = UInt32(bytes[offset])
        if first < 0x80 {
            offset += 1
            return first
        }
        defer { offset += first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }
        if first < 0xE0 { return (first & 0x1F) << 6 | byte(1) }
        if first < 0xF0 { return (first & 0x0F) << 12 | byte(1) << 6 | byte(2) }
        return (first & 0x07) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3)
    }

    /// Appends a unit unchanged; it begins no word.
    mutating func append(unit: UInt16) {
        if units.count & 63 == 0 { wordStarts.append(0) }
        units.append(unit)
    }

    /// The size of the keys in bytes.
    var byteCount: Int { units.count * 2 + wordStarts.count * 8 }

    /// `true` if a word begins at a unit.
    func isWordStart(_ offset: Int) -> Bool { wordStarts[offset >> 6] >> UInt64(offset & 63) & 1 == 1 }

    /// Removes the units from `start` on.
    mutating func removeUnits(from start: Int) {
        units.removeSubrange(start...)
        wordStarts.removeSubrange(((start + 63) >> 6)...)
        if start & 63 != 0 { wordStarts[start >> 6] &= (1 << UInt64(start & 63)) - 1 }
    }

    // MARK: - Code points

    /// Appends the units of a code point; `false` if it may compose with its neighbours.
    @inline(__always)
    private mutating func append(_ point: UInt32) -> Bool {
        if Hangul.syllables.contains(point) {
            append(letter: point)
            return true
        }
        guard let role = table.role(of: point) else { return append(mappingOf: point) }
        return append(point, role)
    }

    private mutating func append(mappingOf point: UInt32) -> Bool {
        for part in table.mapping(of: point) {
            if Hangul.syllables.contains(part) {
                append(letter: part)
            } else if !append(part, table.role(of: part) ?? .letter) {
                return false
            }
        }
        return true
    }

    @inline(__always)
    private mutating func append(_ point: UInt32, _ role: KeyTable.Role) -> Bool {
        switch role {
        case .letter: append(letter: point)
        case .separator: isBetweenWords = true
        case .joined: break
        case .composingMark, .composingLetter: return false
        }
        return true
    }

    @inline(__always)
    private mutating func append(letter point: UInt32) {
        let offset = units.count
        if point < 0x1_0000 {
            append(unit: UInt16(truncatingIfNeeded: point))
        } else {
            append(unit: UInt16(truncatingIfNeeded: 0xD7C0 + point >> 10))
            append(unit: UInt16(truncatingIfNeeded: 0xDC00 + point & 0x3FF))
        }
        guard isBetweenWords else { return }
        markWordStart(offset)
        isBetweenWords = false
    }

    private mutating func markWordStart(_ offset: Int) {
        wordStarts[offset >> 6] |= 1 << UInt64(offset & 63)
    }

    private mutating func appendComposed(_ text: String) {
        isBetweenWords = true
        for point in KeyComposition.compose(text, table) {
            switch Hangul.syllables.contains(point) ? .letter : table.role(of: point) ?? .letter {
            case .letter, .composingLetter: append(letter: point)
            case .separator: isBetweenWords = true
            case .joined, .composingMark: break
            }
        }
    }
}

/// The normal form of a text with marks or with parts of Hangul syllables (Unicode, section 3.11).
enum KeyComposition {
    /// The code points of a text, decomposed, with ordered marks, and composed again.
    static func compose(_ text: String, _ table: KeyTable) -> [UInt32] {
        var points: [UInt32] = []
        for scalar in text.unicodeScalars {
            let isMapped = !Hangul.syllables.contains(scalar.value) && table.role(of: scalar.value) == nil
            for point in isMapped ? table.mapping(of: scalar.value) : [scalar.value] {
                decompose(point, table, into: &points)
            }
        }
        order(&points, table)
        return composed(points, table)
    }

    private static func decompose(_ point: UInt32, _ table: KeyTable, into points: inout [UInt32]) {
        guard let (first, second) = table.parts(of: point) else {
            points.append(point)
            return
        }
        decompose(first, table, into: &points)
        points.append(second)
    }

    /// Sorts each series of marks by combining class; marks of one class keep their order.
    private static func order(_ points: inout [UInt32], _ table: KeyTable) {
        for index in points.indices.dropFirst() {
            let moved = points[index]
            let rank = table.combiningClass(of: moved)
            var place = index
            while rank > 0, place > 0, table.combiningClass(of: points[place - 1]) > rank {
                points[place] = points[place - 1]
                place -= 1
            }
            points[place] = moved
        }
    }

    private static func composed(_ points: [UInt32], _ table: KeyTable) -> [UInt32] {
        var composed: [UInt32] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for point in points {
            let rank = table.combiningClass(of: point)
            // A mark composes unless one of its class or a higher one is in between; any other code point only without
            // a mark in between.
            let isBlocked = starter.map { composed.count - 1 > $0 && (rank == 0 || lastClass >= rank) } ?? true
            if !isBlocked, let starter, let whole = table.composite(of: composed[starter], point) {
                composed[starter] = whole
                continue
            }
            if rank == 0 { starter = composed.count }
            lastClass = rank
            composed.append(point)
        }
        return composed
    }
}
