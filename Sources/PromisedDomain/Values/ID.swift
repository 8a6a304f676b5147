/// A UUID of version 7 (RFC 9562) that identifies one `Subject`: ids of different types cannot be mixed up.
///
/// Ordered by value, which for ids created by ``init(at:using:)`` is the order of creation to the millisecond.
@usableFromInline package struct ID<Subject>: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The first eight bytes, most significant first.
    @usableFromInline package let high: UInt64
    /// The last eight bytes, most significant first.
    @usableFromInline package let low: UInt64

    /// An id from its sixteen bytes, given as two numbers in network order.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562 §5.7).
    package init(at now: Instant, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(max(0, now.milliseconds)) & 0xFFFF_FFFF_FFFF
        let random: UInt64 = generator.next() & 0xFFF
        high = time << 16 | 0x7000 | random
        low = 0x8000_0000_0000_0000 | (generator.next() & 0x3FFF_FFFF_FFFF_FFFF)
    }

    /// An id from its text form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var text = text
        guard let id = text.withUTF8({ ID(ascii: $0.span.bytes) }) else { return nil }
        self = id
    }

    /// An id from the bytes of its text form; nil for anything else.
    package init?(ascii: RawSpan) {
        guard ascii.byteCount == 36 else { return nil }
        // Eight digits at a time; there are dashes between the words of the text.
        func word(at offset: Int) -> UInt64 {
            UInt64(bigEndian: ascii.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func isDash(at offset: Int) -> Bool {
            ascii.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "-")
        }
        guard isDash(at: 8), isDash(at: 13), isDash(at: 18), isDash(at: 23) else { return nil }
        let second = word(at: 9) & ~0xFFFF_FFFF | word(at: 10) & 0xFFFF_FFFF
        let third = word(at: 19) & ~0xFFFF_FFFF | word(at: 20) & 0xFFFF_FFFF
        guard let first = HexDigits.value(word(at: 0)), let second = HexDigits.value(second),
            let third = HexDigits.value(third), let fourth = HexDigits.value(word(at: 28))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    // Ids are the keys of most look-ups, so other modules see the conformances and these bodies. Otherwise each
    // comparison and hash calls a witness: together some 1,300 instructions a report.

    /// `true` for the same number.
    @inlinable package static func == (left: ID, right: ID) -> Bool { left.high == right.high && left.low == right.low }

    /// Hashes the number.
    @inlinable package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    @inlinable package static func < (left: ID, right: ID) -> Bool { (left.high, left.low) < (right.high, right.low) }

    /// The text form, in lower case.
    @usableFromInline package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            write(to: UnsafeMutableRawBufferPointer(buffer))
            return 36
        }
    }

    /// Writes the bytes of the text form, in lower case.
    ///
    /// - Precondition: there is room for 36 bytes.
    package func write(to buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= 36, "An id has 36 characters")
        let second = HexDigits.text(high & 0xFFFF_FFFF)
        let third = HexDigits.text(low >> 32)
        // The words contain a dash: stores all of it one byte later, then the first half in its place.
        buffer.storeBytes(of: HexDigits.text(high >> 32).bigEndian, toByteOffset: 0, as: UInt64.self)
        buffer.storeBytes(of: second.bigEndian, toByteOffset: 10, as: UInt64.self)
        buffer.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32).bigEndian, toByteOffset: 9, as: UInt32.self)
        buffer.storeBytes(of: third.bigEndian, toByteOffset: 20, as: UInt64.self)
        buffer.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32).bigEndian, toByteOffset: 19, as: UInt32.self)
        buffer.storeBytes(of: HexDigits.text(low & 0xFFFF_FFFF).bigEndian, toByteOffset: 28, as: UInt64.self)
        for offset in [8, 13, 18, 23] { buffer[offset] = UInt8(ascii: "-") }
    }

    /// Decodes the text form. Throws `DecodingError` if the text is not a UUID.
    @usableFromInline package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a UUID")
        }
        self = id
    }

    /// Encodes the text form.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Eight hexadecimal digits at a time, each in a byte of a word, the first in the highest.
private enum HexDigits {
    private static func inEachByte(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    /// The digits, in lower case, of a number of 32 bits.
    static func text(_ number: UInt64) -> UInt64 {
        var spread = (number | number << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (spread &+ inEachByte(6)) >> 4 & inEachByte(1)
        return spread &+ inEachByte(0x30) &+ isLetter &* 0x27
    }

    /// The number of eight digits in either case; nil if one is not a digit.
    static func value(_ text: UInt64) -> UInt64? {
        let isLetter = text >> 6 & inEachByte(1)
        var packed = (text & inEachByte(0x0F)) &+ isLetter &* 9 & inEachByte(0x0F)
        packed = (packed | packed >> 4) & 0x00FF_00FF_00FF_00FF
        packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
        packed = (packed | packed >> 16) & 0xFFFF_FFFF
        // A non-digit encodes to something else.
        return HexDigits.text(packed) == text | isLetter << 5 ? packed : nil
    }
}
