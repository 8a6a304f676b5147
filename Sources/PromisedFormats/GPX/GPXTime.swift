import PromisedDomain

/// Times in GPX files: ISO 8601, with or without fractions of a second; UTC without a zone.
enum GPXTime {
    /// From the start of year 1 to the end of 9999 in UTC, in milliseconds since 1970.
    static let years: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The instant of a text, to the nearest millisecond; nil if it is invalid.
    ///
    /// White space around it is ignored; years must be 1 to 9999, also in UTC, and second 60 counts as the second after
    /// 59.
    static func instant(_ text: ArraySlice<UInt8>) -> Instant? {
        var scanner = TimeScanner(text.trimmingXMLSpace())
        guard let milliseconds = scanner.milliseconds(), years.contains(milliseconds) else { return nil }
        return Instant(milliseconds: milliseconds)
    }
}

/// Reads the fields of a time one after the other.
private struct TimeScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// Milliseconds since 1970; nil if the whole text is not a time.
    mutating func milliseconds() -> Int64? {
        guard let year = digits(4), year >= 1, skip("-"), let month = digits(2), skip("-"), let day = digits(2),
            let days = CivilDate(year: year, month: month, day: day).daysSince1970, skip("T") || skip("t"),
            let time = timeOfDay(), let offset = offset(), rest.isEmpty
        else { return nil }
        return (days * 86_400 - offset) * 1_000 + time
    }

    /// Milliseconds since midnight.
    private mutating func timeOfDay() -> Int64? {
        guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60, skip(":"),
            let second = digits(2), second <= 60
        else { return nil }
        let whole = ((hour * 60 + minute) * 60 + second) * 1_000
        guard skip(".") || skip(",") else { return whole }
        return fraction().map { whole + $0 }
    }

    /// Milliseconds of the digits after the point, rounded half up.
    private mutating func fraction() -> Int64? {
        let digits = rest.prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        var tenths: Int64 = 0
        for place in 0..<4 {
            let digit = place < digits.count ? digits[digits.startIndex + place] : UInt8(ascii: "0")
            tenths = tenths * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return (tenths + 5) / 10
    }

    /// Seconds that local time is ahead of UTC: nothing, `Z`, `+09`, `+0900` or `+09:00`.
    private mutating func offset() -> Int64? {
        if rest.isEmpty || skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = digits(2), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if !rest.isEmpty {
            _ = skip(":")
            guard let read = digits(2), read < 60 else { return nil }
            minutes = read
        }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }

    private mutating func digits(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }
}
