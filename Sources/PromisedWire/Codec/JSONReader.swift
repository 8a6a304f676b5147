internal import PromisedDomain

/// Reads JSON as programs usually write it, without whitespace and escapes; leaves all other JSON to the library. Never
/// reads past the end, whatever the input.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips a text if it comes next; returns `false` if it does not.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - position else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
        position += count
        return true
    }

    /// Reads an object of at least one member, whose name and value `member` reads; `false` if that fails.
    mutating func object(_ member: (inout JSONReader) -> Bool) -> Bool { list(from: "{", to: "}", member) }

    /// Reads an array of at least one element, which `element` reads; `false` if that fails.
    mutating func array(_ element: (inout JSONReader) -> Bool) -> Bool { list(from: "[", to: "]", element) }

    private mutating func list(from: StaticString, to: StaticString, _ read: (inout JSONReader) -> Bool) -> Bool {
        guard skip(from) else { return false }
        repeat {
            guard read(&self) else { return false }
        } while skip(",")
        return skip(to)
    }

    /// A number of 32 bits with digits only.
    mutating func uint32() -> UInt32? {
        let start = position
        var value: UInt64 = 0
        while let digit = digit(), position - start <= 10 { value = value * 10 + digit }
        let count = position - start
        guard count == 1 || (2...10).contains(count) && bytes[start] != UInt8(ascii: "0") else { return nil }
        return UInt32(exactly: value)
    }

    /// A number in digits with or without a fraction, without an exponent; rounded to the nearest double.
    mutating func double() -> Double? {
        let start = position
        let isNegative = skip("-")
        let first = position
        var digits: UInt64 = 0
        while let digit = digit() { digits = digits &* 10 &+ digit }
        let whole = position - first
        guard whole == 1 || whole > 1 && bytes[first] != UInt8(ascii: "0") else { return nil }
        var fraction = 0
        if skip(".") {
            while let digit = digit() {
                digits = digits &* 10 &+ digit
                fraction += 1
            }
            guard fraction > 0 else { return nil }
        }
        // Both numbers are exact here, so their quotient is the nearest double (Clinger, "How to Read Floating Point
        // Numbers Accurately").
        if whole + fraction <= 19, digits <= 1 << 53, fraction < JSONReader.powersOfTen.count {
            let value = Double(digits) / JSONReader.powersOfTen[fraction]
            return isNegative ? -value : value
        }
        // The library refuses longer numbers, which include all infinite ones.
        guard position - start < JSONReader.longestNumber else { return nil }
        return Double(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private static let longestNumber = 128
    /// Only the powers that a double represents exactly.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// An id in quotation marks.
    mutating func id<Subject>() -> ID<Subject>? {
        guard skip("\""), bytes.count - position >= 36,
            let id = ID<Subject>(ascii: bytes.span.bytes.extracting(position..<position + 36))
        else { return nil }
        position += 36
        return skip("\"") ? id : nil
    }

    /// A quoted instant of RFC 3339 in UTC, as the fields of a timestamp.
    mutating func timestamp() -> (seconds: Int64, nanos: Int32)? {
        guard skip("\""), let year = number(of: 4), skip("-"), let month = number(of: 2), skip("-"),
            let day = number(of: 2), skip("T"), let hour = number(of: 2), skip(":"), let minute = number(of: 2),
            skip(":"), let second = number(of: 2), year >= 1, hour < 24, minute < 60, second < 60,
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        var nanos: Int64 = 0
        if skip(".") {
            let start = position
            while let digit = digit(), position - start <= 9 { nanos = nanos * 10 + Int64(digit) }
            let count = position - start
            guard (1...9).contains(count) else { return nil }
            for _ in count..<9 { nanos *= 10 }
        }
        guard skip("Z\"") else { return nil }
        return (days * 86_400 + hour * 3_600 + minute * 60 + second, Int32(nanos))
    }

    /// A number of exactly `count` digits.
    private mutating func number(of count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// Reads a digit; nil if something else comes next.
    private mutating func digit() -> UInt64? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        position += 1
        return UInt64(digit)
    }
}
