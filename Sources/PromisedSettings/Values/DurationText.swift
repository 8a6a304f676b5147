package import PromisedDomain

/// Lengths of time as people write them in settings and options: a whole number and a unit, such as `250ms` or `3h`.
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

    /// Writes a length of time that is not negative, in the largest unit that leaves a whole number; zero is `0s`.
    package static func format(_ span: TimeSpan) -> String {
        guard span != .zero else { return "0s" }
        for unit in units where span.milliseconds.isMultiple(of: unit.milliseconds) {
            return "\(span.milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(span.milliseconds)ms"
    }
}
