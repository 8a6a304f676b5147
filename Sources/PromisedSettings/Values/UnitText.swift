package import PromisedDomain

/// Lengths of time as written in settings and options: a whole number and a unit, such as `250ms` or `3h`.
package enum DurationText {
    /// Units from the largest to the smallest, with their milliseconds.
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Reads a length of time.
    ///
    /// - Parameter text: digits, then `ms`, `s`, `m`, `h` or `d`; no sign, no spaces, one pair only.
    /// - Returns: nil for any other text, and for more than about 292 million years.
    package static func parse(_ text: String) -> TimeSpan? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...]
        guard let count = Int64(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
        let (milliseconds, hasOverflowed) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return hasOverflowed ? nil : TimeSpan(milliseconds: milliseconds)
    }

    /// Writes a non-negative length of time in the largest unit that gives a whole number; zero is `0s`.
    package static func format(_ span: TimeSpan) -> String {
        guard span != .zero else { return "0s" }
        for unit in units where span.milliseconds.isMultiple(of: unit.milliseconds) {
            return "\(span.milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(span.milliseconds)ms"
    }
}

/// Numbers of bytes as written by people: plain, or with `KiB` or `MiB`.
package enum SizeText {
    private static let units: [(name: String, bytes: Int)] = [("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)]

    /// Reads a number of bytes: digits, optionally followed by `KiB` or `MiB`; nil for anything else.
    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...]
        guard let count = Int(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
        let (bytes, hasOverflowed) = count.multipliedReportingOverflow(by: unit.bytes)
        return hasOverflowed ? nil : bytes
    }

    /// Writes a number of bytes for people: about three digits, up to TiB.
    package static func rounded(_ bytes: Int) -> String {
        var amount = Double(bytes)
        var names = ["B", "KiB", "MiB", "GiB", "TiB"]
        while amount >= 1_000, names.count > 1 {
            amount /= 1_024
            names.removeFirst()
        }
        let digits = amount < 10 && names[0] != "B" ? (amount * 10).rounded() / 10 : amount.rounded()
        let text = digits.rounded() == digits ? String(Int(digits)) : String(digits)
        return "\(text) \(names[0])"
    }

    /// Writes a number of bytes in the largest unit that gives a whole number.
    @Sendable package static func format(_ bytes: Int) -> String {
        for unit in units where bytes >= unit.bytes && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return String(bytes)
    }
}

extension TimeSpan {
    /// The span in the largest unit that gives a whole number: `30 minutes`, `1 day`, `90 seconds`.
    package var inWords: String {
        let units: [(name: String, milliseconds: Int64)] = [
            ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000), ("millisecond", 1),
        ]
        let span = Int64(milliseconds)
        let unit = units.first { span.isMultiple(of: $0.milliseconds) && span >= $0.milliseconds } ?? units[4]
        let count = span / unit.milliseconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
