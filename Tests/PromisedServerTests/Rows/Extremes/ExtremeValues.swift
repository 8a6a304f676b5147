import Foundation

/// The values at and around the ends of numbers, by type.
enum ExtremeValues {
    /// The numbers around which overflow begins somewhere: the ends of integers, and of the conversions of dates, times
    /// and lists.
    private static let edges: [Int128] = [
        0, Int128(Int16.max), Int128(UInt16.max), Int128(Int32.min), Int128(Int32.max), Int128(UInt32.max),
        Int128(Int64.min), Int128(Int64.max), Int128(UInt64.max),
        // Whole numbers exact in a `Double`, and the seconds of the years 1 to 9999.
        1 << 53, -62_135_596_800, 253_402_300_799,
        // Where a conversion to milliseconds or nanoseconds exceeds 64 bits.
        Int128(Int64.max / 1_000), Int128(Int64.min / 1_000), Int128(Int64.max / 1_000_000),
        // Where the end of a page of 500, 1,000 or 10,000 overflows.
        Int128(Int64.max) - 499, Int128(Int64.max) - 999, Int128(Int64.max) - 9_999,
    ]

    /// Each edge with its neighbours, where the type has them.
    static func integers<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> [Value] {
        edges.flatMap { [$0 - 1, $0, $0 + 1] }.compactMap { Value(exactly: $0) }
    }

    /// Each edge as a real number with its neighbours, and the ends of real numbers themselves.
    static let reals: [Double] = {
        let near: [Double] = edges.map { Double($0) }.flatMap { [$0.nextDown, $0, $0.nextUp] }
        let ends: [Double] = [
            .greatestFiniteMagnitude, .infinity, .leastNonzeroMagnitude, .leastNormalMagnitude, 1, 1e19, 1e38,
        ]
        let others: [Double] = [.nan, -0.0]
        return near + ends + ends.map { -$0 } + others
    }()

    /// Values that no enumeration has.
    static let cases = [-1, Int(Int32.max), Int(Int32.min)]

    /// Numbers as texts of any field.
    static let texts = [
        "", "0", "-0", "-1", "+1", "2147483647", "2147483648", "4294967296", "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e400", "nan",
    ]

    /// The texts of any field, and behind them those of cursors.
    static let textsAndCursors = texts + cursors

    /// Cursors of every list: a single number, after a letter or between full stops, and the opaque ones, whose kind
    /// is a letter before 64 bits, an id and a text.
    private static let cursors: [String] = {
        let readable = edges.flatMap { [$0 - 1, $0, $0 + 1] }.flatMap { number in
            [
                "\(number)", "r\(number)", "\(number).0.0.\(id).d.0", "0.\(number).0.\(id).d.0",
                "0.0.\(number).\(id).d.7fefffffffffffff",
            ]
        }
        let words = integers(Int64.self).map { UInt64(bitPattern: $0) }
        let reals = [Double.greatestFiniteMagnitude, .infinity, .nan].map(\.bitPattern)
        let opaque = "abcdfnprvx".utf8.flatMap { kind in (words + reals).map { opaqueText(kind, [$0, $0, 0]) } }
        return readable + opaque
    }()

    /// The texts of JSON for a number that no field can store.
    static let tokens = [
        "1e400", "-1e400", "1e-400", "99999999999999999999999999", "-99999999999999999999999999", "0.5", "-0",
        "9223372036854775807.5", "9223372036854775808", "18446744073709551616", "4294967296", "2147483648",
        "-2147483649", "\"9223372036854775808\"", "\"NaN\"", "\"-Infinity\"", "null", "[]",
    ]

    private static let id = "01932a4e-0000-7000-8000-0000000000c1"

    private static func opaqueText(_ kind: UInt8, _ words: [UInt64]) -> String {
        var bytes = Data([kind])
        for word in words { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
