/// A UUID of version 7 (RFC 9562) that names one `Subject`: ids of different things do not mix.
///
/// Ordered by value, which for ids made by ``init(at:using:)`` is the order of their making to the millisecond.
public struct ID<Subject>: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// An id from its sixteen bytes, given as two numbers in network order.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562 §5.7).
    public init(at now: Instant, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(max(0, now.milliseconds)) & 0xFFFF_FFFF_FFFF
        let random: UInt64 = generator.next() & 0xFFF
        high = time << 16 | 0x7000 | random
        low = 0x8000_0000_0000_0000 | (generator.next() & 0x3FFF_FFFF_FFFF_FFFF)
    }

    /// An id from its text form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case; nil for anything else.
    public init?(_ text: String) {
        var digits: (UInt64, UInt64) = (0, 0)
        var position = 0
        for byte in text.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Self.hexDigit(byte) else { return nil }
                digits = (digits.0 << 4 | digits.1 >> 60, digits.1 << 4 | digit)
            }
            position += 1
        }
        guard position == 36 else { return nil }
        self.init(high: digits.0, low: digits.1)
    }

    /// Smaller numbers first.
    public static func < (left: ID, right: ID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The text form, in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var next = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[next] = UInt8(ascii: "-")
                    next += 1
                }
                let word = nibble < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (nibble & 15)) & 15)
                buffer[next] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                next += 1
            }
            return next
        }
    }

    /// Decodes the text form.
    ///
    /// - Throws: `DecodingError` when the text is not a UUID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a UUID")
        }
        self = id
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// Names a user.
public typealias UserID = ID<UserCard>
/// Names a promise.
public typealias PromiseID = ID<Promise>
